import { Closers } from '@carillon/proto/closers.ts';
import t from 'tap';
import { exitCode } from './exit-code.ts';

t.test('what would not close is told, and the process says so', async (t) => {
  const told: string[] = [];
  const tell = (message: string) => void told.push(message);
  t.equal(await exitCode(undefined, tell), 0, 'nothing was open');
  const closers = new Closers();
  closers.push(() => undefined);
  t.equal(await exitCode(closers.close(), tell), 0);
  t.same(told, []);
  closers.push(() => Promise.reject(new Error('the database does not end')));
  closers.push(() => Promise.reject(new Error('the queue is stuck')));
  t.equal(await exitCode(closers.close(), tell), 1);
  t.same(told, ['the queue is stuck; the database does not end']);
});
