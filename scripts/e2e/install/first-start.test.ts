/** A first or second start that is interrupted at any phase: started work is ended with the right exit code, and the next start succeeds. */

import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { NODE_FLAGS } from '../../../control-plane/heap.ts';
import { mainOf } from '../../peers/lab/programs.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { seeded } from '../../peers/seeded.ts';

const MAIN = mainOf('control-plane');
const SEED = Number(process.env['CARILLON_SEED'] ?? 20);
const random = seeded(SEED);
t.comment(`CARILLON_SEED=${SEED}`);

const UP = 'control plane is up';
/** Log lines of a first start, in order; each is a place where one is interrupted, immediately or a moment later. */
const PHASES = [
  'creating the database cluster',
  'creating the database cluster',
  'created the database cluster',
  'PostgreSQL is up',
  'bringing the schema up to date',
  UP,
];
/** The same of a later start. */
const SECOND_PHASES = ['PostgreSQL is up', 'bringing the schema up to date', UP];
const MAX_MOMENTS_MS = 1500;

async function folder(t: Test): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-first-'));
  await chmod(dir, 0o711);
  t.teardown(async () => {
    await killAll(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 20 });
  });
  return dir;
}

const start = (dir: string): Peer =>
  startPeer(process.execPath, [...NODE_FLAGS, MAIN], {
    tied: true,
    env: { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: '', CARILLON_PROVISION: '', CARILLON_DATA_DIR: dir },
  });

/** Processes whose command names the folder: postmaster, initdb and its children. */
async function processesOf(dir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, i) => commands[i]?.includes(dir));
}

async function killAll(dir: string): Promise<void> {
  for (const pid of await processesOf(dir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function cut(peer: Peer, phase: string, how: () => Promise<unknown>): Promise<number | string> {
  const at = Math.floor(random() * MAX_MOMENTS_MS) * (random() < 0.5 ? 0 : 1);
  // Phases that an earlier start has completed are not logged again.
  const said = () => [phase, UP].some((line) => peer.output().includes(`"${line}"`)) || peer.child.exitCode !== null;
  await until(`it says "${phase}"`, said, { everyMs: 5, idleMs: 300_000 });
  // The moment of the fault, drawn from the seed.
  await sleep(at);
  await how();
  const { child } = peer;
  await until('it is gone', () => child.exitCode !== null || child.signalCode !== null, { idleMs: 300_000 });
  return child.exitCode ?? child.signalCode ?? '';
}

/** Starts, ends in order, and leaves nothing. */
async function startsAndEnds(t: Test, dir: string): Promise<void> {
  const peer = start(dir);
  await until(
    'it comes up',
    () => {
      if (peer.child.exitCode !== null) throw new Error(peer.output());
      return peer.output().includes(UP);
    },
    { idleMs: 300_000 },
  );
  t.equal(await peer.stop('SIGTERM', 120_000), 0, 'it served, and ended in order');
  t.same(await processesOf(dir), [], 'nothing of it is left');
  t.same(
    (await readdir(path.join(dir, 'postgres'))).filter((name) => /new-/.test(name)),
    [],
    'nor is anything unfinished',
  );
}

t.test('kill -9 of it, and of all that it started', async (t) => {
  const dir = await folder(t);
  for (const phase of PHASES) {
    const peer = start(dir);
    // A failing host kills all processes; the out-of-memory killer kills one.
    const all = random() < 0.5;
    await cut(peer, phase, async () => {
      peer.child.kill('SIGKILL');
      if (all) await killAll(dir);
    });
    t.comment(`${phase}: killed, ${all ? 'with all that it started' : 'by itself'}`);
  }
  await startsAndEnds(t, dir);
});

async function signalled(t: Test, dir: string, phases: readonly string[], signals: readonly NodeJS.Signals[]) {
  for (const phase of phases) {
    const peer = start(dir);
    const code = await cut(peer, phase, async () => {
      for (const signal of signals) peer.child.kill(signal);
    });
    // What it wrote last is read after it is gone.
    await peer.exited;
    const served = peer.output().includes(UP);
    const expected = signals.length > 1 ? [130, 143] : [served ? 0 : 143];
    t.ok(expected.includes(code as number), `${phase}: ${served ? 'it had come up' : 'it had not'}: ${code}`);
    // A second signal does not wait for the database: it ends a moment later.
    await until('nothing that it started is left', async () => (await processesOf(dir)).length === 0);
  }
}

t.test('SIGTERM', async (t) => {
  const dir = await folder(t);
  await signalled(t, dir, PHASES, ['SIGTERM']);
  await startsAndEnds(t, dir);
});

t.test('SIGTERM to a second start', async (t) => {
  const dir = await folder(t);
  await startsAndEnds(t, dir);
  await signalled(t, dir, [...SECOND_PHASES, ...SECOND_PHASES], ['SIGTERM']);
  await startsAndEnds(t, dir);
});

t.test('two signals at once, to a first and to a second start', async (t) => {
  const dir = await folder(t);
  await signalled(t, dir, ['creating the database cluster', 'PostgreSQL is up'], ['SIGTERM', 'SIGINT']);
  await startsAndEnds(t, dir);
  await signalled(t, dir, SECOND_PHASES, ['SIGTERM', 'SIGINT']);
  await startsAndEnds(t, dir);
});
