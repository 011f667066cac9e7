/** Waits between attempts, and the offset of the control plane's clock. */
import t from 'tap';
import fc from '../../scripts/test-run/properties.ts';
import { backOffMs } from './back-off.ts';
import { ClockOffset } from './clock-offset.ts';

t.test('clock: the shortest exchange is believed, and wrong by at most half of it', async () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.array(fc.tuple(fc.double({ min: 0, max: 500, noNaN: true }), fc.double({ min: 0, max: 500, noNaN: true })), {
        minLength: 1,
        maxLength: 16,
      }),
      (offset, delays) => {
        const clock = new ClockOffset();
        let at = 1000;
        for (const [there, back] of delays) {
          clock.observe(at, at + there + offset, at + there + back);
          at += 5000;
        }
        const best = Math.min(...delays.map(([there, back]) => there + back));
        return Math.abs(clock.offsetMs - offset) <= best / 2 + 1e-6 && Math.abs(clock.errorMs - best / 2) <= 1e-6;
      },
    ),
  );
});

t.test('back-off: it doubles to 5 s, and half of it is chance', async (t) => {
  fc.assert(
    fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, random) => {
      const [least, wait, most] = [0, random, 1].map((r) => backOffMs(attempt, r)) as [number, number, number];
      const bounded = least >= 100 && most <= 5000 && least * 2 === most && wait >= least && wait <= most;
      return bounded && backOffMs(attempt + 1, random) >= wait;
    }),
  );
  t.same(
    [0, 1, 2, 3, 4, 5, 100].map((n) => backOffMs(n, 1)),
    [200, 400, 800, 1600, 3200, 5000, 5000],
  );
  // A thousand agents that lost one control plane at the same instant: no more than a few percent of them return within any 50 ms of their longest wait.
  const waits = Array.from({ length: 1000 }, (_, i) => backOffMs(9, ((i * 7919) % 1000) / 1000));
  const slots = Map.groupBy(waits, (ms) => Math.floor(ms / 50));
  t.ok([...slots.values()].every((slot) => slot.length <= 30));
});
