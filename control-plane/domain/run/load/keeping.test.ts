/** How many calls runs are planned for, including strangers' calls: for which runs not every call is kept, and which are folded. */
import { randomUUID } from 'node:crypto';
import { isInSample } from '@carillon/proto/call-sample.ts';
import t from 'tap';
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { keepingOf } from './keeping.ts';
import { isFoldedBeyond } from './planned-calls.ts';

type Load = TestConfig['load'];
const BUILDUP: Load = { shape: 'BUILDUP' };

type Callees = { readonly endpoints: number; readonly calls?: number | null; readonly isCalled?: boolean };

/** `callees`: strangers call them, unless the callers do. */
const run = (callers: number, load: Load, calls: number | null = 1, callees: Callees = { endpoints: 0 }) => ({
  id: randomUUID(),
  buildupSeconds: 600,
  durationSeconds: 60,
  config: {
    load,
    groups: [
      ...(callers > 0
        ? [
            {
              id: 'callers',
              callee: callees.isCalled ? { mode: 'GROUP', groupId: 'callees' } : { mode: 'EXTERNAL_URI' },
              subPopulations: [{ role: 'CALLER', endpoints: callers, calls }],
            },
          ]
        : []),
      {
        id: 'callees',
        callee: { mode: 'RECEIVE' },
        subPopulations: [{ role: 'CALLEE', calls: 1, ...callees }],
      },
    ],
  } as unknown as TestConfig,
});

t.test('a thousand calls are kept whole; of more there is a sample of up to a thousand', async (t) => {
  const hour: Load = { shape: 'RATE', callsPerSecond: 20, seconds: 3600 };
  const held: Load = { shape: 'CONCURRENCY', callsPerSecond: 20, seconds: 3600 };
  const cases: readonly (readonly [what: string, run: ReturnType<typeof run>, oneIn: number | null])[] = [
    ['one call', run(1, BUILDUP), null],
    ['a thousand', run(1000, BUILDUP), null],
    ['both ends of a thousand', run(1000, BUILDUP, 1, { endpoints: 1000, isCalled: true }), null],
    ['one more', run(1001, BUILDUP), 2],
    ['few callers, many calls', run(10, BUILDUP, 5000), null],
    ['an hour', run(50, hour, null), 72],
    ['as many as fit an hour', run(50, held, null), 72],
    ['callees of strangers', run(0, BUILDUP, 1, { endpoints: 2500 }), 3],
    ['callees of strangers, many calls each', run(0, BUILDUP, 1, { endpoints: 10, calls: 250 }), 3],
    ['callees of strangers, any number: as many as fit', run(0, BUILDUP, 1, { endpoints: 200, calls: null }), 3],
    ['few of these', run(0, BUILDUP, 1, { endpoints: 90, calls: null }), null],
    ['callers, and callees of strangers', run(1000, BUILDUP, 1, { endpoints: 1000 }), 2],
    ['callees of the test, any number', run(10, BUILDUP, 5000, { endpoints: 1000, calls: null, isCalled: true }), null],
  ];
  for (const [what, one, oneIn] of cases) t.equal(keepingOf(one)?.oneIn ?? null, oneIn, what);
  const keeping = keepingOf(run(50, hour, null));
  let sample = 0;
  for (let n = 0; keeping !== null && n < 72_000; n++) if (isInSample(keeping, n)) sample++;
  t.ok(sample > 800 && sample < 1200, `${sample} of 72,000 calls`);
  t.notSame(keepingOf(run(5000, BUILDUP))?.seed, keepingOf(run(5000, BUILDUP))?.seed, 'each run has its own');
});

t.test('a run is folded if it has more calls than rows, whichever end places them', (t) => {
  const load: Load = { shape: 'RATE', callsPerSecond: 20, seconds: 60 };
  const folded = (one: ReturnType<typeof run>, exact: number): boolean => isFoldedBeyond(exact, one.config, one);
  const below = (one: ReturnType<typeof run>): boolean => folded(one, 1199);
  for (const [what, one] of [
    ['callers', run(50, load, null)],
    ['callees of strangers', run(0, BUILDUP, 1, { endpoints: 10, calls: 120 })],
    ['these and those', run(50, { ...load, seconds: 30 }, null, { endpoints: 600 })],
  ] as const)
    t.same([below(one), folded(one, 1200)], [true, false], what);
  t.ok(below(run(0, BUILDUP, 1, { endpoints: 200, calls: null })), 'any number');
  t.notOk(below(run(5000, BUILDUP)), 'each endpoint has a row, and one call');
  t.notOk(below(run(0, BUILDUP, 1, { endpoints: 5000 })));
  t.notOk(below(run(50, load, null, { endpoints: 50, calls: null, isCalled: true })), 'both ends are compared');
  t.end();
});
