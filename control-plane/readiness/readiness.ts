/**
 * Checks whether this control plane works: writes to the database, jobs, disk space. It checks every few seconds and on
 * request; concurrent requests share one check.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition, Log } from '../ports.ts';
import type { JobsSeen } from '../queue/jobs-seen.ts';
import type { Database } from '../store/db.ts';
import type { Disk } from '../store/embedded/disk.ts';
import { type DatabaseTrouble, troubleOf } from '../store/trouble.ts';
import { proveRoom, proveWrite } from '../store/write-proof.ts';
import { conditionOf, type Seen } from './condition.ts';

export type ReadinessParts = {
  readonly database: Database;
  /** Null: the database is elsewhere, and its disk cannot be seen. */
  readonly disk: (() => Promise<Disk>) | null;
  /** Null: jobs are disabled. */
  readonly jobs: (() => Promise<JobsSeen>) | null;
  /** What an operator must do about the certificate; null: nothing. Null for the function: no TLS of its own. */
  readonly certificate: (() => string | null) | null;
  readonly log: Log;
  readonly now: () => Date;
  /** For tests. */
  readonly maxStalledSeconds?: number;
};

export type Readiness = {
  look(): Promise<Condition>;
  /** Starts periodic checks, so that problems are logged without requests. */
  watch(): void;
  close(): Promise<void>;
};

const LOOK_EVERY_MS = 5_000;
/** A check is not repeated within this time. */
const KEPT_MS = 1_000;
/** The limit is measured by the process's own clock: a check does not wait for a database that hangs. */
const LIMIT_MS = 5_000;
/**
 * A due job is found within a second. A killed process's job is given to another process after up to a minute, and does
 * not count as waiting until then.
 */
const MAX_STALLED_SECONDS = 60;

export function openReadiness(parts: ReadinessParts): Readiness {
  const { database, log } = parts;
  const startedAtMs = performance.now();
  /** While jobs cannot be queried, nothing shows that they are done. */
  let seenAtMs = startedAtMs;
  /** Checks that still run, possibly beyond their timeout: another one would only use a second connection. */
  const underWay = new Map<string, Promise<unknown>>();

  /** Returns the answer of `work` within the limit; null: it failed or is late, and `fault` says which. */
  async function bounded<T>(name: string, work: () => Promise<T>): Promise<{ value: T } | { fault: DatabaseTrouble }> {
    const begun = (underWay.get(name) as Promise<T> | undefined) ?? work().finally(() => underWay.delete(name));
    underWay.set(name, begun);
    const limit = new AbortController();
    const late = sleep(LIMIT_MS, 'late' as const, { signal: limit.signal });
    late.catch(() => undefined);
    try {
      const value = await Promise.race([begun, late]);
      if (value !== 'late') return { value };
      begun.catch(() => undefined);
      return { fault: 'DATABASE_AWAY' };
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === null) log.warn({ error: (error as Error).message }, `readiness: ${name} failed`);
      return { fault: trouble ?? 'DATABASE_AWAY' };
    } finally {
      limit.abort();
    }
  }

  async function write(): Promise<void> {
    if (database.troubles.has('DISK_FULL')) {
      await proveRoom(database);
      database.troubles.clear('DISK_FULL');
    }
    await proveWrite(database, parts.now());
  }

  async function see(): Promise<Seen> {
    const [written, jobs, disk] = await Promise.all([
      bounded('write', write),
      parts.jobs ? bounded('jobs', parts.jobs) : null,
      parts.disk ? bounded('disk', parts.disk) : null,
    ]);
    const value = <T>(of: { value: T } | { fault: DatabaseTrouble } | null): T | null =>
      of !== null && 'value' in of ? of.value : null;
    return {
      writeFault: 'fault' in written ? written.fault : null,
      isShort: database.troubles.has('CONNECTIONS_SPENT'),
      isFull: database.troubles.has('DISK_FULL'),
      disk: value(disk),
      jobs: parts.jobs && jobsOf(value(jobs)),
      certificateTrouble: parts.certificate?.() ?? null,
      maxStalledSeconds: parts.maxStalledSeconds ?? MAX_STALLED_SECONDS,
    };
  }

  function jobsOf(seen: JobsSeen | null): Seen['jobs'] {
    const atMs = performance.now();
    if (seen) seenAtMs = atMs;
    const waitingSeconds = seen?.waitingSeconds ?? null;
    // A job that was due before the start has waited for this process only since the start.
    const upSeconds = (atMs - startedAtMs) / 1000;
    return {
      waitingSeconds,
      stalledSeconds: seen ? Math.min(waitingSeconds ?? 0, upSeconds) : (atMs - seenAtMs) / 1000,
    };
  }

  let logged = '';
  function tell({ faults, warnings }: Condition): void {
    const now = [...faults, ...warnings].map(({ kind }) => kind).join(' ');
    if (now === logged) return;
    for (const { kind, message } of faults) log.error({ trouble: kind, message }, 'not ready');
    for (const { kind, message } of warnings) log.warn({ trouble: kind }, message);
    if (now === '') log.info({ was: logged }, 'ready again');
    logged = now;
  }

  let kept: { readonly condition: Promise<Condition>; atMs: number } | null = null;
  function look(): Promise<Condition> {
    if (kept && performance.now() - kept.atMs < KEPT_MS) return kept.condition;
    const condition = see().then(conditionOf);
    const mine = { condition, atMs: Number.POSITIVE_INFINITY };
    kept = mine;
    return condition.then((c) => {
      mine.atMs = performance.now();
      tell(c);
      return c;
    });
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    look,
    watch() {
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    },
    async close() {
      clearInterval(timer);
      await Promise.allSettled(underWay.values());
    },
  };
}
