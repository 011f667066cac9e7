/** Rehearsed calls: the requested number, all answered and ended; none of them is kept or reported. */
import t from 'tap';
import { readPolicy } from '../../policy/policy.ts';
import { takeRefused } from '../../steps.ts';
import type { ShareFacts } from '../report/facts.ts';
import { warmUp } from './warm-up.ts';

const policy = await readPolicy(null);

t.test('within its limits', async (t) => {
  t.same(await warmUp({ calls: 100, cpuMs: 60_000, ms: 60_000 }, policy), { placed: 100, failed: 0 });
  t.same(takeRefused(), {}, 'steps of a rehearsal are no word on the network');
  const { placed, failed } = await warmUp({ calls: 1_000_000, cpuMs: 200, ms: 60_000 }, policy);
  t.ok(placed > 0 && placed < 100_000, 'the time was over first');
  t.equal(failed, 0);
  const hurried = await warmUp({ calls: 1_000_000, cpuMs: 60_000, ms: 20 }, policy);
  t.ok(hurried.placed < 100_000, 'however little CPU time that was');
});

t.test('its facts are those of calls', async (t) => {
  const facts: ShareFacts[] = [];
  await warmUp(
    { calls: 100, cpuMs: 60_000, ms: 60_000 },
    policy,
    () => false,
    (one) => facts.push(one),
  );
  t.equal(facts.flatMap(({ outcomes }) => outcomes).length, 100);
  t.equal(facts.at(-1)?.state, 'DONE');
  const blocks = facts.flatMap(({ messages, withheldMessages }) => [...messages, ...withheldMessages]);
  t.equal(
    blocks.reduce((n, { atMs }) => n + atMs.length, 0),
    100 * 6,
    'every message of them',
  );
});

t.test('an order is better than a rehearsal', async (t) => {
  let asked = 0;
  const { placed } = await warmUp({ calls: 1_000_000, cpuMs: 60_000, ms: 60_000 }, policy, () => ++asked > 2);
  t.ok(placed > 0 && placed < 200, `${placed} calls`);
});
