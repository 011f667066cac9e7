/** The incidents of a probe: when it was bad. */
import * as z from 'zod';
import { Id, Timestamp, Version } from '../envelope.ts';
import { Text } from '../fields.ts';
import { ProbeInstance } from './probe-instance.ts';
import { SEVERITIES } from './words.ts';

export const Incident = z
  .object({
    id: Id,
    probeId: Id,
    region: z.string().nullable().describe("from a trailing (region) of the probe's name"),
    severity: z.enum(SEVERITIES),
    startedAt: Timestamp.describe('when it was opened'),
    firstFailedAt: Timestamp.nullable().describe('the first bad execution of the series; null: not known'),
    endedAt: Timestamp.nullable(),
    durationMs: z.int().nullable().describe('from startedAt to endedAt'),
    message: z.null().describe('reserved, nothing writes it'),
    reason: z.string().nullable().describe('result of the last execution that counted against the probe'),
    acknowledgedAt: Timestamp.nullable().describe('null: not acknowledged'),
    acknowledgedBy: z.string().nullable().describe('name of the user'),
    note: z.string().nullable(),
  })
  .meta({ id: 'ProbeIncident' });

export const IncidentDetail = Incident.extend({
  probeName: z.string(),
  openedByTestRunId: Id.nullable().describe('the run that opened it; null: not known'),
  escalatedAt: Timestamp.nullable(),
  executions: z
    .array(ProbeInstance)
    .describe('executions from the first failed one to the one that resolved it, newest first'),
}).meta({ id: 'ProbeIncidentDetail' });

export const IncidentChange = {
  acknowledged: z.boolean().optional().describe('true: acknowledged, so it is not escalated; false: withdraws this'),
  note: Text.max(2000).nullable().optional(),
};

/** In a maintenance window probes are executed and graded, but raise no alarms. */
export const MaintenanceWindow = z
  .object({
    id: Id,
    probeId: Id.nullable().describe('null: every probe of the project'),
    probeName: z.string().nullable(),
    startsAt: Timestamp,
    endsAt: Timestamp,
    note: z.string(),
    state: z.enum(['PLANNED', 'CURRENT', 'PAST']),
    createdBy: z.string().nullable().describe('name of the user'),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'MaintenanceWindow' });

export const NewMaintenanceWindow = {
  probeId: Id.nullable().default(null).describe('null: every probe of the project'),
  startsAt: Timestamp,
  endsAt: Timestamp.describe('after startsAt, at most 31 days'),
  note: Text.max(2000).default(''),
};
export const MaintenanceChange = {
  startsAt: Timestamp.optional(),
  endsAt: Timestamp.optional().describe('an instant that is past ends it now'),
  note: Text.max(2000).optional(),
};
