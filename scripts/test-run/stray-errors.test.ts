/** An error that no test has caught fails the file, and a test reports it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import t from 'tap';
import { Domain } from './stray-errors.ts';

const PRELOAD = path.join(import.meta.dirname, 'stray-errors.ts');

async function run(tests: string): Promise<{ code: number; tap: string }> {
  const text = `import t from 'tap'; const later = (work, ms) => new Promise((done) => setTimeout(() => done(work()), ms)); ${tests}`;
  const child = spawn(process.execPath, ['--import', PRELOAD, '--input-type=module', '-e', text], {
    cwd: path.resolve(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let tap = '';
  child.stdout.on('data', (data) => (tap += data));
  const [code] = (await once(child, 'close')) as [number];
  return { code, tap };
}

const CASES = {
  'thrown in a callback': `t.test('runs', async () => {
      setTimeout(() => { throw new Error('stray'); });
      await later(() => undefined, 50);
    });
    t.test('waits', async (t) => t.pass());`,
  'rejected, and nothing handles it': `t.test('runs', async () => {
      Promise.reject(new Error('stray'));
      await later(() => undefined, 50);
    });
    t.test('waits', async (t) => t.pass());`,
};

for (const [what, tests] of Object.entries(CASES))
  t.test(what, async (t) => {
    const { code, tap } = await run(tests);
    t.equal(code, 1);
    t.match(tap, /^ {4}not ok 1 - stray$/m);
    t.match(tap, /^not ok 1 - runs /m, 'the test that ran reports it');
    t.match(tap, /^ok 2 - waits /m, 'and the next one runs');
  });

t.test('thrown after the last test', async (t) => {
  const { code, tap } = await run(
    `t.test('ended', async (t) => t.pass()).then(() => later(() => { throw new Error('stray'); }, 200));`,
  );
  t.equal(code, 1);
  t.match(tap, /^not ok 2 - stray$/m);
});

t.test('a domain leaves no listener', async (t) => {
  const listeners = () => ['uncaughtException', 'unhandledRejection'].map((name) => process.listenerCount(name));
  const before = listeners();
  new Domain(() => undefined).destroy();
  t.same(listeners(), before);
});
