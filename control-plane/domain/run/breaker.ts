/** The circuit breaker over all workers of a group: what their calls together say of the far end. Pure. */
import type { BreakerSettings } from '../../contract/test/scenario.ts';

/** So many that were blocked as fraud, and not one that got through, are no accident. */
export const BLOCKED_CALLS = 10;
/** Calls are judged by those of so many seconds. */
export const WINDOW_SECONDS = 10;
/** An agent that was away for longer tells what was, not what is. */
export const STALE_SECONDS = 30;

export type CallSums = {
  readonly calls: number;
  readonly failures: number;
  /** Since the run began. */
  readonly allCalls: number;
  readonly allBlocked: number;
};

/** Why no more calls should be placed by anybody; null: nothing says so. */
export function breakReason({ failurePercent, minCalls }: BreakerSettings, sums: CallSums): string | null {
  const { calls, failures, allCalls, allBlocked } = sums;
  if (failures === 0) return null;
  if (allBlocked === allCalls && allBlocked >= Math.min(minCalls, BLOCKED_CALLS)) {
    return `the far end blocked all of ${allBlocked} calls of all workers`;
  }
  if (calls < minCalls || failures * 100 < failurePercent * calls) return null;
  return `${failures} of ${calls} calls of all workers failed in the last ${WINDOW_SECONDS} s`;
}
