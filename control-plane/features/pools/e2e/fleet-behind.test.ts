/** A proof whose host does not bear its rate says who fell behind, and by how much; and no wait is without an end. */

import t from 'tap';
import fc from '../../../../scripts/test-run/properties.ts';
import { inTime, shortfallOf } from './fleet-behind.ts';

const RATE = 1000;
const SECONDS = 60;
const DUE = RATE * SECONDS;

for (const [what, placed, waiting, wanted] of [
  ['all of it', DUE, 0, null],
  ['a twentieth less', 0.95 * DUE, 0, null],
  ['and 10 s on their way', 0.95 * DUE, 10 * RATE, null],
  ['agents are behind', 30_000, 0, /agents.* 30,000 of 60,000 calls .*60 s: 50 %/],
  ['the control plane is behind', DUE, 15_000, /control plane.* 15,000 .*15 s/],
  ['agents first, since they wait for nobody', 30_000, 15_000, /agents/],
] as const)
  t.test(what, async (t) => {
    const sentence = shortfallOf({ rate: RATE, seconds: SECONDS, placed, waiting });
    if (wanted === null) t.equal(sentence, null);
    else t.match(sentence, wanted);
  });

t.test('less placed or more waiting is never better', async () => {
  const size = fc.nat({ max: 2 * DUE });
  fc.assert(
    fc.property(size, size, size, size, (placed, waiting, less, more) => {
      const of = (placedNow: number, waitingNow: number) =>
        shortfallOf({ rate: RATE, seconds: SECONDS, placed: placedNow, waiting: waitingNow });
      return of(placed, waiting) === null || of(placed - less, waiting + more) !== null;
    }),
  );
});

t.test('a condition that does not come ends its wait with what is missing', async (t) => {
  let nowMs = 0;
  const holds = inTime(
    10,
    (n: number) => n === 0,
    (n) => `${n} are missing`,
    () => nowMs,
  );
  t.equal(holds(3), false);
  nowMs = 10_000;
  t.equal(holds(2), false);
  nowMs = 10_001;
  t.equal(holds(0), true, 'what has come has come');
  t.throws(() => holds(2), /2 are missing after 10 s/);
});
