/** External dependencies of operations. queue/ and main.ts provide them. */

import type { SearchStatus } from './contract/capacity/words.ts';
import type { Trouble } from './contract/condition.ts';
import type { PlanTable } from './contract/people/plans.ts';
import type { RunStatus } from './contract/words.ts';
import type { Database, Tx } from './store/db.ts';
import type { Disk } from './store/embedded/disk.ts';
import type { Memory } from './store/memory.ts';

/** Every job with its data. A job names what it watches and is harmless if that has moved on. */
export type Jobs = {
  'run.validate': { readonly runId: string };
  'run.allocate': { readonly runId: string };
  'run.watch': { readonly runId: string; readonly status: RunStatus };
  'run.settle': { readonly runId: string };
  'run.canary': { readonly runId: string };
  /** `trials`: that there were when it was enqueued. */
  'capacity.step': { readonly searchId: string; readonly status: SearchStatus; readonly trials: number };
  'worker.lost': { readonly workerId: string };
  'instances.lost': { readonly workerId: string; readonly instanceIds: readonly string[]; readonly reason?: string };
  'workers.sweep': Record<string, never>;
  'probes.tick': Record<string, never>;
  'incident.watch': { readonly incidentId: string };
  'data.retain': Record<string, never>;
  'announcement.spread': { readonly announcementId: string };
  /** `attempt` is its number: harmless if already made. */
  'webhook.deliver': { readonly deliveryId: string; readonly attempt: number };
  'password.mail': { readonly email: string };
  'invitation.mail': { readonly invitationId: string };
  'mail.send': { readonly mailId: string; readonly attempt: number };
};
export type JobName = keyof Jobs;

export type JobOptions = {
  readonly startAfter?: Date;
  /** Jobs of one group wait for each other (queue/catalogue.ts has the limits). */
  readonly group?: string;
};

export interface JobQueue {
  /** Stored in the given transaction: it exists if and only if that commits. */
  enqueue<N extends JobName>(tx: Tx, name: N, data: Jobs[N], options?: JobOptions): Promise<void>;
  /** The same for many of one kind, in one statement. */
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
  /** null: no answer came; `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  /** Its first bytes. */
  readonly answer: string | null;
  readonly retryAfterSeconds: number | null;
  readonly durationMs: number;
};
/** `id`: the same mail again has the same. */
export type Mail = { readonly id: string; readonly to: string; readonly subject: string; readonly text: string };
export type MailFault = { readonly error: string; readonly final: boolean };

/** Outgoing messages. Never throws. */
export interface Courier {
  /** Why nothing is sent to this URL, as far as known immediately. */
  refusal(url: string): string | null;
  post(request: PostRequest): Promise<Posted>;
  /** null: no mail server is configured. The answer null: it was taken. */
  readonly mail: ((mail: Mail) => Promise<MailFault | null>) | null;
}

/** Data for the provider, and data that must come back. `fresh`: requires a new log-in there. */
export type LoginRequest = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly fresh: boolean;
};
/** `email`: verified by the provider, in lower case; null: none. `isStrong`: it used more than one factor. */
export type ProviderPerson = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isStrong: boolean;
};

/** The installation's identity provider. Both reject if it is unavailable, or its answer is invalid. */
export interface IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  /** Where the browser goes. */
  begin(asked: LoginRequest): Promise<string>;
  /** `parameters`: with which the browser has come back. */
  finish(parameters: string, asked: LoginRequest): Promise<ProviderPerson>;
}

/** The parameters of scrypt (RFC 7914): cost, block size, parallelization. */
export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number };

export type Settings = {
  /** How long a worker may be away before its instances are given up. */
  readonly workerGraceSeconds: number;
  readonly sampleRetentionDays: number;
  readonly probeRetentionDays: number;
  /** Runs of tests go whole; null: never. */
  readonly runRetentionDays: number | null;
  /** Planned calls up to which each call of a run has a row; those of a larger run are added to sums. */
  readonly exactCalls: number;
  readonly plans: PlanTable;
  /** The public address of this installation; null: not set. */
  readonly publicUrl: string | null;
  /** For new passwords; stored ones have their own. */
  readonly passwordCost: PasswordCost;
};

/** Faults and warnings of this control plane. */
export type Condition = {
  readonly faults: readonly Trouble[];
  readonly warnings: readonly Trouble[];
  /** Of the embedded database; null: it is not seen. */
  readonly disk: Disk | null;
  /** Waiting time of the oldest due job; null: none waits, or unknown. */
  readonly waitingSeconds: number | null;
};

export type Ports = {
  readonly database: Database;
  readonly memory: Memory;
  readonly jobs: JobQueue;
  readonly courier: Courier;
  /** null: local accounts only. */
  readonly provider: IdentityProvider | null;
  readonly log: Log;
  readonly now: () => Date;
  readonly settings: Settings;
  /** Had within the last second, or had now within a few. */
  readonly condition: () => Promise<Condition>;
};
