import t from 'tap';
import { Closers } from './closers.ts';

const fails = (what: string) => () => Promise.reject(new Error(what));

t.test('what was opened last is closed first, and once', async (t) => {
  const closed: number[] = [];
  const closers = new Closers();
  for (const n of [1, 2, 3]) closers.push(() => closed.push(n));
  await closers.close();
  await closers.close();
  t.same(closed, [3, 2, 1]);
});

t.test('one that throws, or rejects, keeps no other from being closed', async (t) => {
  const closed: number[] = [];
  const closers = new Closers();
  closers.push(() => closed.push(1));
  closers.push(() => {
    throw new Error('the disk is full');
  });
  closers.push(() => closed.push(3));
  closers.push(fails('the port is stuck'));
  closers.push(() => closed.push(5));
  const error = await closers.close().catch((e: unknown) => e);
  t.same(closed, [5, 3, 1]);
  t.ok(error instanceof AggregateError);
  t.match(error, {
    message: 'the port is stuck; the disk is full',
    errors: [{ message: 'the port is stuck' }, { message: 'the disk is full' }],
  });
  await closers.close();
});

t.test('a start that fails gives back what it had; the error tells why it failed', async (t) => {
  const closed: number[] = [];
  const start = async (closers: Closers): Promise<void> => {
    closers.push(() => closed.push(1));
    closers.push(fails('late'));
    throw new Error('the port is taken');
  };
  await t.rejects(Closers.around(start), {
    message: 'the port is taken; late',
    errors: [{ message: 'the port is taken' }, { message: 'late' }],
  });
  t.same(closed, [1]);
  const alone = new Error('nothing was open');
  await t.rejects(
    Closers.around(() => Promise.reject(alone)),
    alone,
  );
  const closers = await Closers.around(async (open) => {
    open.push(() => closed.push(2));
    return open;
  });
  t.same(closed, [1], 'a start that succeeds leaves all of it open');
  await closers.close();
  t.same(closed, [1, 2]);
});
