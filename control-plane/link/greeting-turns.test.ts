/** Limited concurrency; others wait in order. */
import t from 'tap';
import { GreetingTurns, type SentAway, type Turn } from './greeting-turns.ts';

const isTurn = (one: Turn | SentAway): one is Turn => 'end' in one;

t.test('each is served once, in the order of coming, and never more at once', async (t) => {
  const turns = new GreetingTurns(2, 100, () => 0);
  const served: number[] = [];
  let under = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const turn = await turns.take(0);
      if (!isTurn(turn)) throw new Error('sent away');
      served.push(i);
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under--;
      turn.end();
      turn.end();
    }),
  );
  t.same(
    served,
    Array.from({ length: 50 }, (_, i) => i),
  );
  t.equal(most, 2);
});

t.test('one too many is told when to come back', async (t) => {
  const turns = new GreetingTurns(1, 2, (waiting) => waiting * 100);
  const first = (await turns.take(0)) as Turn;
  const waiting = [turns.take(0), turns.take(0)];
  t.same(await turns.take(0), { retryAfterMs: 100 });
  t.same(await turns.take(0.5), { retryAfterMs: 150 });
  first.end();
  ((await waiting[0]) as Turn).end();
  ((await waiting[1]) as Turn).end();
  t.ok(isTurn(await turns.take(0)), 'all are done: free again');
});
