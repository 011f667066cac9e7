/** Rehearsed calls: as many as were asked for, all of them answered and ended, and nothing of them is left or told. */
import t from 'tap';
import { takeRefused } from '../../steps.ts';
import { warmUp } from './warm-up.ts';

t.test('within its limits', async (t) => {
  t.same(await warmUp({ calls: 100, cpuMs: 60_000 }), { placed: 100, failed: 0 });
  t.same(takeRefused(), {}, 'steps of a rehearsal are no word on the network');
  const { placed, failed } = await warmUp({ calls: 1_000_000, cpuMs: 20 });
  t.ok(placed > 0 && placed < 100_000, 'the time was over first');
  t.equal(failed, 0);
});

t.test('an order is better than a rehearsal', async (t) => {
  let asked = 0;
  const { placed } = await warmUp({ calls: 1_000_000, cpuMs: 60_000 }, () => ++asked > 2);
  t.ok(placed > 0 && placed < 200, `${placed} calls`);
});
