/** What operations need from outside and do not build themselves. queue/ and main.ts stand behind it. */

import type { SearchStatus } from './contract/capacity/words.ts';
import type { Trouble } from './contract/condition.ts';
import type { PlanTable } from './contract/people/plans.ts';
import type { RunStatus } from './contract/words.ts';
import type { Database, Tx } from './store/db.ts';
import type { Disk } from './store/embedded/disk.ts';
import type { Memory } from './store/memory.ts';

/** Every job: its name and what it carries. A job names what it watches and is harmless when that has moved on. */
export type Jobs = {
  'run.validate': { readonly runId: string };
  'run.allocate': { readonly runId: string };
  'run.watch': { readonly runId: string; readonly status: RunStatus };
  'run.settle': { readonly runId: string };
  /** `trials`: that there were when it was enqueued. */
  'capacity.step': { readonly searchId: string; readonly status: SearchStatus; readonly trials: number };
  'worker.lost': { readonly workerId: string };
  'instances.lost': { readonly workerId: string; readonly instanceIds: readonly string[]; readonly reason?: string };
  'workers.sweep': Record<string, never>;
  'probes.tick': Record<string, never>;
  'incident.watch': { readonly incidentId: string };
  'data.retain': Record<string, never>;
  'announcement.spread': { readonly announcementId: string };
  /** `attempt` is the one that it makes: harmless where that has been made. */
  'webhook.deliver': { readonly deliveryId: string; readonly attempt: number };
  'password.mail': { readonly email: string };
  'mail.send': { readonly mailId: string; readonly attempt: number };
};
export type JobName = keyof Jobs;

export type JobOptions = {
  readonly startAfter?: Date;
  /** Jobs of one group wait for each other (queue/catalogue.ts says how many may be done at once). */
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

/** What leaves for somebody who did not ask. It never throws. */
export interface Courier {
  /** Why nothing is sent to this URL, as far as can be said at once. */
  refusal(url: string): string | null;
  post(request: PostRequest): Promise<Posted>;
  /** null: no mail server is configured. The answer null: it was taken. */
  readonly mail: ((mail: Mail) => Promise<MailFault | null>) | null;
}

/** What a browser takes to the provider and what has to come back with it. `fresh`: the person has to log in there now. */
export type ProviderAsked = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly fresh: boolean;
};
/** `email`: that the provider has verified, in lower case; null: none. `isStrong`: it says that it has asked for more than one factor. */
export type ProviderPerson = {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isStrong: boolean;
};

/** The installation's identity provider. Both reject where it is away, or what has come back is not what was asked for. */
export interface IdentityProvider {
  readonly name: string;
  readonly issuer: string;
  /** Where the browser goes. */
  begin(asked: ProviderAsked): Promise<string>;
  /** `parameters`: with which the browser has come back. */
  finish(parameters: string, asked: ProviderAsked): Promise<ProviderPerson>;
}

/** Of scrypt (RFC 7914): memory and time, block size, how often. */
export type PasswordCost = { readonly N: number; readonly r: number; readonly p: number };

export type Settings = {
  /** How long a worker may be away before its instances are given up. */
  readonly workerGraceSeconds: number;
  readonly sampleRetentionDays: number;
  readonly probeRetentionDays: number;
  /** Runs of tests go whole; null: never. */
  readonly runRetentionDays: number | null;
  /** Calls that a run may plan and have a row each; those of a larger one are added to sums. */
  readonly exactCalls: number;
  readonly plans: PlanTable;
  /** How the world reaches this installation; null: nobody has said. */
  readonly publicUrl: string | null;
  /** Of passwords from now on; those that are kept say their own. */
  readonly passwordCost: PasswordCost;
};

/** What keeps this control plane from its work, and what it can work with. */
export type Condition = {
  readonly faults: readonly Trouble[];
  readonly warnings: readonly Trouble[];
  /** Of the embedded database; null: it is not seen. */
  readonly disk: Disk | null;
  /** Of the job that has been due for longest; null: none waits, or that is not known. */
  readonly waitingSeconds: number | null;
};

export type Ports = {
  readonly database: Database;
  readonly memory: Memory;
  readonly jobs: JobQueue;
  readonly courier: Courier;
  /** null: people sign in by what is theirs here. */
  readonly provider: IdentityProvider | null;
  readonly log: Log;
  readonly now: () => Date;
  readonly settings: Settings;
  /** Had within the last second, or had now within a few. */
  readonly condition: () => Promise<Condition>;
};
