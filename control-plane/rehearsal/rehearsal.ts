/**
 * Rehearses what a load asks of a control plane, after its start: V8 compiles the code, and PostgreSQL prepares the
 * statements on the connections that the pool keeps. Otherwise the first run pays for it, and most are short. Rolled
 * back: nobody ever sees a row of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ports } from '../ports.ts';
import { Memory } from '../store/memory.ts';
import { type Rehearsed, type RehearsedSize, rehearseRun } from './rehearsed-run.ts';

export type RehearsalLimits = {
  readonly size: RehearsedSize;
  /** Of the process's CPU time. */
  readonly cpuMs: number;
  /** Even if the host grants little CPU. */
  readonly ms: number;
};

/** Each batch of an agent takes one; the second is for what happens meanwhile. */
export const REHEARSED_CONNECTIONS = 2;

const LIMITS: RehearsalLimits = { size: { batches: 8, calls: 60, decodings: 5 }, cpuMs: 1500, ms: 5000 };
/** On a second connection: V8 knows the code by then. */
const FEW: RehearsedSize = { batches: 6, calls: 10, decodings: 1 };

const STOP_LIMIT_MS = 1000;

class Over extends Error {}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export type RunningRehearsal = {
  /** null: it failed, which is logged and of no consequence. */
  readonly done: Promise<Rehearsed | null>;
  /** Ends it before the next batch; resolves then, or after a moment where the database does not answer. */
  stop(): Promise<unknown>;
};

export function startRehearsal(ports: Ports, { size, cpuMs, ms }: RehearsalLimits = LIMITS): RunningRehearsal {
  const before = process.cpuUsage();
  const untilMs = performance.now() + ms;
  let isStopped = false;
  const goesOn = (): boolean => {
    const { user, system } = process.cpuUsage(before);
    return !isStopped && (user + system) / 1000 < cpuMs && performance.now() < untilMs;
  };
  const done = rehearse(ports, size, goesOn).catch((error: Error) => {
    ports.log.debug({ error: error.message }, 'the rehearsal was cut short');
    return null;
  });
  return {
    done,
    stop() {
      isStopped = true;
      return Promise.race([done, sleep(STOP_LIMIT_MS, null, { ref: false })]);
    },
  };
}

async function rehearse(ports: Ports, size: RehearsedSize, goesOn: () => boolean): Promise<Rehearsed> {
  const runs: Rehearsed[] = [];
  await rolledBack(ports, async (inside) => {
    runs.push(await rehearseRun(inside, inside.database.db, size, goesOn));
    // On another connection, while this one is in use.
    await rolledBack(ports, async (other) => {
      runs.push(await rehearseRun(other, other.database.db, FEW, goesOn));
    });
  });
  const sum = (of: (run: Rehearsed) => number) => runs.reduce((all, run) => all + of(run), 0);
  return { calls: sum((run) => run.calls), completed: sum((run) => run.completed) };
}

/** Everything happens in one transaction, which is rolled back; jobs are dropped. */
async function rolledBack(ports: Ports, work: (inside: Ports) => Promise<void>): Promise<void> {
  const over = new Over();
  try {
    await ports.database.transaction(async (tx) => {
      const database = { ...ports.database, db: tx, transaction: <T>(part: (t: typeof tx) => Promise<T>) => part(tx) };
      const jobs = { enqueue: async () => undefined, enqueueAll: async () => undefined };
      await work({ ...ports, database, jobs, memory: new Memory(), log: quiet });
      throw over;
    });
  } catch (error) {
    if (error !== over) throw error;
  }
}
