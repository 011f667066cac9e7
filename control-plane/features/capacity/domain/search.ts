/**
 * Searches for the highest sustainable load: the next trial, or the result, from the trials so far. Doubling brackets
 * the ceiling, bisection narrows it, repetitions at both ends confirm it. Each trial is a vote on its level; a level
 * passes if more of its trials passed than failed, and an undecided one is tried again. Pure: equal trials give the
 * same step.
 */
import type { TrialPhase, TrialResult } from '../contract/words.ts';

export type SearchRules = {
  /** No level outside of these limits is tried. */
  readonly least: number;
  readonly most: number;
  /** The level of the first trial. */
  readonly start: number;
  /** Levels are multiples of this value; it is 1 for concurrent calls. */
  readonly grain: number;
  /** The relative distance between both ends of the interval at which the search ends. */
  readonly precision: number;
  /** The number of trials that have to agree beyond the first, at both ends. */
  readonly confirmations: number;
  readonly mostTrials: number;
};

export type TriedLevel = { readonly level: number; readonly result: TrialResult };

export type Answer = {
  /** The highest level that passed; null: none did. */
  readonly level: number | null;
  /**
   * The interval of the ceiling: from the highest level that passed to the lowest that did not; null: no such level was
   * found.
   */
  readonly from: number | null;
  readonly to: number | null;
  readonly found: 'CEILING' | 'GENERATOR_LIMIT' | 'UPPER_BOUND' | 'BELOW_LOWER_BOUND' | 'UNSETTLED';
};

export type Next =
  | { readonly kind: 'TRY'; readonly level: number; readonly phase: TrialPhase }
  | { readonly kind: 'DONE'; readonly answer: Answer };

/** A void trial has no result; after this many at one level the generator cannot produce it. */
const MAX_VOID = 3;

type Tally = { level: number; passed: number; failed: number; voids: number; limited: boolean };

function tally(trials: readonly TriedLevel[]): Tally[] {
  const levels = new Map<number, Tally>();
  for (const { level, result } of trials) {
    const of = levels.get(level) ?? { level, passed: 0, failed: 0, voids: 0, limited: false };
    levels.set(level, of);
    if (result === 'PASSED') of.passed++;
    if (result === 'FAILED') of.failed++;
    if (result === 'VOID') of.voids++;
    if (result === 'LIMITED') of.limited = true;
  }
  return [...levels.values()].sort((a, b) => a.level - b.level);
}

const lead = ({ passed, failed }: Tally): number => passed - failed;
/** The generator cannot produce the level, whatever the system would do. */
const isBeyond = (t: Tally): boolean => t.limited || (t.voids >= MAX_VOID && t.passed + t.failed === 0);
const passes = (t: Tally): boolean => lead(t) > 0;
const isCeiling = (t: Tally): boolean => isBeyond(t) || lead(t) < 0;

export function nextTrial(rules: SearchRules, trials: readonly TriedLevel[]): Next {
  const levels = tally(trials);
  const first = levels.find(isCeiling);
  const below = levels.filter((t) => first === undefined || t.level < first.level);
  const open = below.find((t) => lead(t) === 0);
  const low = below.findLast(passes);
  if (trials.length >= rules.mostTrials) return { kind: 'DONE', answer: answerOf(levels, low, first, 'UNSETTLED') };
  if (trials.length === 0) return retry(within(rules, rules.start), 'BRACKET');
  if (open) return retry(open.level, 'REPEAT');
  // A higher load passed and this one failed, so one of the two results is chance.
  const above = first && !isBeyond(first) && levels.findLast((t) => t.level > first.level && passes(t));
  if (first && above) return retry(lead(above) <= -lead(first) ? above.level : first.level, 'REPEAT');
  if (!first) return upwards(rules, levels, low as Tally);
  if (!low) return downwards(rules, levels, first);
  return inward(rules, levels, low, first);
}

const retry = (level: number, phase: TrialPhase): Next => ({ kind: 'TRY', level, phase });
const rounded = ({ grain }: SearchRules, level: number): number =>
  Math.round(Math.round(level / grain) * grain * 1e6) / 1e6;
const within = (rules: SearchRules, level: number): number =>
  Math.min(rules.most, Math.max(rules.least, rounded(rules, level)));

function upwards(rules: SearchRules, levels: readonly Tally[], low: Tally): Next {
  if (low.level < rules.most) return retry(within(rules, low.level * 2), 'BRACKET');
  if (lead(low) <= rules.confirmations) return retry(low.level, 'CONFIRM');
  return { kind: 'DONE', answer: answerOf(levels, low, undefined, 'UPPER_BOUND') };
}

function downwards(rules: SearchRules, levels: readonly Tally[], first: Tally): Next {
  if (first.level > rules.least) return retry(within(rules, first.level / 2), 'BRACKET');
  if (!isBeyond(first) && -lead(first) <= rules.confirmations) return retry(first.level, 'CONFIRM');
  const found = isBeyond(first) ? 'GENERATOR_LIMIT' : 'BELOW_LOWER_BOUND';
  return { kind: 'DONE', answer: answerOf(levels, undefined, first, found) };
}

function inward(rules: SearchRules, levels: readonly Tally[], low: Tally, high: Tally): Next {
  const middle = between(rules, low.level, high.level);
  if (middle !== null) return retry(middle, 'BISECT');
  if (lead(low) <= rules.confirmations) return retry(low.level, 'CONFIRM');
  if (!isBeyond(high) && -lead(high) <= rules.confirmations) return retry(high.level, 'CONFIRM');
  return { kind: 'DONE', answer: answerOf(levels, low, high, isBeyond(high) ? 'GENERATOR_LIMIT' : 'CEILING') };
}

/** Halves the ratio; null: the levels are close enough, or no level lies between. */
function between(rules: SearchRules, low: number, high: number): number | null {
  if (high <= low * (1 + rules.precision)) return null;
  const middle = rounded(rules, Math.sqrt(low * high));
  if (middle > low && middle < high) return middle;
  const next = rounded(rules, low + rules.grain);
  return next > low && next < high ? next : null;
}

/** If trials of one level disagreed, the interval extends to the next certain one. */
function answerOf(
  levels: readonly Tally[],
  low: Tally | undefined,
  high: Tally | undefined,
  found: Answer['found'],
): Answer {
  const sure = levels.findLast((t) => low !== undefined && t.level <= low.level && t.failed === 0 && t.passed > 0);
  const broken = levels.find(
    (t) => high !== undefined && t.level >= high.level && !isBeyond(t) && t.passed === 0 && t.failed > 0,
  );
  return { level: low?.level ?? null, from: sure?.level ?? null, to: broken?.level ?? null, found };
}
