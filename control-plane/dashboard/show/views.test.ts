/** Models of the views over several runs: filters in the address, loads as curves. */
import t from 'tap';
import { CATALOGUE } from '../../catalogue.ts';
import { isFiltered, labelsOf, runsQueryOf, withLabel, withoutLabel } from './run/lists/run-search.ts';
import type { LoadDraft } from './test-form/drafts/load-draft.ts';
import { curveOf } from './test-form/preview/load-curve.ts';
import { CORE_GROUPINGS, filterOf, limitWords, workersQueryOf } from './workers/worker-words.ts';

const NOW = Date.parse('2026-11-26T12:00:30.000Z');

t.test('filters of runs: what an address says is asked, what the API would refuse is not', async (t) => {
  t.same(runsQueryOf({}, NOW), { page: 1 });
  t.notOk(isFiltered({ page: '2', ...{ selected: 'a,b' } }, NOW));
  const asked = runsQueryOf(
    { test: 't1', status: 'FAILED', verdict: 'VOID', passed: 'none', of: 'tests', label: 'a=1\nb', period: 'hour' },
    NOW,
  );
  t.same(asked, {
    test_id: 't1',
    status: ['FAILED'],
    verdict: ['VOID'],
    passed: 'none',
    is_probe_run: false,
    label: ['a=1', 'b'],
    from: '2026-11-26T11:00:00.000Z',
    page: 1,
  });
  const input = CATALOGUE.listTestRuns.input;
  t.ok(input.safeParse({ projectId: 'p', ...asked }).success);
  const typed = {
    status: 'x',
    verdict: 'y',
    passed: 'z',
    of: 'q',
    label: '1=2\n=\n',
    period: 'p',
    page: '-3',
    from: 'no',
  };
  t.same(runsQueryOf(typed, NOW), { page: 1 });
  const many = { label: Array.from({ length: 40 }, (_, i) => `l${i}`).join('\n') };
  t.ok(input.safeParse({ projectId: 'p', ...runsQueryOf(many, NOW) }).success);
});

t.test('labels are added and taken away one by one, and never twice', async (t) => {
  const one = withLabel({}, 'branch=a, b\u0020c');
  t.same(labelsOf(one), ['branch=a, b c']);
  const two = withLabel(one, 'commit');
  t.same(labelsOf(withLabel(two, 'commit')), ['branch=a, b c', 'commit']);
  t.same(labelsOf(withoutLabel(two, 'branch=a, b c')), ['commit']);
});

t.test('a load is drawn as its numbers say', async (t) => {
  const draft = (load: LoadDraft['load'], more: Partial<LoadDraft> = {}): LoadDraft => ({
    ...{ endpoints: 1000, callsEach: null, buildup: 0, durationSeconds: 10 },
    ...more,
    load,
  });
  const rate = curveOf(draft({ shape: 'RATE', callsPerSecond: 5, seconds: 60 }));
  t.equal(rate?.perSecond[0], 5);
  t.equal(rate?.perSecond[60], 0);
  t.equal(Math.max(...(rate?.atOnce ?? [])), 50, 'as Little says');
  t.equal(rate?.atOnce.at(-1), 0);
  t.equal(rate?.lacking, null);
  t.equal(curveOf(draft({ shape: 'RATE', callsPerSecond: 5, seconds: 60 }, { endpoints: 20 }))?.lacking, 30);
  const steps = curveOf(
    draft({
      shape: 'STEPS',
      steps: [
        { callsPerSecond: 1, seconds: 30 },
        { callsPerSecond: 4, seconds: 30 },
      ],
    }),
  );
  t.same([steps?.perSecond[29], steps?.perSecond[30], steps?.perSecond[60]], [1, 4, 0]);
  t.equal(steps?.atOnce[30], 10);
  t.equal(steps?.atOnce[60], 40);
  const held = curveOf(draft({ shape: 'CONCURRENCY', callsPerSecond: 20, seconds: 60 }, { endpoints: 40 }));
  t.same([held?.perSecond[0], held?.perSecond[10]], [20, 4]);
  t.equal(held?.atOnce[30], 40);
  t.equal(held?.lacking, null);
  const poisson = curveOf(draft({ shape: 'POISSON', callsPerSecond: 9, seed: 1, seconds: 20 }));
  t.ok((poisson?.perSecondAtMost?.[0] ?? 0) > 9);
  const even = curveOf(draft({ shape: 'BUILDUP' }, { endpoints: 30, buildup: 3, callsEach: 1 }));
  t.same([even?.perSecond[0], even?.perSecond[3], even?.atOnce[3]], [10, 0, 30]);
  t.equal(curveOf(draft({ shape: 'BUILDUP' }, { endpoints: 30 }))?.atOnce[0], 30);
  t.equal(curveOf(draft({ shape: 'RATE', callsPerSecond: 5 })), null, 'nobody says where it ends');
  const day = curveOf(draft({ shape: 'RATE', callsPerSecond: 5, seconds: 86_400 }));
  t.ok((day?.times.length ?? 0) < 300);
});

t.test('filters of workers: what an address says is asked, what the API would refuse is not', async (t) => {
  const groupings = [...CORE_GROUPINGS, { by: 'rack', title: 'Rack', none: 'No rack' }];
  t.same(workersQueryOf({ from: 'p1', page: '3' }, groupings), { page: 3 });
  const asked = { state: 'WAITING', region: 'eu', version: 'none', limited_by: 'PORTS' };
  const query = workersQueryOf({ ...asked, rack: '7', search: 'edge', other: 'x' }, groupings);
  t.same(query, {
    ...Object.fromEntries(Object.entries(asked).map(([by, value]) => [by, [value]])),
    ...{ rack: ['7'], search: 'edge', page: 1 },
  });
  t.ok(CATALOGUE.listWorkers.input.safeParse(query).success);
  const long = 'x'.repeat(300);
  const typed = { state: 'online', limited_by: '1', search: long, region: long, version: '' };
  const filter = filterOf(typed, groupings);
  t.same(Object.keys(filter).sort(), ['region', 'search']);
  t.ok(CATALOGUE.getFleet.input.safeParse(filter).success);
});

t.test('a worker is limited by the strictest of its limits, or by what its calibration found', async (t) => {
  type Limited = Parameters<typeof limitWords>[0];
  const worker = (limit: string, calibration: object | null) =>
    ({ agent: { calibration }, capacityLimits: [{ limit, endpoints: 1, cure: '' }] }) as unknown as Limited;
  t.equal(limitWords({ agent: null, capacityLimits: [] }), null);
  t.equal(limitWords(worker('PORTS', { unused: null })), 'media ports');
  t.equal(limitWords(worker('AGENT', { unused: null })), 'CPU (calibrated)');
  for (const one of [null, { unused: 'another build' }]) t.equal(limitWords(worker('AGENT', one)), 'own figure');
});
