/** The rows of the catalogue about probes: their state, executions and incidents, and maintenance windows. */
import * as z from 'zod';
import { Deleted, Page, Timestamp } from '../envelope.ts';
import { cursorOf } from '../query.ts';
import type { OperationRow } from '../row.ts';
import { HEALTH_STATES } from '../run/measured-words.ts';
import {
  Incident,
  IncidentChange,
  IncidentDetail,
  MaintenanceChange,
  MaintenanceWindow,
  NewMaintenanceWindow,
} from './incident.ts';
import { Probe, ProbeDetail } from './probe.ts';
import { ProbeInstance } from './probe-instance.ts';
import { SEVERITIES } from './words.ts';

const projectId = z.string().describe('project id');
const probeId = z.string().describe('probe id');
const incidentId = z.string().describe('incident id');
const maintenanceWindowId = z.string().describe('maintenance window id');

const single = { answers: 'single', extension: true } as const;
const incident = '/projects/{projectId}/probes/{probeId}/incidents/{incidentId}';
const windows = '/projects/{projectId}/maintenance-windows';

export const PROBES = {
  listProbes: {
    method: 'GET',
    path: '/projects/{projectId}/probes',
    summary: 'Probes of a project, with their health and reasons that prevent them from running',
    role: 'VIEWER',
    input: z.object({
      projectId,
      ...Page,
      ...cursorOf(['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt']),
      last_instances: z.coerce.number().int().min(1).max(40).optional().describe('last executions in each row'),
    }),
    output: Probe,
    answers: 'list',
    status: 200,
  },
  getProbe: {
    method: 'GET',
    path: '/projects/{projectId}/probes/{probeId}',
    summary: 'One probe with its schedule and thresholds',
    role: 'VIEWER',
    input: z.object({ projectId, probeId }),
    output: ProbeDetail,
    answers: 'single',
    status: 200,
    versioned: true,
  },
  listProbeIncidents: {
    method: 'GET',
    path: '/projects/{projectId}/probes/{probeId}/incidents',
    summary: 'Incidents of a probe and its siblings: open ones first, then most recently started first',
    role: 'VIEWER',
    input: z.object({
      projectId,
      probeId,
      ...Page,
      severity: z.enum(SEVERITIES).optional(),
      state: z.enum(['open', 'resolved']).optional().describe('omitted: both'),
      ...cursorOf(['openFirst', '-startedAt', 'startedAt']),
    }),
    output: Incident,
    answers: 'list',
    status: 200,
  },
  listProbeInstances: {
    method: 'GET',
    path: '/projects/{projectId}/probes/{probeId}/instances',
    summary: 'Executions of a probe with their verdicts, most recently scheduled first',
    role: 'VIEWER',
    input: z.object({
      projectId,
      probeId,
      ...Page,
      status: z.enum(HEALTH_STATES).optional(),
      from: Timestamp.optional().describe('scheduled at that instant or later'),
      to: Timestamp.optional().describe('scheduled before that instant'),
      ...cursorOf(['-scheduledAt', 'scheduledAt']),
    }),
    output: ProbeInstance,
    answers: 'list',
    status: 200,
  },
  runProbe: {
    method: 'POST',
    path: '/projects/{projectId}/probes/{probeId}/run',
    summary: 'Run a probe now',
    role: 'TESTER',
    input: z.object({ projectId, probeId }),
    output: ProbeInstance,
    answers: 'single',
    status: 201,
    once: true,
  },
  getProbeIncident: {
    ...single,
    method: 'GET',
    status: 200,
    path: incident,
    summary: 'One incident of a probe or its siblings, with its executions',
    role: 'VIEWER',
    input: z.object({ projectId, probeId, incidentId }),
    output: IncidentDetail,
  },
  updateProbeIncident: {
    ...single,
    method: 'PATCH',
    status: 200,
    path: incident,
    summary: 'Acknowledge an incident, or add a note',
    role: 'TESTER',
    input: z.object({ projectId, probeId, incidentId, ...IncidentChange }),
    output: IncidentDetail,
  },
  listMaintenanceWindows: {
    method: 'GET',
    answers: 'list',
    status: 200,
    extension: true,
    path: windows,
    summary: 'Maintenance windows of a project, the latest first',
    role: 'VIEWER',
    input: z.object({
      projectId,
      ...Page,
      state: z.enum(['PLANNED', 'CURRENT', 'PAST']).optional(),
      probe_id: z.string().optional().describe('windows that apply to this probe'),
      ...cursorOf(['-startsAt', 'startsAt']),
    }),
    output: MaintenanceWindow,
  },
  createMaintenanceWindow: {
    ...single,
    method: 'POST',
    status: 201,
    once: true,
    versioned: true,
    path: windows,
    summary: 'Plan maintenance: probes are executed and graded, but raise no alarm',
    role: 'EDITOR',
    input: z.object({ projectId, ...NewMaintenanceWindow }),
    output: MaintenanceWindow,
  },
  getMaintenanceWindow: {
    ...single,
    method: 'GET',
    status: 200,
    versioned: true,
    path: `${windows}/{maintenanceWindowId}`,
    summary: 'One maintenance window',
    role: 'VIEWER',
    input: z.object({ projectId, maintenanceWindowId }),
    output: MaintenanceWindow,
  },
  updateMaintenanceWindow: {
    ...single,
    method: 'PATCH',
    status: 200,
    versioned: true,
    path: `${windows}/{maintenanceWindowId}`,
    summary: 'Change a maintenance window, or end it',
    role: 'EDITOR',
    input: z.object({ projectId, maintenanceWindowId, ...MaintenanceChange }),
    output: MaintenanceWindow,
  },
  deleteMaintenanceWindow: {
    ...single,
    method: 'DELETE',
    status: 200,
    versioned: true,
    path: `${windows}/{maintenanceWindowId}`,
    summary: 'Delete a maintenance window; executions in it are not changed',
    role: 'EDITOR',
    input: z.object({ projectId, maintenanceWindowId }),
    output: Deleted,
  },
} as const satisfies Record<string, OperationRow>;
