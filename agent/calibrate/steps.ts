/**
 * Chooses the next load to try, from the results so far. Pure: a search for the greatest load whose noise stays within
 * the limits.
 */

/** The result of a step; null values were not measured. Milliseconds and percent, p99 for distributions. */
export type StepNoise = {
  readonly inviteLatenessMs: number | null;
  readonly pacingErrorMs: number | null;
  readonly skippedSlotsPercent: number | null;
  readonly loopDelayMs: number | null;
  readonly threadCpuPercent: number | null;
  readonly stealPercent: number | null;
  readonly receiveDropsPercent: number | null;
  readonly notStartedPercent: number | null;
};

/**
 * Above these limits a run is SUSPECT (docs/decisions.md, Verdict). The control plane uses the same ones, and a test
 * compares the two tables.
 */
export const NOISE_LIMITS: Readonly<Record<keyof StepNoise, number>> = {
  inviteLatenessMs: 20,
  pacingErrorMs: 5,
  skippedSlotsPercent: 0.5,
  loopDelayMs: 10,
  threadCpuPercent: 70,
  stealPercent: 2,
  receiveDropsPercent: 0,
  notStartedPercent: 0.1,
};

/** Without these values nothing was called or sent, and silence would count as low noise. */
const NEEDED = ['skippedSlotsPercent', 'notStartedPercent'] as const;

/** Why a step failed: the exceeded limits, and required values that were not measured; empty: it succeeded. */
export const faultsOf = (noise: StepNoise): string[] => [
  ...NEEDED.filter((name) => noise[name] === null).map((name) => `${name} was not measured`),
  ...crossed(noise),
];

/** The exceeded limits, each as `pacingErrorMs 7.2 above 5`. */
export const crossed = (noise: StepNoise): string[] =>
  (Object.keys(NOISE_LIMITS) as (keyof StepNoise)[]).flatMap((name) => {
    const value = noise[name];
    return value !== null && value > NOISE_LIMITS[name]
      ? [`${name} ${value.toFixed(1)} above ${NOISE_LIMITS[name]}`]
      : [];
  });

/** A thread was saturated: another attempt would give the same result. */
export const isSpent = ({ threadCpuPercent }: StepNoise): boolean =>
  threadCpuPercent !== null && threadCpuPercent > NOISE_LIMITS.threadCpuPercent;

export type TriedLoad = { readonly load: number; readonly held: boolean };

/** A result that is good to a tenth is good enough: the noise of two minutes on one host differs by more. */
const FINE = 1.1;

/** The next load to try: doubled until one fails, then between the two. Null: the search is over, or `most` succeeded. */
export function nextLoad(tried: readonly TriedLoad[], first: number, most: number): number | null {
  const held = best(tried);
  const failed = Math.min(...tried.filter((one) => !one.held).map((one) => one.load));
  if (failed === Number.POSITIVE_INFINITY) {
    if (held >= most) return null;
    return held === 0 ? Math.min(first, most) : Math.min(2 * held, most);
  }
  const next = held === 0 ? Math.floor(failed / 2) : Math.round(Math.sqrt(held * failed));
  return next < 2 || next <= held || next >= failed || (held > 0 && failed / held <= FINE) ? null : next;
}

/** The greatest load that succeeded; 0: no load did. Loads above a failed one do not count. */
export function best(tried: readonly TriedLoad[]): number {
  const failed = Math.min(...tried.filter((one) => !one.held).map((one) => one.load));
  return Math.max(0, ...tried.filter((one) => one.held && one.load < failed).map((one) => one.load));
}
