/** What operations need from outside. `control-plane.ts` puts it together, with the jobs of `queue/` and what features open. */

import type { Machine } from '@carillon/proto/machine.ts';
import type { Secret } from '@carillon/proto/secret.ts';
import type { Input, Output } from './contract/catalogue.ts';
import type { Trouble } from './contract/condition.ts';
import type { Announcement } from './contract/notify/announcement.ts';
import type { WebhookFormat } from './contract/notify/formats.ts';
import type { PlanTable } from './contract/people/plans.ts';
import type { Listening } from './contract/reach.ts';
import type { HealthState, RunStatus } from './contract/words.ts';
import type { Brand } from './domain/brand.ts';
import type { Markup } from './domain/markup.ts';
import type { MailContent } from './domain/messages/branded-mail.ts';
import type { BodyOf } from './domain/messages/message.ts';
import type { FEATURE_EXECUTION_FIELDS, FEATURE_RUN_FIELDS } from './feature-sums/fields.ts';
import type { Database, Tx } from './store/db.ts';
import type { Disk } from './store/embedded/disk.ts';
import type { Memory } from './store/memory.ts';
import type { LockedRun, runDetail } from './store/run/runs.ts';

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
/** `id`: a repetition of the same mail has the same id. */
export type Mail = MailContent & { readonly id: string; readonly to: string };
export type MailFault = { readonly error: string; readonly final: boolean };

/** Sends mail through a server. Never throws. */
export interface Mailer {
  /** Null: the mail was accepted. */
  send(mail: Mail): Promise<MailFault | null>;
  /** Logs in without a mail. Null: it can; or why not. */
  check(): Promise<string | null>;
  close(): void;
}

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

/** A code that was sent after the right password. */
export type SentCode = {
  readonly userId: string;
  readonly email: string;
  /** A known browser or session, which has a limit of its own; null: unknown. */
  readonly place: string | null;
  readonly code: Secret;
};

/** What an operator does for the account with this address: `npm run account -- NAME EMAIL`. */
export type AccountCommand = {
  /** It begins with the name of the command. */
  readonly help: string;
  /** `baseUrl`: the address of this installation, for links. @throws Error for the operator */
  readonly act: (
    operator: Pick<Ports, 'database' | 'now'>,
    email: string,
    baseUrl: string,
  ) => Promise<{ readonly result: string; readonly advice: string }>;
};

export type RunDetailRow = NonNullable<Awaited<ReturnType<typeof runDetail>>>;

/** What a feature does before the load of a run that is being started. */
export type BeforeLoad = {
  /** The run waits for it as PENDING, no longer than this. */
  readonly longestSeconds: number;
  /** In the transaction that has stored the run. The feature enqueues `run.validate` when the load may start. */
  readonly begin: (tx: Tx, runId: string) => Promise<unknown>;
};

/** An execution that was asked for beside a load, with its grade. */
export type WatchingExecution = {
  /** The run of the load. */
  readonly watchedRunId: string;
  readonly testRunId: string;
  readonly status: HealthState;
  /** Null: no audio was expected, or this is not known. */
  readonly heard: boolean | null;
  readonly message: string;
};

/** The fields of answers that are those of features (contract). */
export type FeatureRunFields = Pick<Output<'getTestRun'>, keyof typeof FEATURE_RUN_FIELDS>;
export type FeatureExecutionFields = Pick<Output<'listProbeInstances'>, keyof typeof FEATURE_EXECUTION_FIELDS>;

/** What a feature does at moments of the core. Features follow in no order. */
export type Hooks = {
  /** In the transaction of a request that starts a run, before it is stored. Null: nothing. One feature has this. */
  readonly beforeLoad?: (ports: Ports, tx: Tx, input: Input<'runTest'>) => Promise<BeforeLoad | null>;
  /** For how long a run waits for what the feature does before its load, as `longestSeconds`; null: it does not. */
  readonly waitSeconds?: (tx: Tx, runId: string) => Promise<number | null>;
  /** In the transaction in which the load of a run starts. */
  readonly runStarted?: (ports: Ports, tx: Tx, run: LockedRun) => Promise<void>;
  /** In the transaction in which a run has ended. */
  readonly runEnded?: (ports: Ports, tx: Tx, runId: string) => Promise<void>;
  /** In the transaction that has graded the execution. */
  readonly watchingExecutionGraded?: (ports: Ports, tx: Tx, execution: WatchingExecution) => Promise<void>;
  /** The fields of the feature in the answer about a run. */
  readonly runFields?: (tx: Tx, run: RunDetailRow) => Promise<Partial<FeatureRunFields>>;
  /** The fields of the feature in answers about executions; `watchedRunId`: the run of the load, if there is one. */
  readonly executionFields?: (watchedRunId: string | null) => Partial<FeatureExecutionFields>;
  /** What the report of a run says about the feature, after what callers got. */
  readonly reportSection?: (run: Output<'getTestRun'>) => Markup | null;
  /** How the organization looks to readers outside of it; null: it has not said so. One feature has this. */
  readonly brand?: (tx: Tx, organizationId: string) => Promise<Brand | null>;
  /** At each start: repairs the state after a crash between two jobs. */
  readonly resume?: (ports: Ports) => Promise<void>;
  /** In the job that deletes old data: deletes what the feature keeps no longer, in small statements. */
  readonly retain?: (ports: Ports) => Promise<unknown>;
  /** Whether this announcement has a receiver besides webhooks. It is asked in the transaction in which the event happened. */
  readonly isWanted?: (tx: Tx, announcement: Announcement) => Promise<boolean>;
  /** In the transaction that has passed an announcement to webhooks: passes it to others, until that instant. */
  readonly spread?: (ports: Ports, tx: Tx, announcementId: string, retryUntil: Date) => Promise<void>;
  /** The messages in the formats of webhooks that it adds. */
  readonly webhookBodies?: Readonly<Partial<Record<WebhookFormat, BodyOf>>>;
  /** The labels of runs that the feature starts, each of which has all of them. They repeat a test under conditions that differ. */
  readonly ownLabels?: readonly string[];
  /** What it offers before the log-in. */
  readonly entrance?: (ports: Ports) => Partial<Output<'getEntrance'>>;
  /** A way besides the password by which this user can confirm their identity; null: they have none of this feature. */
  readonly proof?: (ports: Ports, tx: Tx, userId: string) => Promise<Output<'getMe'>['proofs'][number] | null>;
  /**
   * Verifies and consumes the code of a user with a second factor. One feature has this.
   * @throws ApiError VALIDATION_ERROR at `code`, RATE_LIMITED
   */
  readonly takeCode?: (ports: Ports, sent: SentCode) => Promise<void>;
  /** How people without their password get in again: a sentence for them, and one for others who want them in. */
  readonly lostPassword?: { readonly advice: string; readonly adviceFor: (email: string) => string };
  /** Commands of the operator, by name. */
  readonly account?: Readonly<Record<string, AccountCommand>>;
};

/** The state machines of a feature, for the page that draws them. */
export type FeatureMachines = readonly {
  readonly name: string;
  readonly title: string;
  /** The path from the root of the repository. */
  readonly file: string;
  readonly says: string;
  readonly of: Machine<string, string>;
}[];

/** What features open to the outside: each adds its own (feature-sums/open.ts). */
export interface FeaturePorts {
  /** Null: no feature sends mail, or no mail server is configured. */
  readonly mail: Mailer | null;
}

export type Ports = FeaturePorts & {
  readonly database: Database;
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
