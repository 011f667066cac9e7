/** All INVITEs of strangers are counted, however rarely they are reported. */
import t from 'tap';
import { StrangerCount } from './stranger-count.ts';

t.test('told at once at first, then ever more seldom; the counts add up', (t) => {
  const strangers = new StrangerCount();
  const told: { readonly atMs: number; readonly count: number }[] = [];
  const EVERY_MS = 100;
  const LONG_MS = 3_600_000;
  let sent = 0;
  for (let nowMs = 0; nowMs <= LONG_MS; nowMs += EVERY_MS, sent++) {
    strangers.add(`call ${sent}`, nowMs);
    const now = strangers.take(nowMs, nowMs === LONG_MS);
    if (now !== null) told.push(now);
  }
  t.match(told[0], { atMs: 0, count: 1, detail: 'call 0' });
  t.match(told.at(-1), { atMs: LONG_MS, detail: `call ${sent - 1}` });
  t.equal(
    told.reduce((sum, { count }) => sum + count, 0),
    sent,
  );
  t.ok(told.length < 70, `${told.length} times in an hour`);
  t.equal(strangers.take(2 * LONG_MS, true), null, 'none came');
  t.end();
});
