/** Capacity searches in words and tones. Pure. */

import type { Output } from '../../../contract/catalogue.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { number } from '../../../dashboard/show/basics/figures.ts';
import type { Tone } from '../../../dashboard/show/basics/tones.ts';
import type { SearchSettings } from '../contract/capacity.ts';
import type { FOUND, Objective, SearchStatus, TrialPhase, TrialResult } from '../contract/words.ts';

/** The search as the API returns it, with every default. */
export type SearchSeen = Output<'getCapacitySearch'> & { readonly settings: SearchSettings };
export type TrialSeen = SearchSeen['trials'][number];

export const STATUS: Readonly<Record<SearchStatus, readonly [Tone, string]>> = {
  WAITING: ['accent', 'Between trials'],
  TRYING: ['accent', 'Trial running'],
  COMPLETED: ['good', 'Completed'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['none', 'Cancelled'],
};
export const FOUND_WORDS: Readonly<Record<(typeof FOUND)[number], readonly [Tone, string]>> = {
  CEILING: ['good', 'Ceiling found'],
  GENERATOR_LIMIT: ['warn', 'Limit of the agents'],
  UPPER_BOUND: ['accent', 'Upper bound reached'],
  BELOW_LOWER_BOUND: ['bad', 'Below the lower bound'],
  UNSETTLED: ['warn', 'Not settled'],
};
export const RESULT: Readonly<Record<TrialResult, readonly [Tone, string]>> = {
  PASSED: ['good', 'Passed'],
  FAILED: ['bad', 'Failed'],
  VOID: ['none', 'Void'],
  LIMITED: ['warn', 'Agents too small'],
};
export const PHASE: Readonly<Record<TrialPhase, string>> = {
  BRACKET: 'Bracket',
  BISECT: 'Bisect',
  CONFIRM: 'Confirm',
  REPEAT: 'Repeat',
  RFC7502: 'RFC 7502',
};
export const OBJECTIVE: Readonly<Record<Objective, string>> = {
  CALLS_PER_SECOND: 'calls/s',
  CALLS_AT_ONCE: 'calls at once',
};

/** `at least 99 %` */
export const limitWords = (key: MetricKey, limit: number): string => {
  const { unit, higherIsBetter } = METRIC_KEYS[key];
  const shown = unit === 'MOS' || unit === 'R' || unit === 'fraction' ? '' : ` ${unit}`;
  return `${higherIsBetter ? 'at least' : 'at most'} ${number(limit)}${shown}`;
};
export const sloWords = ({ metricKey, limit }: { metricKey: MetricKey; limit: number }): string =>
  `${METRIC_KEYS[metricKey].displayName}: ${limitWords(metricKey, limit)}`;

/** The state of a search: the highest level that passed, and the lowest that failed. */
export type Bracket = { readonly passed: number | null; readonly failed: number | null };

export function bracketOf(trials: readonly TrialSeen[]): Bracket {
  const levels = (result: TrialResult) => trials.filter((t) => t.result === result).map((t) => t.level);
  const failed = levels('FAILED');
  // A level that failed once does not count as passed.
  const passed = levels('PASSED').filter((level) => !failed.includes(level));
  return {
    passed: passed.length > 0 ? Math.max(...passed) : null,
    failed: failed.length > 0 ? Math.min(...failed) : null,
  };
}

/**
 * Why the lowest level above the answer failed, or, without an answer, the lowest above the levels that passed; null: no such
 * level failed.
 */
export function causeOf({ trials, answer }: SearchSeen): { readonly level: number; readonly reason: string } | null {
  const beyond = answer ? answer.level : bracketOf(trials).passed;
  const failed = trials.filter((t) => t.result === 'FAILED' && (beyond === null || t.level > beyond));
  const [trial] = failed.sort((a, b) => a.level - b.level || a.number - b.number);
  const [reason] = trial?.evidence?.reasons ?? [];
  return trial && reason !== undefined ? { level: trial.level, reason } : null;
}

export type Knee = {
  readonly levels: readonly number[];
  readonly offered: readonly number[];
  readonly passed: readonly (number | null)[];
  readonly failed: readonly (number | null)[];
  readonly setupP50: readonly (number | null)[];
  readonly setupP95: readonly (number | null)[];
  readonly failedPercent: readonly (number | null)[];
  /** The number of trials that give no information about the system. */
  readonly leftOut: number;
};

/** The trials that give information about the system, in order of their level. */
export function kneeOf(trials: readonly TrialSeen[]): Knee {
  const ended = trials.filter((t) => t.result !== null);
  const telling = ended
    .filter(({ result, evidence }) => (result === 'PASSED' || result === 'FAILED') && evidence !== null)
    .sort((a, b) => a.level - b.level || a.number - b.number);
  const column = (value: (trial: TrialSeen, evidence: NonNullable<TrialSeen['evidence']>) => number | null) =>
    telling.map((trial) => (trial.evidence ? value(trial, trial.evidence) : null));
  return {
    levels: telling.map(({ level }) => level),
    offered: telling.map(({ level }) => level),
    passed: column(({ result }, { carried }) => (result === 'PASSED' ? carried : null)),
    failed: column(({ result }, { carried }) => (result === 'FAILED' ? carried : null)),
    setupP50: column((_, { setupMs }) => setupMs?.p50 ?? null),
    setupP95: column((_, { setupMs }) => setupMs?.p95 ?? null),
    failedPercent: column((_, { successful, failed }) =>
      successful + failed === 0 ? null : (100 * failed) / (successful + failed),
    ),
    leftOut: ended.length - telling.length,
  };
}
