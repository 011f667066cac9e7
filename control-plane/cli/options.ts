/** Options that several commands have, and what a feature needs to add a command of its own (control-plane/features). */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CallInput } from '../contract/call.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io, Paint } from './io.ts';
import type { FeatureChecks, RunJudgement } from './run/judgement.ts';
import type { RunOfTest } from './run/limits.ts';
import type { Api } from './session/api.ts';

/** Waits for a command, whose code is that of the program. */
export type Ending = (command: Promise<ExitCode>) => Promise<void>;
export type FeatureCommands = (program: Command, io: Io, ending: Ending) => void;

export type RunRef = { readonly projectId: string; readonly testRunId: string };

/** Judges a run that has completed. */
export type RunJudge = (ref: RunRef) => Promise<FeatureChecks>;

/** What a feature adds to the request that starts a run, and the line that tells the user. */
export type StartPart = { readonly line: string; readonly body: Partial<CallInput<'runTest'>> };

/** What a feature found out about a run. */
export type RunTable = {
  /** The kind in lower case, and the name of the thing. */
  readonly title: readonly [kind: string, name: string];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [name: string, cells: readonly string[]])[];
  readonly sentences: readonly string[];
};

/** A run that has ended, and what it means. */
export type RunOutcome = {
  readonly run: RunOfTest;
  readonly judgement: RunJudgement;
  /** The page of the run. */
  readonly url: string;
  readonly tables: readonly RunTable[];
};
/** Writes all files that can be written. @throws Stop with those that cannot */
export type RunFiles = (api: Api, ref: RunRef, outcome: RunOutcome) => Promise<void>;

/** What a feature does with runs that the command line follows. Features follow in no order. */
export type RunHooks = {
  /** Before a run is started. Null: the options of the command ask the feature for nothing. */
  readonly startPart?: (api: Api, options: Readonly<Record<string, unknown>>) => Promise<StartPart | null>;
  /** Before calls are placed. Null: the options of the command do not ask the feature to judge the run. */
  readonly beforeRun?: (
    api: Api,
    testId: string,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<RunJudge | null>;
  /**
   * Before anything is started: a run must not be lost because a file cannot be written. Null: the options ask for none.
   * @throws Stop if a file cannot be written
   */
  readonly files?: (options: Readonly<Record<string, unknown>>) => Promise<RunFiles | null>;
  /** True: results of the feature still arrive, even after the end of the run. */
  readonly isOpen?: (run: RunOfTest) => boolean;
  /** In the summary of a run, and in its files. Null: the feature knows nothing about the run. */
  readonly table?: (run: RunOfTest) => RunTable | null;
  /** After a run has been repeated, if both runs completed. `isWorse`: the exit code says that a limit was crossed. */
  readonly afterReplay?: (
    api: Api,
    ref: RunRef,
    earlierRunId: string,
    shown: { readonly width: number; readonly paint: Paint },
  ) => Promise<{ readonly lines: readonly string[]; readonly isWorse: boolean }>;
};

export type JsonOption = { readonly json?: boolean };

export const collect = (value: string, before: readonly string[]): string[] => [...before, value];
export const project = () =>
  new Option('-p, --project <project>', 'slug or id; default: CARILLON_PROJECT, or the only project');
export const json = () => new Option('--json', 'for programs');

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 10_000) return number;
  throw new InvalidArgumentError('It is a whole number from 1 to 10000.');
}
