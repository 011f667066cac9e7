/** The result of an execution, collected for its sentence (domain/probe/execution-words.ts). */

import type { ExecutionSteps } from '../../contract/probe/probe-instance.ts';
import type { CallFinding } from '../../contract/run/findings.ts';
import type { RunError } from '../../contract/run/run.ts';
import type { Phase } from '../../contract/run/words.ts';
import type { Party, RunStatus } from '../../contract/run-status.ts';
import type { ProbeMode } from '../../contract/test-settings/words.ts';
import type { FailureWords } from '../../domain/figures/findings.ts';
import { executionSentence, publicSentence } from '../../domain/probe/execution-words.ts';
import type { Grade, ThresholdLimits } from '../../domain/probe/grade.ts';
import type { Reasons } from '../../store/probe/incidents.ts';

/** The result of a run with one caller, as input of its sentence. */
export type Shown = {
  readonly status: RunStatus;
  readonly error: RunError | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Null: the run had no endpoint. */
  readonly steps: ExecutionSteps | null;
  readonly limits: readonly ThresholdLimits[];
  readonly finalStatus: number | null;
  readonly cause: string | null;
  readonly party: Party | null;
  readonly failure: FailureWords | null;
  readonly findings: readonly CallFinding[];
  readonly phase: Phase | null;
  /** Null: no audio was expected. */
  readonly heard: boolean | null;
  readonly isReported: boolean;
  readonly worker: string | null;
  readonly noise: string | null;
};

type ExplanationFields = {
  readonly q850: number | null;
  readonly reasonText: string | null;
  readonly warning: string | null;
  readonly retryAfterSeconds: number | null;
};
export const explanationOf = ({
  q850,
  reasonText,
  warning,
  retryAfterSeconds,
}: ExplanationFields): ExplanationFields => ({
  q850,
  reasonText,
  warning,
  retryAfterSeconds,
});

type Circumstances = {
  readonly mode: ProbeMode;
  readonly expected: readonly number[] | null;
  readonly since: Date | null;
  /** The reason why the run could not be started. */
  readonly error: RunError | null;
  readonly elsewhere: string | null;
};

export function wordsOfExecution(
  { grade: { status, because, results }, shown }: { readonly grade: Grade; readonly shown: Shown | null },
  { mode, expected, since, error, elsewhere }: Circumstances,
): Reasons {
  if (shown === null) return { reason: 'Not judged: the run was deleted.', publicReason: null };
  const { steps, finalStatus } = shown;
  const took = { CALL: steps?.answerMs, REGISTER: steps?.registerMs, OPTIONS: steps?.optionsMs }[mode];
  const facts = {
    mode,
    because,
    results,
    since,
    elsewhere,
    tookMs: took ?? null,
    ...shown,
    status,
    isExpected: expected !== null && finalStatus !== null && expected.includes(finalStatus),
    runStatus: shown.status,
    runError: error?.message ?? shown.error?.message ?? null,
  };
  return { reason: executionSentence(facts), publicReason: publicSentence(facts) };
}
