/** How long an agent waits whose frames are refused. */
import t from 'tap';
import { RefusedWorkers } from './refused-workers.ts';

t.test('it doubles up to a minute, and is forgiven', async (t) => {
  const refused = new RefusedWorkers();
  const waits: number[] = [];
  let atMs = 0;
  for (let n = 0; n < 12; n++) {
    refused.note('a', atMs);
    const waitMs = refused.waitMs('a', atMs);
    waits.push(waitMs / 1000);
    atMs += waitMs;
    t.equal(refused.waitMs('a', atMs), 0, 'then it may come in');
  }
  t.same(waits, [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  t.equal(refused.waitMs('b', atMs), 0, 'nobody else waits');
  refused.note('a', atMs);
  refused.rename('a', 'c');
  t.equal(refused.waitMs('a', atMs), 0);
  t.equal(refused.waitMs('c', atMs), 60_000, 'another key does not help');
  refused.rename('c', 'a');
  refused.rename('nobody', 'b');
  refused.note('a', atMs + 600_000);
  t.equal(refused.waitMs('a', atMs + 600_000), 0, 'ten minutes without any are forgiven');
});

t.test('it is bounded: the longest ago is dropped first', async (t) => {
  const refused = new RefusedWorkers();
  for (let n = 0; n < 4; n++) refused.note('first', 0);
  for (let n = 0; n < 9_999; n++) refused.note(`worker ${n}`, 1);
  t.equal(refused.waitMs('first', 1), 999);
  refused.note('one more', 1);
  t.equal(refused.waitMs('first', 1), 0);
});
