/** Kept figures: the same as drawn ones, there once a large run has settled, and drawn again when it is revised. */
import t from 'tap';
import fc from '../../../scripts/test-run/properties.ts';
import { insertStreams } from '../../store/measured/streams.ts';
import { markRevised } from '../../store/run/late-shares.ts';
import { runExtent } from '../../store/run/run-rows.ts';
import { openReading, single, streamFact } from '../../testing/reading.ts';
import { callSource } from './call-source.ts';
import { listedCalls, type RunExtent } from './calls.ts';
import { endpointRows } from './endpoints.ts';
import { keptRefreshes } from './runs.ts';

const CALLS = 700;
const ENDS = [
  { outcome: {} },
  { outcome: { outcome: 'CALL_FAILED', cause: 'BUSY', causeStatus: 486, attempted: true } },
  { outcome: { outcome: 'REGISTRATION_FAILED', cause: 'REGISTRATION_DENIED', causeStatus: 403 } },
] as const;

const { world, begin, report } = await openReading(t, CALLS);
const { db } = world.database;
const run = await begin();
const { projectId, runId } = run;
// Every third call has streams with ratings that repeat: the order of the worst has ties.
const rated = Array.from({ length: (2 * CALLS) / 3 }, (_, i) => streamFact(3 * i, 1, { mos: 1 + ((7 * i) % 40) / 10 }));
await insertStreams(db, runId, rated);
await report(run, (number) => ENDS[number % 7 === 0 ? 1 : number % 31 === 0 ? 2 : 0]);

const extent = async () => (await runExtent(db, projectId, runId)) as RunExtent;
const drawn = (kept: RunExtent): RunExtent => ({ ...kept, isLarge: false });
const names = async () =>
  (await db.selectFrom('kept_figures').where('run_id', '=', runId).select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  );

t.test('what pages need of all calls is there when the run has settled', async (t) => {
  const kept = await extent();
  t.match(kept, { isFinal: true, isLarge: true });
  const before = await names();
  for (const part of ['refreshes', 'steps', 'timings', 'worst calls', 'worst calls CALL_FAILED', 'worst rows'])
    t.ok(
      before.some((name) => name.startsWith(part)),
      part,
    );
  await single(run, 'getTestRun');
  await single(run, 'getTestRunTimeline');
  await single(run, 'getTestRunHistograms');
  t.same(await names(), before, 'and no page draws more');
});

t.test('kept figures are those that would be drawn', async (t) => {
  const kept = await extent();
  const [there, again] = [callSource(db, kept), callSource(db, drawn(kept))];
  for (let read = 0; read < 2; read++) {
    t.same(await there.steps(1), await again.steps(1));
    t.same(await there.timingBuckets(8), await again.timingBuckets(8));
    t.same(await keptRefreshes(db, kept), await keptRefreshes(db, drawn(kept)));
  }
});

t.test('pages of lists are those that would be sorted, for any filter', async (t) => {
  const several = { isLasting: true, endpoints: CALLS / 10 };
  const optional = <T>(value: T) => fc.option(fc.constant(value), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        outcome: fc.constantFrom('CALL_FAILED' as const, 'SUCCESS' as const, undefined),
        type: optional('CALLER' as const),
        endpoint: optional({ number: 7, apart: several.endpoints }),
      }),
      fc.constantFrom('worst' as const, 'number' as const),
      fc.integer({ min: 1, max: 30 }),
      async (filter, order, page) => {
        const query = { order, page, per_page: 70 };
        const kept = await extent();
        t.same(await listedCalls(db, kept, filter, query), await listedCalls(db, drawn(kept), filter, query));
        const many = { ...kept, ...several };
        for (const one of [kept, many])
          t.same(await endpointRows(db, one, filter, query), await endpointRows(db, drawn(one), filter, query));
      },
    ),
    { numRuns: 20 },
  );
});

t.test('late results revise the run: its figures are drawn again', async (t) => {
  const query = { order: 'worst', page: 1, per_page: 5 } as const;
  const first = await listedCalls(db, await extent(), {}, query);
  await db.updateTable('endpoints').set({ outcome: 'SUCCESS' }).where('run_id', '=', runId).execute();
  t.same(
    (await listedCalls(db, await extent(), {}, query)).rows.map((e) => e.id),
    first.rows.map((e) => e.id),
  );
  await markRevised(db, runId, world.ports.now());
  const revised = await extent();
  t.same(await listedCalls(db, revised, {}, query), await listedCalls(db, drawn(revised), {}, query));
  t.notSame(
    (await listedCalls(db, revised, {}, query)).rows.map((e) => e.id),
    first.rows.map((e) => e.id),
  );
});
