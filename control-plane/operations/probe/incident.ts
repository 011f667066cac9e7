/** What an incident's states mean for rows, jobs and those who are told (domain/incident-machine.ts decides). */
import { v7 as uuid } from 'uuid';
import type { Severity } from '../../contract/words.ts';
import { escalatesAt, type IncidentState, type Patience, pausesAt } from '../../domain/incident-machine.ts';
import { step } from '../../domain/machine.ts';
import { regionOf } from '../../domain/probe.ts';
import { ACTIVITY } from '../../domain/probe-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import {
  insertIncident,
  lockOpenIncident,
  markEscalated,
  type OpenIncident,
  openIncidentOf,
  pauseProbe,
  resolveIncident,
  worsenIncident,
} from '../../store/incidents.ts';
import { announce } from '../announce.ts';

export type ProbeRef = {
  readonly probeId: string;
  readonly name: string;
  readonly projectId: string;
  readonly organizationId: string;
};

/** Who and where an announcement about a probe is about. */
export const addressOf = (probe: ProbeRef, at: Date) => ({
  organizationId: probe.organizationId,
  projectId: probe.projectId,
  at,
});
export const wordsOf = (probe: ProbeRef) => ({
  probeId: probe.probeId,
  probeName: probe.name,
  region: regionOf(probe.name),
});

const ofIncident = (probe: ProbeRef, incident: OpenIncident) => ({
  ...wordsOf(probe),
  incidentId: incident.id,
  severity: incident.severity,
  startedAt: incident.startedAt.toISOString(),
});

/** From what is open to what shall be; the probe is locked. `testRunId`: the run that decided it. */
export async function moveIncident(
  ports: Ports,
  tx: Tx,
  probe: ProbeRef & Patience,
  open: OpenIncident | undefined,
  to: IncidentState,
  testRunId: string,
): Promise<void> {
  const at = ports.now();
  if (!open && to !== 'NONE') await begin(ports, tx, probe, to, at, testRunId);
  if (open && to === 'NONE') await endIncident(ports, tx, probe, open);
  if (open && to !== 'NONE' && to !== open.severity) await worsenIncident(tx, open.id, to);
}

async function begin(
  ports: Ports,
  tx: Tx,
  probe: ProbeRef & Patience,
  severity: Severity,
  startedAt: Date,
  testRunId: string,
): Promise<void> {
  const incident = { id: uuid(), severity, startedAt };
  await insertIncident(tx, { ...incident, probeId: probe.probeId });
  await watchAgain(ports, tx, probe, incident);
  const data = { ...ofIncident(probe, incident), testRunId };
  await announce(ports, tx, { kind: 'incident.opened', ...addressOf(probe, startedAt), data });
}

export async function endIncident(ports: Ports, tx: Tx, probe: ProbeRef, incident: OpenIncident): Promise<void> {
  const at = ports.now();
  // Replicas' clocks differ.
  const endedAt = at < incident.startedAt ? incident.startedAt : at;
  await resolveIncident(tx, incident.id, endedAt);
  const durationMs = endedAt.getTime() - incident.startedAt.getTime();
  const data = { ...ofIncident(probe, incident), endedAt: endedAt.toISOString(), durationMs };
  await announce(ports, tx, { kind: 'incident.resolved', ...addressOf(probe, endedAt), data });
}

/** Jobs for what time alone decides about an open incident; where its probe's patience was changed, they are asked for again. */
export async function watchAgain(ports: Ports, tx: Tx, probe: Patience, incident: OpenIncident): Promise<void> {
  const due = [escalatesAt(incident.startedAt, probe), pausesAt(incident.startedAt, probe)];
  for (const startAfter of due) {
    if (startAfter) await ports.jobs.enqueue(tx, 'incident.watch', { incidentId: incident.id }, { startAfter });
  }
}

/** The same for a probe that was changed. */
export async function watchAgainOf(ports: Ports, tx: Tx, probe: Patience & { readonly id: string }): Promise<void> {
  const incident = await openIncidentOf(tx, probe.id);
  if (incident) await watchAgain(ports, tx, probe, incident);
}

/** Does what an open incident's age asks for, once; harmless when it is too early, or has ended. */
export const watchIncident = (ports: Ports, incidentId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const incident = await lockOpenIncident(tx, incidentId);
    if (!incident) return;
    const at = ports.now();
    if (incident.escalatedAt === null && at >= escalatesAt(incident.startedAt, incident)) {
      await markEscalated(tx, incident.id, at);
      const openForMinutes = Math.floor((at.getTime() - incident.startedAt.getTime()) / 60_000);
      const data = { ...ofIncident(incident, incident), openForMinutes };
      await announce(ports, tx, { kind: 'incident.escalated', ...addressOf(incident, at), data });
    }
    const pausesOn = pausesAt(incident.startedAt, incident);
    const activity = incident.autoPausedAt ? 'AUTO_PAUSED' : incident.enabled ? 'ENABLED' : 'DISABLED';
    if (pausesOn && at >= pausesOn && step(ACTIVITY, activity, 'overdue') === 'AUTO_PAUSED') {
      const hours = incident.autoPauseAfterHours;
      const reason = `An incident was open for ${hours} h (since ${incident.startedAt.toISOString()}). Enable the probe to go on.`;
      await pauseProbe(tx, incident.probeId, reason, at);
      ports.log.warn({ probeId: incident.probeId, incidentId }, 'probe paused');
    }
  });
