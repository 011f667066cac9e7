/**
 * Network impairments of a stream as a setting: loss, delay, jitter, reordering, duplicates, all from one seed.
 * Long-run shares equal the settings; `delay-distribution.ts` defines the jitter.
 */

/**
 * UNIFORM: evenly distributed. NORMAL: bell-shaped, cut at three deviations. SPIKES: mostly small, rarely very large
 * (Pareto's law, cut).
 */
export const JITTER_DISTRIBUTIONS = ['UNIFORM', 'NORMAL', 'SPIKES'] as const;
export type JitterDistribution = (typeof JITTER_DISTRIBUTIONS)[number];

export type Impairment = {
  /** An integer from 0 to 2^32 - 1. Each stream of a group draws different numbers from it. */
  readonly seed: number;
  /** Share of datagrams that are lost, percent. */
  readonly lossPercent: number;
  /** BurstR of G.107: mean length of a run of lost datagrams over that of independent loss; 1 is independent loss. */
  readonly burstRatio: number;
  /** The delay added to every datagram. */
  readonly delayMs: number;
  /**
   * The standard deviation of the delay added to `delayMs`; the added delay starts at 0. Jitter never reorders datagrams.
   */
  readonly jitterMs: number;
  readonly jitterDistribution: JitterDistribution;
  /** Share of datagrams that the next one overtakes, percent. */
  readonly reorderPercent: number;
  /** Share of datagrams that arrive twice, percent. */
  readonly duplicatePercent: number;
};

/** The lowest and highest value of each number. */
export const IMPAIRMENT_LIMITS = {
  seed: [0, 0xffffffff],
  lossPercent: [0, 90],
  burstRatio: [1, 8],
  delayMs: [0, 2000],
  jitterMs: [0, 200],
  reorderPercent: [0, 30],
  duplicatePercent: [0, 100],
} as const satisfies Record<Exclude<keyof Impairment, 'jitterDistribution'>, readonly [number, number]>;

export const NO_IMPAIRMENT: Impairment = {
  seed: 1,
  lossPercent: 0,
  burstRatio: 1,
  delayMs: 0,
  jitterMs: 0,
  jitterDistribution: 'UNIFORM',
  reorderPercent: 0,
  duplicatePercent: 0,
};

/** Why the impairment is not valid; null if it is valid. */
export function impairmentFault(value: Impairment): string | null {
  for (const [name, [least, greatest]] of Object.entries(IMPAIRMENT_LIMITS)) {
    const number = value[name as keyof typeof IMPAIRMENT_LIMITS];
    if (typeof number !== 'number' || !(number >= least && number <= greatest))
      return `impairment.${name} is ${number}, not within ${least} to ${greatest}`;
  }
  if (!Number.isInteger(value.seed)) return `impairment.seed is ${value.seed}, no whole number`;
  if (!JITTER_DISTRIBUTIONS.includes(value.jitterDistribution))
    return `impairment.jitterDistribution is ${value.jitterDistribution}, not one of ${JITTER_DISTRIBUTIONS.join(', ')}`;
  return null;
}
