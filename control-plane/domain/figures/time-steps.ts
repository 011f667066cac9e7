/** What the store has of a run by steps of time, from which its timeline is put together. `at`: when a step begins. */

export type CallStep = {
  readonly at: Date;
  readonly started: number;
  readonly answered: number;
  readonly left: number;
  readonly ended: number;
  readonly failed: number;
  /** The calls whose final response has the class 2 to 6; 0: no final response. */
  readonly classes: Readonly<Record<string, number>>;
  /** `p50`, `p95`, `p99`; null: no call was answered. */
  readonly setup: readonly number[] | null;
  readonly setups: number;
};

export type StartStep = {
  readonly at: Date;
  readonly planned: number;
  readonly noFreeEndpoint: number;
  readonly dropped: number;
  readonly heldBack: number;
};

export type RatingStep = { readonly at: Date; readonly bucket: number; readonly count: number };

export type LossStep = { readonly at: Date; readonly loss: number | null };

export type NoiseStep = {
  readonly at: Date;
  readonly loopDelay: number | null;
  readonly pacingError: number | null;
  /** In percent. */
  readonly skipped: number | null;
  readonly cpu: number | null;
  readonly steal: number | null;
  readonly drops: number | null;
};
