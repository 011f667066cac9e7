/** The organization as a whole: current activity, the plan's limits, and current use. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { Name } from '../fields.ts';
import { LastInstances } from '../probe/probe.ts';
import { SEVERITIES } from '../probe/words.ts';
import { HEALTH_STATES } from '../run/measured-words.ts';
import { Run } from '../run/run.ts';
import { KeyDays, NeedsSecondFactor } from './account.ts';
import { PlanLimits } from './plans.ts';
import { TIERS } from './words.ts';

const OfProject = { projectId: Id, projectName: z.string() };

export const Overview = z
  .object({
    runs: z.array(Run.extend(OfProject)).describe('runs that have not ended, last submitted first; 20 at most'),
    incidents: z
      .array(
        z.object({
          id: Id,
          probeId: Id,
          probeName: z.string(),
          ...OfProject,
          severity: z.enum(SEVERITIES),
          startedAt: Timestamp,
          reason: z.string().nullable().describe('result of the last execution that counted against the probe'),
          acknowledgedAt: Timestamp.nullable().describe('null: not acknowledged'),
          acknowledgedBy: z.string().nullable().describe('name of the user'),
        }),
      )
      .describe('open incidents, last started first; 20 at most'),
    probes: z
      .array(
        z.object({
          id: Id,
          name: z.string(),
          ...OfProject,
          status: z.enum(HEALTH_STATES),
          enabled: z.boolean(),
          autoPausedAt: Timestamp.nullable(),
          lastSkipReason: z.string().nullable(),
          lastMessage: z.string().nullable().describe('result of the last graded execution, in one sentence'),
          maintenanceUntil: Timestamp.nullable().describe('null: no maintenance window is open'),
          lastInstances: LastInstances.describe('its last executions, oldest first; 40 at most'),
        }),
      )
      .describe('the worst first; 20 at most'),
    counts: z.object({
      runs: z.int().describe('runs that have not ended'),
      incidents: z.int().describe('open incidents'),
      probes: z.int(),
      enabledProbes: z.int(),
      badProbes: z.int().describe('enabled probes that are DEGRADED or UNHEALTHY'),
      unknownProbes: z.int().describe('enabled probes that are UNKNOWN'),
      workers: z.int(),
      onlineWorkers: z.int(),
      waitingWorkers: z.int().describe('workers whose agent has not joined yet'),
    }),
  })
  .meta({ id: 'Overview' });

const Named = z.object({ id: Id, name: z.string(), ...OfProject });

export const FoundNames = z
  .object({
    tests: z.array(Named),
    probes: z.array(Named),
    runs: z
      .array(Run.pick({ id: true, testName: true, status: true, submittedAt: true }).extend(OfProject))
      .describe('among the last 100 of each project, last submitted first'),
  })
  .meta({ id: 'FoundNames' });

export const PlanUse = z
  .object({
    plan: z.enum(TIERS),
    limits: PlanLimits,
    period: z.object({ from: Timestamp, to: Timestamp }).describe('the calendar month (UTC) of the credits'),
    used: z.object({
      endpointMinutes: z.number().describe('credits of runs that ended in the period'),
      heldEndpointMinutes: z.number().describe('credits that open runs will need'),
      runs: z.int().describe('runs that ended in the period'),
      concurrentEndpoints: z.int(),
      concurrentRuns: z.int(),
      probes: z.int(),
    }),
    plans: z.array(z.object({ plan: z.enum(TIERS), limits: PlanLimits })).describe('of this installation'),
  })
  .meta({ id: 'PlanUse' });

export const Organization = z
  .object({ id: Id, name: z.string(), plan: z.enum(TIERS), keyDays: KeyDays, needsSecondFactor: NeedsSecondFactor })
  .meta({ id: 'Organization' });
export const OrganizationChange = {
  name: Name.optional(),
  keyDays: KeyDays.optional(),
  needsSecondFactor: NeedsSecondFactor.optional(),
};
