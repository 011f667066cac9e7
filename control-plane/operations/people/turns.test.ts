/** Turns: limited concurrency, fair by network, limited queue. */
import t from 'tap';
import { Turns } from './turns.ts';

t.test('a network that asks for much delays the others by one piece of work', async (t) => {
  const turns = new Turns(2, 32);
  const done: string[] = [];
  let busy = 0;
  let most = 0;
  const work = (name: string) => async () => {
    most = Math.max(most, ++busy);
    await new Promise((resolve) => setImmediate(resolve));
    busy--;
    done.push(name);
  };
  const flood = Array.from({ length: 30 }, (_, n) => turns.take('flood', work(`flood ${n}`)));
  await Promise.all([...flood, turns.take('one', work('one')), turns.take('two', work('two'))]);
  t.equal(most, 2);
  t.equal(done.length, 32);
  t.ok(done.indexOf('one') <= 4 && done.indexOf('two') <= 5, done.slice(0, 8).join());
  t.same(
    done.filter((name) => name.startsWith('flood')),
    flood.map((_, n) => `flood ${n}`),
    'of one network in their order',
  );
});

t.test('what waits is bounded for each network; what fails hands its turn on', async (t) => {
  const turns = new Turns(1, 2);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const held = turns.take('a', () => promise);
  const failing = turns.take('a', () => Promise.reject(new Error('no')));
  const waiting = turns.take('a', async () => 'done');
  await t.rejects(
    turns.take('a', async () => undefined),
    { code: 'RATE_LIMITED', retryAfterSeconds: 1 },
  );
  const other = turns.take('b', async () => 'other');
  release();
  await held;
  await t.rejects(failing, /no/);
  t.same(await Promise.all([waiting, other]), ['done', 'other']);
  t.equal(await turns.take('a', async () => 'again'), 'again');
});
