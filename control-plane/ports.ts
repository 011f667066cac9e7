/** What operations need from outside. `control-plane.ts` puts it together, with the jobs of `queue/` and what features open. */

import type { PlanTable } from './contract/people/plans.ts';
import type { Listening } from './contract/reach.ts';
import type { RunStatus } from './contract/run-status.ts';
import type { Trouble } from './contract/trouble.ts';
import type { HooksOf } from './hooks.ts';
import type { Mailer } from './mailer.ts';
import type { Database, Tx } from './store/db.ts';
import type { Disk } from './store/embedded/disk.ts';
import type { Memory } from './store/memory.ts';
import type { Standby } from './store/standby.ts';

/** Every job of the core with its data. A job names what it watches, and is harmless if that has moved on. */
type CoreJobs = {
  'run.validate': { readonly runId: string };
  'run.allocate': { readonly runId: string };
  'run.watch': { readonly runId: string; readonly status: RunStatus };
  'run.settle': { readonly runId: string };
  'run.abort': { readonly runId: string };
  'worker.lost': { readonly workerId: string };
  'instances.lost': { readonly workerId: string; readonly instanceIds: readonly string[]; readonly reason?: string };
  'workers.sweep': Record<string, never>;
  'probes.tick': Record<string, never>;
  'runs.gather': Record<string, never>;
  'incident.watch': { readonly incidentId: string };
  'data.retain': Record<string, never>;
  'announcement.spread': { readonly announcementId: string };
  /** `attempt` is its number: the job is harmless if the attempt was already made. */
  'webhook.deliver': { readonly deliveryId: string; readonly attempt: number };
  'invitation.mail': { readonly invitationId: string };
};
/** Features add theirs to it. */
export interface Jobs extends CoreJobs {}
export type CoreJobName = keyof CoreJobs;
export type JobName = keyof Jobs;

export type JobOptions = {
  readonly startAfter?: Date;
  /** Jobs of one group wait for each other (queue/catalogue.ts has the limits). */
  readonly group?: string;
};

export interface JobQueue {
  /** Stored in the given transaction: it exists if and only if that commits. */
  enqueue<N extends JobName>(tx: Tx, name: N, data: Jobs[N], options?: JobOptions): Promise<void>;
  /** The same for many jobs of one kind, in one statement. */
  enqueueAll<N extends JobName>(tx: Tx, name: N, data: readonly Jobs[N][], options?: JobOptions): Promise<void>;
}

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
export type Posted = {
  /** Null: no answer arrived, and `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  /** The first bytes of the answer. */
  readonly answer: string | null;
  readonly retryAfterSeconds: number | null;
  readonly durationMs: number;
};
/** Outgoing messages. Never throws. */
export interface Courier {
  /** The reason why nothing is sent to this URL, as far as it is known immediately. */
  refusal(url: string): string | null;
  post(request: PostRequest): Promise<Posted>;
}

/** The parameters of scrypt (RFC 7914): cost, block size, parallelization. */
export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number };

export type Settings = {
  /** The time for which a worker may be away until its instances are given up. */
  readonly workerGraceSeconds: number;
  readonly sampleRetentionDays: number;
  readonly probeRetentionDays: number;
  /** After this time, runs of tests are deleted completely; null: never. */
  readonly runRetentionDays: number | null;
  /** Up to this many planned calls, each call of a run has a row; the calls of a larger run are added to sums. */
  readonly exactCalls: number;
  readonly plans: PlanTable;
  /** The public address of this installation; null: not set. */
  readonly publicUrl: string | null;
  readonly listening: Omit<Listening, 'publicUrl'>;
  /** The cost of new passwords; stored ones have their own. */
  readonly passwordCost: PasswordCost;
};

/** Faults and warnings of this control plane. */
export type Condition = {
  readonly faults: readonly Trouble[];
  readonly warnings: readonly Trouble[];
  /** The disk of the embedded database; null: it cannot be seen. */
  readonly disk: Disk | null;
  /** The waiting time of the oldest due job; null: none waits, or it is unknown. */
  readonly waitingSeconds: number | null;
};

export type Hooks = HooksOf<Ports>;

/** What features open to the outside: each adds its own (feature-sums/open.ts). */
export interface FeaturePorts {
  /** Null: no feature sends mail, or no mail server is configured. */
  readonly mail: Mailer | null;
}

export type Ports = FeaturePorts & {
  readonly database: Database;
  /** Null: none is configured. */
  readonly standby: Standby | null;
  readonly memory: Memory;
  readonly jobs: JobQueue;
  readonly courier: Courier;
  readonly log: Log;
  readonly now: () => Date;
  readonly settings: Settings;
  readonly hooks: readonly Hooks[];
  /** A result of the last second, or a new one within a few seconds. */
  readonly condition: () => Promise<Condition>;
};
