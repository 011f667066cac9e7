import { CALLS_PER_SECOND, EVEN, LENGTH, type LoadShape, oneStep } from './shape.ts';

const FIELDS = { callsPerSecond: CALLS_PER_SECOND, ...LENGTH } as const;

export const RATE = {
  title: 'At a steady rate',
  sentence: 'A free endpoint places each call that is due. If no endpoint is free, the call is dropped and counted.',
  note: null,
  says: null,
  fields: FIELDS,
  pace: EVEN,
  steps: oneStep,
  product: ({ callsPerSecond, seconds }) => `${callsPerSecond} calls/s × ${seconds} s`,
} as const satisfies LoadShape<typeof FIELDS>;
