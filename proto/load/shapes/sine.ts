import { CALLS_PER_SECOND, EVEN, LENGTH, type LoadShape, SECONDS } from './shape.ts';

const FIELDS = {
  fromCallsPerSecond: { ...CALLS_PER_SECOND, label: 'From, calls per second', says: 'at the start of each period' },
  toCallsPerSecond: { ...CALLS_PER_SECOND, label: 'To, calls per second', says: 'after half a period' },
  periodSeconds: { ...SECONDS, label: 'Period, seconds' },
  ...LENGTH,
} as const;

const SUGGESTED_SECONDS = 60;

export const SINE = {
  title: 'As a sine between two rates',
  sentence: 'The rate goes up and down, as a day does. If no endpoint is free, the call is dropped and counted.',
  note: null,
  says: 'the rate goes from one value to another and back within each period, as a sine',
  fields: FIELDS,
  // The calls are due as in an even pace, but the word differs: agents that do not know waves must not use the first rate
  // throughout.
  pace: { ...EVEN, wire: 'SINE' },
  steps: ({ fromCallsPerSecond, toCallsPerSecond, periodSeconds, seconds = Number.POSITIVE_INFINITY }) => [
    { seconds, callsPerSecond: fromCallsPerSecond, wave: { toCallsPerSecond, periodSeconds } },
  ],
  product: ({ fromCallsPerSecond, toCallsPerSecond, seconds }) =>
    `a sine from ${fromCallsPerSecond} to ${toCallsPerSecond} calls/s × ${seconds} s`,
  suggest: (callsPerSecond) => ({
    fromCallsPerSecond: callsPerSecond,
    toCallsPerSecond: 2 * callsPerSecond,
    periodSeconds: SUGGESTED_SECONDS,
  }),
  endedByChange: 'the sine no longer applies',
} as const satisfies LoadShape<typeof FIELDS>;
