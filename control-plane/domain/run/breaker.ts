/** The circuit breaker over all workers of a group: the combined results of their calls. Pure. */
import type { BreakerSettings } from '../../contract/test-settings/scenario.ts';

/** This many calls blocked as fraud, without one success, are not a coincidence. */
export const BLOCKED_CALLS = 10;
export const WINDOW_SECONDS = 10;
/** The reports of an agent that was away for longer are outdated. */
export const STALE_SECONDS = 30;

export type CallSums = {
  readonly calls: number;
  readonly failures: number;
  /** The number of calls since the run started. */
  readonly allCalls: number;
  readonly allBlocked: number;
};

/** The reason why no more calls should be placed; null: no reason. */
export function breakReason({ failurePercent, minCalls }: BreakerSettings, sums: CallSums): string | null {
  const { calls, failures, allCalls, allBlocked } = sums;
  if (failures === 0) return null;
  if (allBlocked === allCalls && allBlocked >= Math.min(minCalls, BLOCKED_CALLS)) {
    return `the far end blocked all of ${allBlocked} calls of all workers`;
  }
  if (calls < minCalls || failures * 100 < failurePercent * calls) return null;
  return `${failures} of ${calls} calls of all workers failed in the last ${WINDOW_SECONDS} s`;
}
