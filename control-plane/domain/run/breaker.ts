/** The circuit breaker over all workers of a group: the combined results of their calls. Pure. */
import type { BreakerSettings } from '../../contract/test/scenario.ts';

/** This many blocked as fraud, without one success, are not a coincidence. */
export const BLOCKED_CALLS = 10;
/** Window of the breaker, in seconds. */
export const WINDOW_SECONDS = 10;
/** Reports of an agent that was away longer are outdated. */
export const STALE_SECONDS = 30;

export type CallSums = {
  readonly calls: number;
  readonly failures: number;
  /** Since the run started. */
  readonly allCalls: number;
  readonly allBlocked: number;
};

/** Why no more calls should be placed; null: no reason. */
export function breakReason({ failurePercent, minCalls }: BreakerSettings, sums: CallSums): string | null {
  const { calls, failures, allCalls, allBlocked } = sums;
  if (failures === 0) return null;
  if (allBlocked === allCalls && allBlocked >= Math.min(minCalls, BLOCKED_CALLS)) {
    return `the far end blocked all of ${allBlocked} calls of all workers`;
  }
  if (calls < minCalls || failures * 100 < failurePercent * calls) return null;
  return `${failures} of ${calls} calls of all workers failed in the last ${WINDOW_SECONDS} s`;
}
