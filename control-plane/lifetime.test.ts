/** A separate process for each case: its exit code. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Closers } from '@carillon/proto/base/closers.ts';
import t, { type Test } from 'tap';
import { exitCode } from './lifetime.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-lifetime-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

/** `body`: of the start. The process gets a signal for each `now` that it prints. */
async function exits(
  t: Test,
  body: string,
  code: number,
  said = '',
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  const script = path.join(dir, 'process.ts');
  const lifetime = new URL('./lifetime.ts', import.meta.url).href;
  await writeFile(
    script,
    `import { once } from 'node:events';
     import { live } from '${lifetime}';
     const ended = (signal: AbortSignal) => once(signal, 'abort');
     const kept = setInterval(() => undefined, 1000);
     await live(async ({ ending, end }) => { ${body} });`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.on('data', (text: Buffer) => (words += text));
  child.stdout.on('data', (text: Buffer) => {
    for (const _ of text.toString().matchAll(/now/g)) child.kill(signal);
  });
  const [exited] = await once(child, 'close');
  t.equal(exited, code, words);
  t.match(words, said);
}

t.test('what a process exits with', async (t) => {
  const served = `console.log('now'); return { close: async () => undefined };`;
  await exits(t, served, 0);
  const cut = `console.log('now'); await ended(ending); throw ending.reason;`;
  await exits(t, cut, 143);
  const stubborn = `console.log('now'); await ended(ending); return { close: async () => undefined };`;
  await exits(t, stubborn, 0);
  await exits(t, `throw new Error('no port');`, 1, 'no port');
  const stuck = `console.log('now'); return { close: () => Promise.reject(new Error('the queue is stuck')) };`;
  await exits(t, stuck, 1, 'the queue is stuck');
  const twice = `console.log('now'); return { close: () => { console.log('now'); return new Promise(() => undefined); } };`;
  await exits(t, twice, 143);
  await exits(t, `setTimeout(() => end(1)); return { close: async () => undefined };`, 1);
});

t.test('a terminal that closes ends it in order', async (t) => {
  await exits(t, `console.log('now'); return { close: async () => undefined };`, 0, '', 'SIGHUP');
  await exits(t, `console.log('now'); await ended(ending); throw ending.reason;`, 129, '', 'SIGHUP');
});

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
