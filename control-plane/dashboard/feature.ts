/** What a feature adds to the dashboard (control-plane/features). */
import type { ComponentType } from 'react';
import type { CallInput } from '../contract/call.ts';
import type { Output } from '../contract/catalogue.ts';
import type { WebhookFormat } from '../contract/notify/formats.ts';
import type { FeatureWorkerFields } from '../contract/worker.ts';
import type { Chapters } from './chapters.ts';
import type { LoadPage } from './router.tsx';
import type { TestTemplate } from './show/test-form/drafts/templates.ts';
import type { WorkerGrouping } from './show/workers/worker-words.ts';

export type MenuEntry = {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number; stroke: number }>;
};

export type RunSelection = {
  /** The parameter of the list's address that keeps the selected runs. */
  readonly parameter: string;
  readonly verb: string;
  readonly least: number;
  readonly most: number;
  readonly addressOf: (
    projectId: string,
    runIds: readonly string[],
  ) => { readonly to: string; readonly search: Readonly<Record<string, string>> };
};

/** A way to log in, and to confirm an identity, without the password. */
export type WayIn = {
  /** It orders the ways. */
  readonly place: number;
  /** What the profile of people who can use it to confirm their identity says. */
  readonly proof: Output<'getMe'>['proofs'][number];
  /** What follows the verb on its button; null: it is not possible here. */
  readonly label: (entrance: Output<'getEntrance'>) => string | null;
  /** Resolves to false if the browser goes to another page, from which it comes back to `next`. */
  readonly logIn: (next: string) => Promise<boolean>;
  /** Resolves once the identity is confirmed. If `ended` is aborted, the result is no longer needed. */
  readonly prove: (ended: AbortSignal) => Promise<void>;
};

/** A field of the dialog that starts a run. `body`: what the fields of features have said; `error`: of the last attempt. */
export type StartFieldProps = {
  readonly projectId: string;
  readonly body: Partial<CallInput<'runTest'>>;
  readonly error: unknown;
  readonly onChange: (body: Partial<CallInput<'runTest'>>) => void;
};

/** The filters of a list, which are in its address. */
export type FilterProps = {
  readonly projectId: string;
  readonly list: 'runs' | 'calls';
  /** Those that are set, by their names in the address. */
  readonly search: Readonly<Record<string, string>>;
  /** Sets exactly these. */
  readonly onOpen: (search: Readonly<Record<string, string>>) => void;
};

/** The messages of a call. `both`: of both of its ends. */
export type LadderProps = {
  readonly projectId: string;
  readonly runId: string;
  readonly endpointId: string;
  readonly both: boolean;
};

/** A format in the form of a webhook. `name`: the receiver's, within a sentence. */
export type FormatWords = {
  readonly name: string;
  readonly label: string;
  /** An address as an example; with `isUsualUrl` it is the same one for everybody. */
  readonly placeholder: string;
  readonly isUsualUrl?: true;
  /** The field for its key, if it has one. */
  readonly key?: { readonly label: string; readonly description: string };
};

export type FeaturePages = {
  /** Addresses inside the frame, and the module and component of each. */
  readonly pages?: readonly (readonly [path: `/${string}`, load: LoadPage, name: string])[];
  /** The chapters that explain them, if not that of a page above. */
  readonly chapters?: Chapters;
  /** Addresses before the log-in, likewise. */
  readonly doors?: readonly (readonly [path: `/${string}`, load: LoadPage, name: string])[];
  readonly waysIn?: readonly WayIn[];
  /** On the page of one's account, between the password and the sessions, ordered by `place`. */
  readonly accountCards?: readonly {
    readonly place: number;
    readonly Card: ComponentType<{ onSetUp?: () => void }>;
    /** A log-in with it is stronger than with a password: it and this text are shown to people whose organization requires that. */
    readonly ifRequired?: string;
  }[];
  /** Links below the form for logging in. */
  readonly logInLinks?: readonly { readonly to: string; readonly label: string }[];
  /** Entries of a project's menu; `place` orders them among those of the core, whose places are multiples of ten. */
  readonly menu?: readonly (MenuEntry & { readonly place: number })[];
  /** The same for those that only its administrators have. */
  readonly adminsMenu?: readonly (MenuEntry & { readonly place: number })[];
  /** Entries of the organization's menu after those of the core, and for whom. */
  readonly organizationMenu?: readonly (MenuEntry & { readonly isFor: (me: Output<'getMe'>) => boolean })[];
  /** Beside the title of the page of the organization. */
  readonly organizationActions?: readonly (readonly [key: string, ComponentType])[];
  /** On the page of the organization, below its name. */
  readonly organizationCards?: readonly (readonly [key: string, ComponentType])[];
  /** Beside the title of the page of workers. */
  readonly workersActions?: readonly (readonly [key: string, ComponentType])[];
  /** The feature's fields of workers, by which that page groups them, each with a column of its own. */
  readonly workerGroupings?: readonly (WorkerGrouping & { readonly by: keyof FeatureWorkerFields })[];
  /** Beside the buttons of a run that has ended; `place` orders them among those of the core, as in the menu. */
  readonly runActions?: readonly {
    readonly place: number;
    readonly key: string;
    readonly Action: ComponentType<{ projectId: string; run: Output<'getTestRun'> }>;
  }[];
  readonly webhookFormats?: Readonly<Partial<Record<WebhookFormat, FormatWords>>>;
  /** On the page of a run, below its load. */
  readonly runParts?: readonly (readonly [
    key: string,
    ComponentType<{ projectId: string; run: Output<'getTestRun'> }>,
  ])[];
  /** True: results of the feature still arrive, even after the end of the run. */
  readonly isRunOpen?: (run: Output<'getTestRun'>) => boolean;
  /** In the dialog that starts a run. */
  readonly startFields?: readonly (readonly [key: string, ComponentType<StartFieldProps>])[];
  /** Beside the result of an execution of a probe; null: nothing. */
  readonly executionNote?: (
    execution: Output<'listProbeInstances'>,
  ) => { readonly words: string; readonly explain: string } | null;
  /** Beside the choices of a SIP ladder. */
  readonly ladderActions?: readonly (readonly [key: string, ComponentType<LadderProps>])[];
  /** Above the list of runs, if it has those of one test. */
  readonly aboveRunsOfTest?: readonly (readonly [key: string, ComponentType<{ projectId: string; testId: string }>])[];
  /** Beside the filters of runs and of calls. */
  readonly filterActions?: readonly (readonly [key: string, ComponentType<FilterProps>])[];
  /** What people do with several runs that they select in the list. The list has one selection: one feature has this. */
  readonly runSelection?: RunSelection;
  /** Tests to start from, among those of the core. */
  readonly testTemplates?: readonly TestTemplate[];
  /** Beside the buttons of a test, for people who may start it. */
  readonly testActions?: readonly (readonly [key: string, ComponentType<{ projectId: string; testId: string }>])[];
};
