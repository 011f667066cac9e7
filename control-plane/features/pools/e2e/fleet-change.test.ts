/** When agents have applied a change: of calls whose instants are made up. */
import t from 'tap';
import { appliedBy } from './fleet-change.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const call = (id: string, plannedMs: number, inviteMs: number | null) => ({
  worker: { id },
  plannedAt: at(plannedMs),
  inviteAt: inviteMs === null ? null : at(inviteMs),
});
/** A change at 1 s that was answered at 0.8 s, and the next one at 5 s. */
const change = (callsPerSecond: number) => ({ callsPerSecond, fromMs: 1000, answeredMs: 800 });
const NEXT = { callsPerSecond: 9, fromMs: 5000, answeredMs: 4800 };

for (const [what, rate, calls, afterMs, agents] of [
  ['all in time', 4, [call('a', 1200, 1201), call('b', 1900, 1902)], 202, 2],
  ['one has it late, and catches up', 4, [call('a', 1200, 1200), call('b', 1100, 1700), call('b', 1600, 1700)], 800, 2],
  ['calls before the change are of the old rate', 4, [call('a', 900, 2500), call('a', 1000, 1000)], 200, 1],
  ['calls after the next are of that', 4, [call('a', 1000, 1000), call('b', 5000, 7000)], 200, 1],
  ['a later call says nothing of when it began', 4, [call('a', 1000, 1000), call('a', 3000, 4000)], 200, 1],
  ['calls come in no order', 4, [call('a', 3000, 3000), call('a', 1100, 1400)], 500, 1],
  ['a call without an INVITE says nothing', 4, [call('a', 1000, null)], 200, 0],
  ['a pause holds from its instant', 0, [call('a', 900, 901)], 200, null],
  ['a pause until the last INVITE', 0, [call('a', 900, 901), call('b', 1300, 1302)], 502, null],
  ['and not the calls after it', 0, [call('a', 900, 901), call('b', 5000, 5000)], 200, null],
] as const)
  t.test(what, async (t) => {
    const [first] = appliedBy(calls, [change(rate), NEXT]);
    t.match(first, { afterMs, agents });
  });

t.test('what was applied before the answer took no time', async (t) => {
  const [first] = appliedBy([call('a', 1000, 1000)], [{ ...change(4), answeredMs: 1500 }]);
  t.equal(first?.afterMs, 0);
});
