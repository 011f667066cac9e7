/** The impairments of the self-test. One row per kind; each has its own streams, all in parallel. */
import { type Impairment, NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';

export type Trial = {
  readonly name: string;
  readonly impairment: Impairment;
  /** Media flow in both directions, but only one direction is impaired. */
  readonly bothWays: boolean;
};

const trial = (name: string, setting: Partial<Impairment>, bothWays = false): Trial => ({
  name,
  impairment: { ...NO_IMPAIRMENT, ...setting },
  bothWays,
});

export const TRIALS: readonly Trial[] = [
  trial('nothing', {}),
  trial('loss 1 %', { lossPercent: 1 }),
  trial('loss 3 %', { lossPercent: 3 }),
  trial('loss 10 %', { lossPercent: 10 }),
  trial('loss 10 % in bursts', { lossPercent: 10, burstRatio: 3 }),
  trial('jitter 5 ms, even', { jitterMs: 5 }),
  trial('jitter 20 ms, even', { jitterMs: 20 }),
  trial('jitter 5 ms, normal', { jitterMs: 5, jitterDistribution: 'NORMAL' }),
  trial('delay spikes', { jitterMs: 15, jitterDistribution: 'SPIKES' }),
  trial('reordered 5 %', { reorderPercent: 5 }),
  trial('doubled 5 %', { duplicatePercent: 5 }),
  trial('all at once', {
    lossPercent: 3,
    burstRatio: 2,
    delayMs: 40,
    jitterMs: 2,
    reorderPercent: 2,
    duplicatePercent: 2,
  }),
  trial('one way, 80 ms late', { lossPercent: 2, delayMs: 80 }, true),
];
