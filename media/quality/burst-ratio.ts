/**
 * BurstR of G.107: the mean length of the observed runs of consecutive missing packets over the mean length that
 * independent loss of the same rate would show, 1 / (1 - p). A run here is not a burst of RFC 3611.
 */

/** G.107 defines the range; below 1 the loss is more even than chance. */
const BURST_RATIO_MIN = 1;
export const BURST_RATIO_MAX = 8;

/** With fewer runs, the mean length is not significant. */
export const BURST_RATIO_MIN_RUNS = 10;

/** The ratio of `missing` packets in `runs` runs out of `expected` packets; 1 if none is missing. */
export function burstRatio(missing: number, runs: number, expected: number): number {
  if (missing <= 0 || runs <= 0 || expected <= 0) return BURST_RATIO_MIN;
  const ratio = (missing / runs) * (1 - missing / expected);
  return Math.min(BURST_RATIO_MAX, Math.max(BURST_RATIO_MIN, ratio));
}

/** The burst ratio used in ratings: 1 until enough runs were observed. */
export const trustedBurstRatio = (missing: number, runs: number, expected: number): number =>
  runs < BURST_RATIO_MIN_RUNS ? BURST_RATIO_MIN : burstRatio(missing, runs, expected);
