/** One process per folder, whichever was killed before, and however many start at the same time. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { startPeer, until } from '../scripts/peers/process.ts';
import { lockFolder, readEnrollment, readRunning, writeEnrollment } from './state-folder.ts';

const CROWD = 6;
/** A lock that two can have is found in one of five. */
const ROUNDS = 50;
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

/** A process that takes the place of a killed one is killed before it has removed the lock, as often as is said here. */
async function killedHolders(folder: string, successions: number): Promise<void> {
  const lock = path.join(folder, 'agent.lock');
  const first = holder(folder);
  await until('the first has it', () => first.output().includes('HAS IT'));
  await first.stop('SIGKILL');
  for (let text = await readFile(lock, 'utf8'), i = 0; i < successions; i++) {
    const next = `{"pid":${first.pid},"startedAt":"${i}","healthUrl":""}`;
    await writeFile(`${lock}.after-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, next);
    text = next;
  }
  t.equal(await readRunning(folder), null, 'killed is not running');
}

for (const [title, successions] of [
  ['of many that start at once after one was killed, one has it', 0],
  ['also after its successors were killed at once', 2],
] as const)
  t.test(title, async (t) => {
    const folder = path.join(dir, `crowd-${successions}`);
    await killedHolders(folder, successions);
    const crowd = Array.from({ length: CROWD }, () => holder(folder));
    await until('all have spoken', () => crowd.every((one) => one.output() !== ''));
    const having = crowd.filter((one) => one.output().includes('HAS IT'));
    t.equal(having.length, 1, crowd.map((one) => one.output()).join(''));
    t.match(await readRunning(folder), { pid: having[0]?.pid });
    for (const one of crowd) if (one !== having[0]) t.match(one.output(), `process ${having[0]?.pid}`);
    t.same(await readdir(folder), ['agent.lock'], 'nothing is left of those before');
    for (const one of crowd) await one.stop('SIGKILL');
  });

t.test('no two of those that start at the same instant have it, however their steps interleave', async (t) => {
  const contenders = Array.from({ length: CROWD }, () =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { lockFolder } from ${JSON.stringify(ROOM)};
         process.stdin.on('data', (folder) => lockFolder(String(folder), 0).then(() => console.log('HAS IT'), (e) => console.log(e.message)));`,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    ),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const folder = path.join(dir, `round-${round}`);
    await mkdir(folder);
    await writeFile(path.join(folder, 'agent.lock'), `{"pid":${process.pid},"startedAt":"","healthUrl":""}`);
    const answers = contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]));
    for (const { stdin } of contenders) stdin.write(folder);
    const said = await Promise.all(answers);
    t.equal(said.filter((text) => text === 'HAS IT\n').length, 1, said.join(''));
  }
  for (const contender of contenders) contender.kill();
});

t.test('a damaged lock is of nobody', async (t) => {
  const folder = path.join(dir, 'damaged');
  await mkdir(folder);
  await writeFile(path.join(folder, 'agent.lock'), '');
  const lock = await lockFolder(folder, 0);
  t.match(await readRunning(folder), { pid: process.pid });
  await lock.release();
  t.same(await readdir(folder), []);
});

t.test('the enrollment is read back; a damaged file is refused', async (t) => {
  const folder = path.join(dir, 'enrolled');
  t.equal(await readEnrollment(folder), null);
  const enrollment = { url: 'wss://carillon.example/agent/v1', ca: null };
  await writeEnrollment(folder, enrollment);
  t.same(await readEnrollment(folder), enrollment);
  await writeFile(path.join(folder, 'enrolment.json'), '{');
  await t.rejects(readEnrollment(folder), /is damaged/);
});
