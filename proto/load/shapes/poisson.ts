import { CALLS_PER_SECOND, LENGTH, type LoadShape, oneStep } from './shape.ts';

const FIELDS = {
  callsPerSecond: CALLS_PER_SECOND,
  seed: {
    says: 'the same seed gives the same instants',
    isWhole: true,
    min: 0,
    max: 0xffff_ffff,
    fallback: 1,
  },
  ...LENGTH,
} as const;

export const POISSON = {
  title: 'At random (Poisson)',
  sentence: 'Independent arrivals, as from many people. If no endpoint is free, the call is dropped and counted.',
  note: 'Starts vary by chance around this rate; the dashed line holds for 19 of 20 seconds.',
  says: 'independent arrivals: exponential pauses of this mean rate',
  fields: FIELDS,
  pace: { wire: 'POISSON', isRandom: true, waits: false },
  steps: oneStep,
} as const satisfies LoadShape<typeof FIELDS>;
