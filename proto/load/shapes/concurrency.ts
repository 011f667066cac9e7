import { CALLS_PER_SECOND, LENGTH, type LoadShape, oneStep } from './shape.ts';

const FIELDS = {
  callsPerSecond: {
    ...CALLS_PER_SECOND,
    label: 'Calls per second, at most',
    says: 'highest number of starts per second',
  },
  ...LENGTH,
} as const;

export const CONCURRENCY = {
  title: 'At constant concurrency',
  sentence: 'Each call that ends is replaced by a new one.',
  note: 'If calls last as long as planned.',
  says: 'keeps as many calls in progress as there are callers: each call that ends is replaced by a new one',
  fields: FIELDS,
  pace: { wire: 'HOLD', isRandom: false, waits: true },
  steps: oneStep,
} as const satisfies LoadShape<typeof FIELDS>;
