/**
 * Calls in each second: the curves of a run, added up as calls end. store/run/views/timeline.ts computes the same from
 * rows. Pure.
 */
import type { ReportedOutcome } from '../run/facts.ts';
import type { FoldedCall } from './folded-call.ts';
import { bucketOf } from './spread.ts';

/** The first digit of the final response; 0: no final response. */
const CLASSES = 7;

export type SecondSums = {
  /** In seconds since 1970. */
  readonly second: number;
  started: number;
  answered: number;
  left: number;
  ended: number;
  successful: number;
  failed: number;
  readonly classes: number[];
  /** The times from INVITE to answer of the calls that were answered in this second, by bucket (spread.ts). */
  readonly setups: Map<number, number>;
};

export type CallSeconds = Map<number, SecondSums>;

type SummedField = 'plannedUnixMs' | 'attempted' | 'inviteLateMs' | 'callSetupMs' | 'callDurationMs' | 'finalStatus';
/** The outcome is null until the end. */
export type OpenCall = Pick<FoldedCall, 'phases' | 'answered' | 'countsAsCall'> & {
  readonly outcome: Pick<ReportedOutcome, SummedField> & { readonly outcome: string | null };
};

function at(seconds: CallSeconds, unixMs: number): SecondSums {
  const second = Math.floor(unixMs / 1000);
  let sums = seconds.get(second);
  if (sums === undefined) {
    sums = {
      second,
      started: 0,
      answered: 0,
      left: 0,
      ended: 0,
      successful: 0,
      failed: 0,
      classes: new Array<number>(CLASSES).fill(0),
      setups: new Map(),
    };
    seconds.set(second, sums);
  }
  return sums;
}

/** The first known value; NaN: none. */
const known = (...values: readonly number[]): number => values.find((value) => !Number.isNaN(value)) ?? Number.NaN;

/**
 * Later reports of older agents, with their calls' ends, replace the instants of phases. An open call has NaN as its
 * end.
 */
export function addSeconds(seconds: CallSeconds, { outcome, phases, answered, countsAsCall }: OpenCall): void {
  if (!countsAsCall) return;
  const { plannedUnixMs, attempted } = outcome;
  const calledMs = known(phases.calledUnixMs, attempted ? plannedUnixMs + known(outcome.inviteLateMs, 0) : Number.NaN);
  const answeredMs = known(phases.answeredUnixMs, answered ? plannedUnixMs + outcome.callSetupMs : Number.NaN);
  const isAnswered = !Number.isNaN(answeredMs);
  if (!Number.isNaN(calledMs)) at(seconds, calledMs).started++;
  if (isAnswered) {
    const sums = at(seconds, answeredMs);
    sums.answered++;
    addClass(sums, 2);
    const setupMs = known(outcome.callSetupMs, answeredMs - calledMs);
    if (!Number.isNaN(setupMs)) sums.setups.set(bucketOf(setupMs), (sums.setups.get(bucketOf(setupMs)) ?? 0) + 1);
    const leftMs = known(phases.leftUnixMs, answeredMs + outcome.callDurationMs, phases.closedUnixMs);
    // A call that was answered while the CANCEL was on its way had been given up earlier.
    if (!Number.isNaN(leftMs)) at(seconds, Math.max(leftMs, answeredMs)).left++;
  }
  if (Number.isNaN(phases.closedUnixMs)) return;
  const end = at(seconds, phases.closedUnixMs);
  if (!Number.isNaN(calledMs)) end.ended++;
  if (attempted && outcome.outcome === 'SUCCESS') end.successful++;
  if (outcome.outcome !== null && outcome.outcome !== 'SUCCESS') end.failed++;
  if (attempted && !isAnswered) addClass(end, Math.floor(outcome.finalStatus / 100));
}

const addClass = ({ classes }: SecondSums, of: number): void => {
  if (of < CLASSES) classes[of] = (classes[of] as number) + 1;
};

const COUNTS = ['started', 'answered', 'left', 'ended', 'successful', 'failed'] as const;

/** Adds the sums of a second, or of a shorter step, to those of the step of so many seconds that it is in. */
export function addToStep(steps: CallSeconds, from: SecondSums, stepSeconds: number): void {
  const sums = at(steps, Math.floor(from.second / stepSeconds) * stepSeconds * 1000);
  for (const name of COUNTS) sums[name] += from[name];
  for (const [of, n] of from.classes.entries()) sums.classes[of] = (sums.classes[of] as number) + n;
  for (const [bucket, n] of from.setups) sums.setups.set(bucket, (sums.setups.get(bucket) ?? 0) + n);
}
