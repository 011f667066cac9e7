/** What operations need from outside and do not build themselves. queue/ and main.ts stand behind it. */

import type { PlanTable } from './contract/plans.ts';
import type { RunStatus } from './contract/words.ts';
import type { Database, Tx } from './store/db.ts';

/** Every job: its name and what it carries. A job names what it watches and is harmless when that has moved on. */
export type Jobs = {
  'run.validate': { readonly runId: string };
  'run.allocate': { readonly runId: string };
  'run.watch': { readonly runId: string; readonly status: RunStatus };
  'run.settle': { readonly runId: string };
  'worker.lost': { readonly workerId: string };
  'instances.lost': { readonly workerId: string; readonly instanceIds: readonly string[] };
  'workers.sweep': Record<string, never>;
  'data.retain': Record<string, never>;
};
export type JobName = keyof Jobs;

export interface JobQueue {
  /** Stored in the given transaction: it exists if and only if that commits. */
  enqueue<N extends JobName>(tx: Tx, name: N, data: Jobs[N], options?: { readonly startAfter?: Date }): Promise<void>;
}

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type Settings = {
  /** How long a worker may be away before its share of a run is given up. */
  readonly workerGraceSeconds: number;
  readonly sampleRetentionDays: number;
  readonly plans: PlanTable;
};

export type Ports = {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly now: () => Date;
  readonly settings: Settings;
};
