/**
 * An agent's files on its host: identity, control plane, and lock. One process uses a folder: two with one key would
 * disconnect each other.
 */
import { createHash } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, readIfThere, writeDraft } from '@carillon/proto/base/files.ts';
import * as z from 'zod';

const Enrollment = z.object({ url: z.url({ protocol: /^wss?$/ }), ca: z.string().nullable() });
/** The address of the control plane, and the required certificates (PEM); null: any that the system trusts. */
export type Enrollment = z.infer<typeof Enrollment>;

const Running = z.object({ pid: z.int().positive(), startedAt: z.string(), healthUrl: z.string() });
export type Running = z.infer<typeof Running>;

/** Installed agents have a file of this spelling. */
const ENROLLMENT = 'enrolment.json';
const LOCK = 'agent.lock';
/** An agent that shuts down ends its calls first. */
const PREDECESSOR_MS = 10_000;

/** Creates the folder so that only its owner can read it. */
export const makeStateFolder = (stateDir: string): Promise<void> =>
  makeFolder(stateDir, 0o700, "The agent's folder (CARILLON_AGENT_DIR)");

/** Null before `enroll`. @throws Error if the file is damaged */
export async function readEnrollment(stateDir: string): Promise<Enrollment | null> {
  const file = path.join(stateDir, ENROLLMENT);
  const text = await readText(file);
  if (text === null) return null;
  const enrollment = parsed(text, Enrollment);
  if (enrollment === null) throw new Error(`${file} is damaged: move it away and enroll the agent again.`);
  return enrollment;
}

export async function writeEnrollment(stateDir: string, enrollment: Enrollment): Promise<void> {
  await makeStateFolder(stateDir);
  const file = path.join(stateDir, ENROLLMENT);
  await writeDraft(`${file}.draft`, `${JSON.stringify(enrollment, null, 2)}\n`);
  await rename(`${file}.draft`, file);
}

/** What makes an agent the one of its worker. Its minutes of the day and its calibration are those of the host, and stay. */
const OF_THE_WORKER = ['agent.key', 'agent.key.next', 'outbox.json', 'media'];

/** The next agent of this folder has another key. The folder must be locked by nobody else. */
export async function forgetWorker(stateDir: string): Promise<void> {
  for (const name of OF_THE_WORKER) await rm(path.join(stateDir, name), { recursive: true, force: true });
}

/** The running agent of this folder; null: none is running. */
export async function readRunning(stateDir: string): Promise<Running | null> {
  const text = await readText(path.join(stateDir, LOCK)).catch(() => null);
  return text === null ? null : aliveIn(text);
}

/** A damaged lock belongs to no process. */
async function aliveIn(text: string): Promise<Running | null> {
  const found = parsed(text, Running);
  return found !== null && (await startOf(found.pid)) === found.startedAt ? found : null;
}

export type Lock = { tell(healthUrl: string): Promise<void>; release(): Promise<void> };

/** Waits briefly for an agent that is ending. @throws Error if another one continues */
export async function lockFolder(stateDir: string, waitMs = PREDECESSOR_MS): Promise<Lock> {
  const file = path.join(stateDir, LOCK);
  const self = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '', healthUrl: '' };
  await makeStateFolder(stateDir);
  for (const deadline = Date.now() + waitMs; ; await sleep(100)) {
    const other = await take(stateDir, JSON.stringify(self));
    if (other === null) break;
    if (Date.now() >= deadline)
      throw new Error(
        `Another agent (process ${other.pid}) runs with the folder ${stateDir}. Stop it first, or give this one a different folder (CARILLON_AGENT_DIR).`,
      );
  }
  const isOurs = async () => {
    const running = await readRunning(stateDir);
    return running?.pid === self.pid && running.startedAt === self.startedAt;
  };
  return {
    async tell(healthUrl) {
      const draft = `${file}.${process.pid}`;
      await writeDraft(draft, JSON.stringify({ ...self, healthUrl }));
      await rename(draft, file);
    },
    async release() {
      if (await isOurs()) await rm(file, { force: true });
    },
  };
}

/** The limit of attempts: each new one means that another process took or released the folder in the meantime. */
const MAX_ATTEMPTS = 1000;

/** The process that holds the folder; null: this process holds it now. @throws Error if the folder is not writable */
async function take(stateDir: string, content: string): Promise<Running | null> {
  const draft = path.join(stateDir, `${LOCK}.${process.pid}`);
  try {
    await writeDraft(draft, content);
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      const holder = await attempt(path.join(stateDir, LOCK), draft);
      if (holder !== 'changed') return holder;
    }
    throw new Error('its lock never stays the same');
  } catch (error) {
    throw new Error(`The folder ${stateDir} cannot be locked (CARILLON_AGENT_DIR): ${(error as Error).message}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * The lock of a killed process is never removed: another process that has seen it, too, could remove its successor's.
 * It names one file, which only one process can create; this process replaces the lock. If it is killed before that,
 * its own file names the next.
 */
async function attempt(lock: string, draft: string): Promise<Running | null | 'changed'> {
  const first = await readText(lock);
  if (first === null) return (await create(lock, draft)) ? null : 'changed';
  const successions: string[] = [];
  for (let text = first; ; ) {
    const holder = await aliveIn(text);
    if (holder !== null) return text === first || (await readText(lock)) === first ? holder : 'changed';
    const succession = `${lock}.after-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    successions.push(succession);
    if (await create(succession, draft)) break;
    const next = await readText(succession);
    if (next === null) return 'changed';
    text = next;
  }
  // These files are removed only after the lock was replaced: if it is the same, all of them are.
  if ((await readText(lock)) !== first) {
    await rm(successions.at(-1) as string, { force: true });
    return 'changed';
  }
  await rename(draft, lock);
  for (const file of successions) await rm(file, { force: true });
  return null;
}

/** Creates the file completely or not at all (link(2)); false: it exists. */
async function create(file: string, draft: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * The start time of a process from the kernel (proc(5), stat, field 22): a process that reuses the number has another.
 * Null: there is no such process.
 */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    // This is not Linux: only the existence of the process can be checked.
    try {
      process.kill(pid, 0);
      return process.platform === 'linux' ? null : '';
    } catch {
      return null;
    }
  }
}

/** Null: the file does not exist. */
const readText = (file: string): Promise<string | null> => readIfThere("The agent's file", file);

/** Null: the text is not JSON of this shape. */
function parsed<T>(text: string, shape: z.ZodType<T>): T | null {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
