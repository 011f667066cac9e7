/** Which connections may wait to greet: no network and no site uses up the space of others. */
import t from 'tap';
import { GreetingRoom, type Stranger } from './greeting-room.ts';

const crowd = (n: number, addressOf: (i: number) => string, more: Partial<Stranger> = {}): Stranger[] =>
  Array.from({ length: n }, (_, i) => ({ address: addressOf(i), sinceMs: 0, mayGo: true, ...more }));

t.test('a flood of one network leaves room for the others, and for a late one of its own', async (t) => {
  const room = new GreetingRoom();
  const flood = crowd(100, () => '192.0.2.7');
  t.equal(room.admit('192.0.2.7', flood, 500), false, 'none has been silent for long');
  t.equal(room.admit('192.0.2.8', flood, 500), true, 'its neighbour');
  t.equal(room.admit('192.0.2.7', flood, 5000), flood[0], 'the one that waits longest makes room');
  const greeting = crowd(100, () => '192.0.2.7', { mayGo: false });
  t.equal(room.admit('192.0.2.7', greeting, 5000), false, 'a connection that has greeted is not evicted');
});

t.test('a flood of one site, and of many', async (t) => {
  const room = new GreetingRoom();
  const site = crowd(200, (i) => `2001:db8:1:${(i % 100).toString(16)}::1`);
  t.equal(room.admit('2001:db8:1:ffff::1', site, 500), false);
  t.equal(room.admit('2001:db8:2::1', site, 500), true);
  const all = [...crowd(120, (i) => `198.51.100.${i}`), ...crowd(180, (i) => `203.0.113.${i}`)];
  t.equal(room.admit('192.0.2.1', all, 500), false);
  t.equal(room.admit('192.0.2.1', all, 5000), all[120], 'of the site that has the most');
});

t.test('a network whose greetings are refused gets little room, for a minute', async (t) => {
  const room = new GreetingRoom();
  const few = crowd(4, () => '192.0.2.7', { mayGo: false });
  for (let n = 0; n < 30; n++) {
    t.equal(room.waitMs('192.0.2.7', 1000), 0);
    room.refused('192.0.2.7', 1000);
  }
  t.same([room.waitMs('192.0.2.7', 1000), room.waitMs('192.0.2.9', 1000)], [250, 0]);
  t.equal(room.admit('192.0.2.7', few, 1000), false);
  t.equal(room.admit('192.0.2.7', few.slice(1), 1000), true, 'an honest agent of it comes in all the same');
  t.equal(room.admit('192.0.2.9', few, 1000), true);
  t.equal(room.admit('192.0.2.7', few, 70_000), true);
  t.equal(room.waitMs('192.0.2.7', 70_000), 0);
});

t.test('a fleet that has its address in common with strangers is not taken for them', async (t) => {
  const room = new GreetingRoom();
  const some = crowd(50, () => '192.0.2.7', { mayGo: false });
  for (let n = 0; n < 200; n++) {
    room.refused('192.0.2.7', 1000);
    if (n % 10 !== 0) room.welcomed('192.0.2.7', 1000);
  }
  t.equal(room.admit('192.0.2.7', some, 1000), true, 'ten refused for ninety that were taken');
  for (let n = 0; n < 10; n++) room.refused('192.0.2.7', 1000);
  t.equal(room.admit('192.0.2.7', some, 1000), false, 'many more refused than taken');
  t.equal(room.admit('192.0.2.7', some.slice(47), 1000), true, 'and even then some come in');
});
