/** Probes, their incidents and their executions (spec section 2, design 3). */
import * as z from 'zod';
import { Id, Timestamp, Version } from './envelope.ts';
import { METRIC_KEY_NAMES } from './metric-keys.ts';
import { AudioCodecs, Encryption } from './stream-fields.ts';
import { Callee, Placement } from './test.ts';
import { HealthState, PROBE_MODES, RunStatus, SCHEDULE_TYPES, SEVERITIES } from './words.ts';

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
    status: HealthState,
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
    lastInstanceStatus: RunStatus.nullable().describe('null before the first execution'),
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
  value: z.number(),
  status: HealthState,
  higherIsBetter: z.boolean(),
});
export type ThresholdResult = z.infer<typeof ThresholdResult>;

const stepMs = (what: string) => z.number().nullable().describe(`milliseconds, ${what}; null: not measured`);

/** How long each step of an execution took, on its one endpoint. */
export const ExecutionSteps = z
  .object({
    dnsMs: stepMs('to find the servers (RFC 3263)'),
    connectMs: stepMs('to connect, over TCP, TLS or WebSocket'),
    registerMs: stepMs('REGISTER to its 2xx'),
    tryingMs: stepMs('INVITE to 100'),
    ringingMs: stepMs('INVITE to 180 or 183'),
    answerMs: stepMs('INVITE to its 2xx'),
    firstMediaMs: stepMs('2xx to the first media packet'),
    byeMs: stepMs('BYE to its answer'),
  })
  .meta({ id: 'ExecutionSteps' });
export type ExecutionSteps = z.infer<typeof ExecutionSteps>;

export const ProbeInstance = z
  .object({
    id: Id,
    status: HealthState,
    testRunId: Id,
    scheduledAt: Timestamp,
    startedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    thresholdResults: z.array(ThresholdResult).describe('empty for a run that was never graded'),
  })
  .meta({ id: 'ProbeInstance' });

export const ProbeDetail = Probe.extend({
  slug: z.string(),
  version: Version,
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
