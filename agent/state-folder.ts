/**
 * An agent's files on its host: identity, control plane, and lock. One process per folder: two with one key would
 * disconnect each other.
 */
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

const Enrolment = z.object({ url: z.url({ protocol: /^wss?$/ }), ca: z.string().nullable() });
/** Address of the control plane, and the required certificates (PEM); null: any that the system trusts. */
export type Enrolment = z.infer<typeof Enrolment>;

const Running = z.object({ pid: z.int().positive(), startedAt: z.string(), healthUrl: z.string() });
export type Running = z.infer<typeof Running>;

const ENROLMENT = 'enrolment.json';
const LOCK = 'agent.lock';
/** An agent that shuts down ends its calls first. */
const PREDECESSOR_MS = 10_000;

/** Null before `enroll`. @throws Error if it is there and damaged */
export async function readEnrolment(stateDir: string): Promise<Enrolment | null> {
  return readJson(path.join(stateDir, ENROLMENT), Enrolment);
}

export async function writeEnrolment(stateDir: string, enrolment: Enrolment): Promise<void> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(path.join(stateDir, ENROLMENT), `${JSON.stringify(enrolment, null, 2)}\n`, { mode: 0o600 });
}

/** The running agent of this folder, null if there is none. */
export async function readRunning(stateDir: string): Promise<Running | null> {
  const found = await readJson(path.join(stateDir, LOCK), Running).catch(() => null);
  return found !== null && (await startOf(found.pid)) === found.startedAt ? found : null;
}

export type Lock = { tell(healthUrl: string): Promise<void>; release(): Promise<void> };

/** Waits briefly for an agent that is ending. @throws Error if another one continues */
export async function lockFolder(stateDir: string, waitMs = PREDECESSOR_MS): Promise<Lock> {
  const file = path.join(stateDir, LOCK);
  const self = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '', healthUrl: '' };
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  for (const deadline = Date.now() + waitMs; ; await sleep(100)) {
    if (await take(stateDir, JSON.stringify(self))) break;
    const other = await readRunning(stateDir);
    if (other !== null && Date.now() >= deadline)
      throw new Error(
        `Another agent (process ${other.pid}) runs with the folder ${stateDir}. Stop it first, or give this one a different folder (CARILLON_AGENT_DIR).`,
      );
    if (other === null) await setAside(stateDir);
  }
  const isOurs = async () => {
    const running = await readRunning(stateDir);
    return running?.pid === self.pid && running.startedAt === self.startedAt;
  };
  return {
    async tell(healthUrl) {
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, JSON.stringify({ ...self, healthUrl }), { mode: 0o600 });
      await rename(draft, file);
    },
    async release() {
      if (await isOurs()) await rm(file, { force: true });
    },
  };
}

/**
 * Creates the file completely or not at all (link(2)): false if it exists. @throws Error if the folder is not writable
 */
async function take(stateDir: string, content: string): Promise<boolean> {
  const draft = path.join(stateDir, `${LOCK}.${process.pid}`);
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await link(draft, path.join(stateDir, LOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(`The folder ${stateDir} cannot be written (CARILLON_AGENT_DIR): ${(error as Error).message}`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the lock of a killed process; if another process has it by now, it is restored. */
async function setAside(stateDir: string): Promise<void> {
  const file = path.join(stateDir, LOCK);
  const aside = `${file}.${process.pid}.old`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const found = await readJson(aside, Running).catch(() => null);
  if (found !== null && (await startOf(found.pid)) === found.startedAt) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

/**
 * Start time of a process from the kernel (proc(5), stat, field 22): a process that reuses the number has another.
 * Null: no such process.
 */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    // Not Linux: only its existence can be checked.
    try {
      process.kill(pid, 0);
      return process.platform === 'linux' ? null : '';
    } catch {
      return null;
    }
  }
}

async function readJson<T>(file: string, shape: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read: ${error.message}`);
  });
  if (text === null) return null;
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is damaged: move it away and enrol the agent again.`);
  }
}
