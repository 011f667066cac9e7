import { CALLS_PER_SECOND, EVEN, type LoadShape, SECONDS } from './shape.ts';

const FIELDS = {
  steps: { name: 'Step', row: { callsPerSecond: CALLS_PER_SECOND, seconds: SECONDS }, max: 100 },
} as const;
const SUGGESTED_SECONDS = 30;

export const STEPS = {
  title: 'In steps of a rate',
  sentence: 'One rate after another. If no endpoint is free, the call is dropped and counted.',
  note: null,
  says: null,
  fields: FIELDS,
  pace: EVEN,
  steps: ({ steps }) => steps,
  product: ({ steps }) => `start ${steps.map((step) => `${step.callsPerSecond} × ${step.seconds}`).join(' + ')}`,
  suggest: (callsPerSecond) => ({
    steps: [1, 2].map((times) => ({ callsPerSecond: callsPerSecond * times, seconds: SUGGESTED_SECONDS })),
  }),
  endedByChange: 'later steps no longer apply',
} as const satisfies LoadShape<typeof FIELDS>;
