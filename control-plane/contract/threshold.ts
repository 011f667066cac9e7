/** Limits of metrics, and a run's results compared with them: a probe's grade, or whether a test passed. */
import * as z from 'zod';
import { Id } from './envelope.ts';
import { METRIC_KEY_NAMES } from './metric-keys.ts';
import { HEALTH_STATES } from './run/measured-words.ts';

export const Threshold = z
  .object({
    id: Id,
    metricKey: z.enum(METRIC_KEY_NAMES),
    greenValue: z.number().describe('limit of HEALTHY: values on its good side or equal to it'),
    orangeValue: z.number().describe('limit of DEGRADED: values up to and including it; UNHEALTHY beyond it'),
    enabled: z.boolean(),
  })
  .meta({ id: 'Threshold' });

export const ThresholdResult = z.object({
  metricKey: z.enum(METRIC_KEY_NAMES),
  displayName: z.string(),
  unit: z.string(),
  value: z.number().describe('0 if the status is UNKNOWN: not measured'),
  count: z.int().default(0).describe('number of values; 0: not measured'),
  status: z.enum(HEALTH_STATES),
  higherIsBetter: z.boolean(),
});
export type ThresholdResult = z.infer<typeof ThresholdResult>;

export const JudgedThreshold = ThresholdResult.extend({
  greenValue: z.number(),
  orangeValue: z.number(),
}).meta({ id: 'JudgedThreshold' });
export type JudgedThreshold = z.infer<typeof JudgedThreshold>;
