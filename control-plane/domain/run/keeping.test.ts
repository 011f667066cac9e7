/** Of which runs not every call is kept, and of how many calls about a thousand are. */
import { randomUUID } from 'node:crypto';
import { isInSample } from '@carillon/proto/call-sample.ts';
import t from 'tap';
import type { TestConfig } from '../../contract/test/test.ts';
import { keepingOf } from './keeping.ts';

type Load = TestConfig['load'];
const BUILDUP: Load = { shape: 'BUILDUP' };

const run = (callers: number, load: Load, calls: number | null = 1, callees = 0) => ({
  id: randomUUID(),
  endpoints: callers + callees,
  config: {
    load,
    groups: [
      {
        subPopulations: [
          ...(callers > 0 ? [{ role: 'CALLER', endpoints: callers, calls }] : []),
          ...(callees > 0 ? [{ role: 'CALLEE', endpoints: callees, calls: 1 }] : []),
        ],
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
    ['both ends of a thousand', run(1000, BUILDUP, 1, 1000), null],
    ['one more', run(1001, BUILDUP), 2],
    ['few callers, many calls', run(10, BUILDUP, 5000), null],
    ['an hour', run(50, hour, null), 72],
    ['as many as fit an hour', run(50, held, null), 72],
    ['callees of strangers', run(0, BUILDUP, 1, 2500), 3],
  ];
  for (const [what, one, oneIn] of cases) t.equal(keepingOf(one)?.oneIn ?? null, oneIn, what);
  const keeping = keepingOf(run(50, hour, null));
  let sample = 0;
  for (let n = 0; keeping !== null && n < 72_000; n++) if (isInSample(keeping, n)) sample++;
  t.ok(sample > 800 && sample < 1200, `${sample} of 72,000 calls`);
  t.notSame(keepingOf(run(5000, BUILDUP))?.seed, keepingOf(run(5000, BUILDUP))?.seed, 'each run has its own');
});
