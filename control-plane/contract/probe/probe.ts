/** Probes (docs/contract.md, States; docs/decisions.md, Grading). */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import { HEALTH_STATES } from '../run/measured-words.ts';
import { RUN_STATUSES } from '../run-status.ts';
import { PROBE_SETTINGS, schemasOf } from '../test-settings/settings.ts';
import { Callee, Placement } from '../test-settings/test.ts';
import { PROBE_MODES } from '../test-settings/words.ts';
import { Threshold } from '../threshold.ts';
import { ProbeInstance } from './probe-instance.ts';
import { SCHEDULE_TYPES } from './words.ts';

export const LastInstances = z.array(
  z.object({ testRunId: Id, status: z.enum(HEALTH_STATES), scheduledAt: Timestamp }),
);

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
    lastMessage: z.string().nullable().describe('result of the last graded execution, in one sentence'),
    failingSince: Timestamp.nullable().describe(
      'the first of the current consecutive bad executions; null: the last was good',
    ),
    maintenanceUntil: Timestamp.nullable().describe('null: no maintenance window is open'),
    thresholds: z.array(Threshold),
    lastInstances: LastInstances.optional().describe('its last executions, oldest first, as many as were asked for'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Probe' });

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
      ...schemasOf(PROBE_SETTINGS),
    })
    .describe('the one call of an execution'),
  recentInstances: z.array(ProbeInstance).describe('the last executions, most recently scheduled first'),
}).meta({ id: 'ProbeDetail' });
