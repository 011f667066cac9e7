/** What a feature adds to the core at run time: hooks at moments of the core, and what they get and return. */
import type { Machine } from '@carillon/proto/base/machine.ts';
import type { Secret } from '@carillon/proto/base/secret.ts';
import type { Input, Output } from './contract/catalogue.ts';
import type { Announcement } from './contract/notify/announcement.ts';
import type { WebhookFormat } from './contract/notify/formats.ts';
import type { HealthState } from './contract/run/measured-words.ts';
import type { Brand } from './domain/brand.ts';
import type { Markup } from './domain/markup.ts';
import type { BodyOf } from './domain/messages/message.ts';
import type { EnrollmentHooks } from './enrollment-hooks.ts';
import type { FEATURE_EXECUTION_FIELDS, FEATURE_RUN_FIELDS } from './feature-sums/fields.ts';
import type { WorkerTexts } from './store/agents/fleet.ts';
import type { Database, Tx } from './store/db.ts';
import type { LockedRun } from './store/run/locked-run.ts';
import type { runDetail } from './store/run/run-rows.ts';

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
    operator: { readonly database: Database; readonly now: () => Date },
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

/**
 * What a feature does at moments of the core. Features follow in no order.
 * @typeParam Ports of ports.ts, which holds the hooks of all features
 */
export type HooksOf<Ports> = {
  /** It is asked in the transaction of a request that starts a run, before the run is stored. Null: nothing. A run has one of them at most. */
  readonly beforeLoad?: (ports: Ports, tx: Tx, input: Input<'runTest'>) => Promise<BeforeLoad | null>;
  /** A run waits that long for what the feature does before its load, as `longestSeconds`; null: it does not. */
  readonly waitSeconds?: (tx: Tx, runId: string) => Promise<number | null>;
  /** It is called in the transaction in which the load of a run starts. */
  readonly runStarted?: (ports: Ports, tx: Tx, run: LockedRun) => Promise<void>;
  /** It is called in the transaction in which a run has ended. */
  readonly runEnded?: (ports: Ports, tx: Tx, runId: string) => Promise<void>;
  /** After the end of a large run, outside of a transaction: draws and keeps what the feature's pages need of all its calls. */
  readonly drawAhead?: (tx: Tx, run: RunDetailRow) => Promise<void>;
  /** In the transaction that has graded the execution. */
  readonly watchingExecutionGraded?: (ports: Ports, tx: Tx, execution: WatchingExecution) => Promise<void>;
  /** The fields of the feature in the answer about a run. */
  readonly runFields?: (tx: Tx, run: RunDetailRow) => Promise<Partial<FeatureRunFields>>;
  /** The fields of the feature in answers about executions; `watchedRunId`: the run of the load, if there is one. */
  readonly executionFields?: (watchedRunId: string | null) => Partial<FeatureExecutionFields>;
  /** The fields of the feature in answers about workers, as SQL about worker `w`. */
  readonly workerTexts?: Partial<WorkerTexts>;
  /** What the report of a run says about the feature, after what callers got. */
  readonly reportSection?: (run: Output<'getTestRun'>) => Markup | null;
  readonly enrollment?: EnrollmentHooks<Ports>;
  /** How the organization looks to readers outside of it; null: it has not said so. One feature has this. */
  readonly brand?: (tx: Tx, organizationId: string) => Promise<Brand | null>;
  /** It repairs, at each start, the state after a crash between two jobs. */
  readonly resume?: (ports: Ports) => Promise<void>;
  /** It deletes what the feature keeps no longer, in small statements, in the job that deletes old data. */
  readonly retain?: (ports: Ports) => Promise<unknown>;
  /** It says whether this announcement has a receiver besides webhooks, in the transaction in which the event happened. */
  readonly isWanted?: (tx: Tx, announcement: Announcement) => Promise<boolean>;
  /** It passes an announcement to others, until that instant, in the transaction that has passed it to webhooks. */
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
