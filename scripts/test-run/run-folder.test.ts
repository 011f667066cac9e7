/** What belongs to a run is found and ended, whatever it did to hide: it left its group, its parent is gone, its environment is empty. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { until } from '../peers/process.ts';
import { endPrograms, makeFolder, openRunFolder, programsOf } from './run-folder.ts';

const WAITS = 'exec sleep 1000';
const dir = t.testdir();
const folder = makeFolder(path.join(dir, '7'));
const start = (script: string, options: object): ChildProcess => {
  const child = spawn('sh', ['-c', script], { stdio: 'ignore', detached: true, ...options });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
};

const WAYS: Readonly<Record<string, () => ChildProcess>> = {
  'its environment': () => start(WAITS, { env: { ...process.env, TMPDIR: folder } }),
  'its command line': () => start(`exec tail -f /dev/null ${folder}/data`, { env: {} }),
  'its working directory': () => start(WAITS, { env: {}, cwd: folder }),
};

for (const [what, begin] of Object.entries(WAYS))
  t.test(`a program is found by ${what}, and ended`, async (t) => {
    const child = begin();
    await once(child, 'spawn');
    const exited = once(child, 'exit');
    // The shell becomes it a moment later.
    const isIt = ({ pid, command }: { pid: number; command: string }) =>
      pid === child.pid && /^(sleep|tail) /.test(command);
    t.ok(await until('it is found', () => programsOf(folder).some(isIt)));
    t.same(programsOf(path.join(dir, '70')), [], 'not by a longer name');
    t.ok((await endPrograms(folder, 0)).some(isIt));
    await exited;
    t.same(programsOf(folder), []);
    t.same(await endPrograms(folder), [], 'nothing is left to end');
  });

t.test('a program whose parent is gone', async () => {
  const parent = start('sleep 1000 & exit 0', { env: { ...process.env, TMPDIR: folder } });
  await once(parent, 'exit');
  // While it becomes another program, it has neither an environment nor a command line.
  await until('it is there', () => programsOf(folder).length > 0);
  t.equal((await endPrograms(folder, 0)).length > 0, true);
  t.same(programsOf(folder), []);
});

t.test('a killed run is cleaned up by the next', async (t) => {
  const killed = start(WAITS, {});
  await once(killed, 'spawn');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = dir;
  t.teardown(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  const old = path.join(dir, `carillon-test-${killed.pid}-12345`);
  mkdirSync(path.join(old, '4/full disk'), { recursive: true });
  // Only root may; where it is left, the folder could not be removed.
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', path.join(old, '4/full disk')]);
  const orphan = start(WAITS, { env: { ...process.env, TMPDIR: path.join(old, '3') } });
  await once(orphan, 'spawn');
  const ended = once(orphan, 'exit');
  const own = await openRunFolder();
  t.notOk(existsSync(old));
  await ended;
  t.equal(await openRunFolder(), own, 'a run that goes on keeps its folder');
  t.ok(existsSync(own));
});
