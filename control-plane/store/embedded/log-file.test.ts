/** A growing log: its current part and the previous one are kept, and processes that have it open continue to write. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { keepLogShort } from './log-file.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'carillon-log-file-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const file = path.join(folder, 'postgres.log');
const held = (name: string) => readFile(path.join(folder, name), 'utf8');

t.test('a log that is not there, or short, stays as it is', async (t) => {
  await keepLogShort(file, t.fail, 10);
  t.same(await readdir(folder), []);
  const handle = await open(file, 'a', 0o600);
  await handle.write('0123456789');
  await handle.close();
  await keepLogShort(file, t.fail, 10);
  t.same(await readdir(folder), ['postgres.log']);
});

t.test('a longer one moves aside, and its writer writes on', async (t) => {
  const handle = await open(file, 'a');
  await handle.write('a');
  await keepLogShort(file, t.fail, 10);
  t.equal(await held('postgres.log.1'), '0123456789a');
  t.equal(await held('postgres.log'), '');
  await handle.write('the second part');
  t.equal(await held('postgres.log'), 'the second part', 'from its beginning, without a hole');
  await keepLogShort(file, t.fail, 10);
  t.equal(await held('postgres.log.1'), 'the second part');
  t.same((await readdir(folder)).sort(), ['postgres.log', 'postgres.log.1'], 'two files at most');
  await handle.close();
});

t.test('whatever is in the place of the copy is removed', async (t) => {
  const copy = `${file}.1.new`;
  for (const make of [() => execFileSync('mkfifo', [copy]), () => mkdir(copy), () => writeFile(copy, 'left')]) {
    await writeFile(file, 'longer than ten');
    await make();
    await keepLogShort(file, t.fail, 10);
    t.equal(await held('postgres.log.1'), 'longer than ten');
    t.equal(await held('postgres.log'), '');
    t.same((await readdir(folder)).sort(), ['postgres.log', 'postgres.log.1']);
  }
});
