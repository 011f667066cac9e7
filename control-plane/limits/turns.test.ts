/** Turns: limited concurrency, in order, fair by group, limited queue. */
import t from 'tap';
import { LIMITS } from './limits.ts';
import { inTurn, Turns, TurnsClosed } from './turns.ts';

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
  const more = async () => 'more';
  await t.rejects(turns.take('a', more), { code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  t.equal(await turns.take('a', more, () => 'full'), 'full');
  const other = turns.take('b', async () => 'other');
  release();
  await held;
  await t.rejects(failing, /no/);
  t.same(await Promise.all([waiting, other]), ['done', 'other']);
  t.equal(await turns.take('a', async () => 'again'), 'again');
});

t.test('few at once, in the order of arrival; a failing one passes its turn on', async (t) => {
  const turns = new Turns(2);
  const begun: number[] = [];
  let busy = 0;
  let most = 0;
  const all = await Promise.allSettled(
    Array.from({ length: 9 }, (_, n) =>
      turns.take('', async () => {
        begun.push(n);
        most = Math.max(most, ++busy);
        await new Promise((resolve) => setImmediate(resolve));
        busy--;
        if (n % 3 === 0) throw new Error(`${n}`);
        return n;
      }),
    ),
  );
  t.same([most, begun], [2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
  t.same(
    all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
    ['0', 1, 2, '3', 4, 5, '6', 7, 8],
  );
  t.equal(await turns.take('', async () => 'free again'), 'free again');
});

t.test('when the turns are closed, work that waits fails, as does later work; what has begun ends', async (t) => {
  const turns = new Turns(1);
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const begun = turns.take('a', async () => {
    await promise;
    return 'done';
  });
  const never = async () => t.fail('work without a turn');
  const waiting = ['a', 'a', 'b'].map((group) => t.rejects(turns.take(group, never), new TurnsClosed(), group));
  turns.close();
  await Promise.all(waiting);
  await t.rejects(turns.take('c', never), new TurnsClosed());
  release();
  t.equal(await begun, 'done');
  await t.rejects(turns.take('c', never), new TurnsClosed(), 'although none is busy');
});

t.test('a network that hashes too many passwords at once comes again in a second', async (t) => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const hash = () => inTurn('192.0.2.7', () => promise);
  const hashes = Array.from({ length: LIMITS.passwordsAtOnce.max + LIMITS.passwordsWaiting.max }, hash);
  await t.rejects(hash(), { code: 'RATE_LIMITED', retryAfterSeconds: 1 });
  const other = inTurn('192.0.2.8', () => promise);
  release();
  await Promise.all([...hashes, other]);
});
