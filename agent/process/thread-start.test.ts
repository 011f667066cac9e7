/** The start of a thread: its first message, its end, and its silence. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { threadReady } from './thread-start.ts';

function started(code: string): { worker: Worker; ended: Promise<Error | null> } {
  const worker = new Worker(code, { eval: true });
  let failure: Error | null = null;
  worker.on('error', (error) => {
    failure = error as Error;
  });
  return { worker, ended: once(worker, 'exit').then(() => failure) };
}

t.test('the first message of a thread is returned', async (t) => {
  const { worker, ended } = started("require('node:worker_threads').parentPort.postMessage('ready')");
  t.equal(await threadReady(worker, { what: 'the thread', ended }), 'ready');
});

t.test('the error of a thread that ends is thrown', async (t) => {
  const failing = started("throw new Error('no port')");
  await t.rejects(threadReady(failing.worker, { what: 'the thread', ended: failing.ended }), { message: 'no port' });
  const silent = started('');
  await t.rejects(threadReady(silent.worker, { what: 'the thread', ended: silent.ended }), {
    message: 'the thread ended at once',
  });
});

t.test('a thread that says nothing is ended after the limit, with what to do', async (t) => {
  const { worker, ended } = started('setInterval(() => {}, 1000)');
  await t.rejects(threadReady(worker, { what: 'the thread', ended, limitMs: 1 }), {
    message: /did not start within 0.001 s: .* start the agent again/,
  });
  t.equal(await ended, null, 'it has ended');
});
