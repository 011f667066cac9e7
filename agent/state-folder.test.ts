/** One process per folder, whichever was killed before, and however many start at the same time. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { startPeer, until } from '../scripts/peers/process.ts';
import { lockFolder, readEnrolment, readRunning, writeEnrolment } from './state-folder.ts';

const CROWD = 6;
const ROOM = path.resolve(import.meta.dirname, 'state-folder.ts');
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-state-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));

/** A process that takes the folder and holds it until it is ended. */
const holder = (folder: string) =>
  startPeer(process.execPath, [
    '--input-type=module',
    '-e',
    `import { lockFolder } from ${JSON.stringify(ROOM)};
     lockFolder(${JSON.stringify(folder)}, 0).then(() => { console.log('HAS IT'); setInterval(() => 0, 1000); }, (e) => console.log(e.message));`,
  ]);

t.test('a state folder belongs to one process until it is released', async (t) => {
  const folder = path.join(dir, 'one');
  t.equal(await readRunning(folder), null);
  const lock = await lockFolder(folder);
  await lock.tell('http://127.0.0.1:1');
  t.match(await readRunning(folder), { pid: process.pid, healthUrl: 'http://127.0.0.1:1' });
  await lock.release();
  t.equal(await readRunning(folder), null);
  t.same(await readdir(folder), [], 'nothing is left');
});

t.test('of many that start at once after one was killed, one has it', async (t) => {
  const folder = path.join(dir, 'crowd');
  const first = holder(folder);
  await until('the first has it', () => first.output().includes('HAS IT'));
  await first.stop('SIGKILL');
  t.equal(await readRunning(folder), null, 'killed is not running');
  const crowd = Array.from({ length: CROWD }, () => holder(folder));
  await until('all have spoken', () => crowd.every((one) => one.output() !== ''));
  const having = crowd.filter((one) => one.output().includes('HAS IT'));
  t.equal(having.length, 1, crowd.map((one) => one.output()).join(''));
  t.match(await readRunning(folder), { pid: having[0]?.pid });
  for (const one of crowd) if (one !== having[0]) t.match(one.output(), `process ${having[0]?.pid}`);
  for (const one of crowd) await one.stop('SIGKILL');
});

t.test('the enrolment is read back; a damaged file is refused', async (t) => {
  const folder = path.join(dir, 'enrolled');
  t.equal(await readEnrolment(folder), null);
  const enrolment = { url: 'wss://carillon.example/agent/v1', ca: null };
  await writeEnrolment(folder, enrolment);
  t.same(await readEnrolment(folder), enrolment);
  await writeFile(path.join(folder, 'enrolment.json'), '{');
  await t.rejects(readEnrolment(folder), /is damaged/);
});
