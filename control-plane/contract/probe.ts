/** Probes, their incidents and their executions (spec section 2, design 3). */
import * as z from 'zod';
import { Id, Timestamp, Version } from './envelope.ts';
import { METRIC_KEY_NAMES } from './metric-keys.ts';
import { AudioCodecs, Encryption } from './stream-fields.ts';
import { Callee, Placement } from './test.ts';
import { HEALTH_STATES, PROBE_MODES, RUN_STATUSES, SCHEDULE_TYPES, SEVERITIES } from './words.ts';

export const Threshold = z
  .object({
    id: Id,
    metricKey: z.enum(METRIC_KEY_NAMES),
    greenValue: z.number().describe('HEALTHY on its good side or equal to it'),
    orangeValue: z.number().describe('DEGRADED up to and including it, UNHEALTHY past it'),
    enabled: z.boolean(),
  })
  .meta({ id: 'Threshold' });

export const Probe = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    mode: z.enum(PROBE_MODES),
    status: z.enum(HEALTH_STATES),
    enabled: z.boolean(),
    scheduleType: z.enum(SCHEDULE_TYPES),
    fixedIntervalSec: z.int().nullable(),
    cronExpression: z.string().nullable(),
    timeOfDayStartUtc: z.string().nullable(),
    timeOfDayEndUtc: z.string().nullable(),
    timezone: z.string(),
    durationSeconds: z.int(),
    alertStrikeRuns: z.int().describe('consecutive failed runs that open an incident'),
    parentProbeId: Id.nullable(),
    lastInstanceStatus: z.enum(RUN_STATUSES).nullable().describe('null before the first execution'),
    lastInstanceAt: Timestamp.nullable().describe('null before the first execution'),
    escalateAfterMinutes: z.int(),
    autoPauseAfterHours: z.int().nullable(),
    autoPausedAt: Timestamp.nullable(),
    autoPauseReason: z.string().nullable(),
    lastSkipReason: z.string().nullable(),
    lastSkipAt: Timestamp.nullable(),
    thresholds: z.array(Threshold),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Probe' });

export const Incident = z
  .object({
    id: Id,
    probeId: Id,
    region: z.string().nullable().describe("from a trailing (region) of the probe's name"),
    severity: z.enum(SEVERITIES),
    startedAt: Timestamp,
    endedAt: Timestamp.nullable(),
    durationMs: z.int().nullable(),
    message: z.null().describe('reserved, nothing writes it'),
  })
  .meta({ id: 'ProbeIncident' });

export const ThresholdResult = z.object({
  metricKey: z.enum(METRIC_KEY_NAMES),
  displayName: z.string(),
  unit: z.string(),
  value: z.number().describe('0 where the status is UNKNOWN: it was not measured'),
  status: z.enum(HEALTH_STATES),
  higherIsBetter: z.boolean(),
});
export type ThresholdResult = z.infer<typeof ThresholdResult>;

const STEPS = [
  'dnsMs',
  'connectMs',
  'registerMs',
  'tryingMs',
  'ringingMs',
  'answerMs',
  'firstMediaMs',
  'byeMs',
  'optionsMs',
] as const;
/** Trying, ringing and answer from INVITE on, media from the answer on. */
export type ExecutionSteps = { readonly [step in (typeof STEPS)[number]]: number | null };

export const ExecutionSteps = z
  .record(z.string(), z.number().nullable())
  .describe(`milliseconds of ${STEPS.join(', ')}; null: not measured`);

export const ProbeInstance = z
  .object({
    id: Id,
    status: z.enum(HEALTH_STATES),
    testRunId: Id,
    scheduledAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    thresholdResults: z.array(ThresholdResult).describe('empty for a run that was never graded'),
    repeatedTestRunId: Id.nullable().describe(
      'the failed run of another worker that this one repeated before it counted',
    ),
    steps: ExecutionSteps.nullable(),
  })
  .meta({ id: 'ProbeInstance' });

export const ProbeDetail = Probe.extend({
  slug: z.string(),
  version: Version,
  expectedStatusCodes: z.array(z.int()).nullable(),
  nextTickAt: Timestamp.nullable().describe('null: not enabled, or not planned yet'),
  strikes: z.int(),
  test: z
    .object({
      registrarId: Id,
      callee: Callee,
      placement: Placement,
      audioCodecs: AudioCodecs,
      encryption: Encryption,
    })
    .describe('the one call of an execution'),
  recentInstances: z.array(ProbeInstance).describe('the last executions, most recently scheduled first'),
}).meta({ id: 'ProbeDetail' });
