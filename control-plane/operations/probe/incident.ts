/** Effects of an incident's states on rows, jobs and receivers (domain/probe/incident-machine.ts decides). */

import { step } from '@carillon/proto/base/machine.ts';
import type { Severity } from '../../contract/probe/words.ts';
import { escalatesAt, type IncidentState, type Patience, pausesAt } from '../../domain/probe/incident-machine.ts';
import { regionOf } from '../../domain/probe/probe.ts';
import { ACTIVITY } from '../../domain/probe/probe-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  continueIncident,
  insertIncident,
  lockOpenIncident,
  markEscalated,
  type OpenIncident,
  openIncidentOf,
  pauseProbe,
  type Reasons,
  resolveIncident,
} from '../../store/probe/incidents.ts';
import { maintenanceIn } from '../../store/probe/maintenance.ts';
import { announce } from '../notify/announce.ts';

export type ProbeRef = {
  readonly probeId: string;
  readonly name: string;
  readonly projectId: string;
  readonly organizationId: string;
};

/** The probe that an announcement is about, and its place. */
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
  firstFailedAt: incident.firstFailedAt?.toISOString() ?? null,
  reason: incident.reason,
});

/** The deciding run and its result; `words` null: the run did not count against the probe. `since`: the first bad one of its series. */
type Decided = {
  readonly to: IncidentState;
  readonly testRunId: string;
  readonly words: Reasons | null;
  readonly since: Date | null;
};

/** Moves an incident from its current state to the new one; the probe is locked. */
export async function moveIncident(
  ports: Ports,
  tx: Tx,
  probe: ProbeRef & Patience,
  open: OpenIncident | undefined,
  { to, testRunId, words, since }: Decided,
): Promise<void> {
  const at = ports.now();
  if (!open && to !== 'NONE' && words) {
    // The clocks of replicas differ.
    const firstFailedAt = since !== null && since > at ? at : since;
    const beginning = { severity: to, startedAt: at, firstFailedAt, testRunId, words };
    await begin(ports, tx, probe, beginning);
  }
  if (open && to === 'NONE') await endIncident(ports, tx, probe, open);
  if (open && to !== 'NONE' && words) await continueIncident(tx, open.id, to, words);
}

type Beginning = {
  readonly severity: Severity;
  readonly startedAt: Date;
  readonly firstFailedAt: Date | null;
  readonly testRunId: string;
  readonly words: Reasons;
};

async function begin(
  ports: Ports,
  tx: Tx,
  probe: ProbeRef & Patience,
  { severity, startedAt, firstFailedAt, testRunId, words }: Beginning,
): Promise<void> {
  const incident = { id: newId(), severity, startedAt, firstFailedAt, ...words };
  await insertIncident(tx, { ...incident, probeId: probe.probeId, openedByRunId: testRunId });
  await watchAt(ports, tx, incident.id, [escalatesAt(startedAt, probe), pausesAt(startedAt, probe)]);
  const data = { ...ofIncident(probe, incident), testRunId };
  await announce(ports, tx, { kind: 'incident.opened', ...addressOf(probe, startedAt), data });
}

export async function endIncident(ports: Ports, tx: Tx, probe: ProbeRef, incident: OpenIncident): Promise<void> {
  const at = ports.now();
  // The clocks of replicas differ.
  const endedAt = at < incident.startedAt ? incident.startedAt : at;
  await resolveIncident(tx, incident.id, endedAt);
  const durationMs = endedAt.getTime() - incident.startedAt.getTime();
  const data = { ...ofIncident(probe, incident), endedAt: endedAt.toISOString(), durationMs };
  await announce(ports, tx, { kind: 'incident.resolved', ...addressOf(probe, endedAt), data });
}

/** Looks at the probe's open incident again, because the probe's patience may have changed. */
export async function watchAgain(ports: Ports, tx: Tx, probeId: string): Promise<void> {
  const incident = await openIncidentOf(tx, probeId);
  if (incident) await ports.jobs.enqueue(tx, 'incident.watch', { incidentId: incident.id });
}

/** Applies what is due by an open incident's age, once, and schedules the rest. */
export const watchIncident = (ports: Ports, incidentId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const incident = await lockOpenIncident(tx, incidentId);
    if (!incident) return;
    const activity = incident.autoPausedAt ? 'AUTO_PAUSED' : incident.enabled ? 'ENABLED' : 'DISABLED';
    // The operator who disabled the probe knows; the incident is looked at again when the probe is enabled.
    if (activity === 'DISABLED') return;
    const at = ports.now();
    const isWanted = incident.escalatedAt === null && incident.acknowledgedAt === null;
    const dueOn = isWanted ? escalatesAt(incident.startedAt, incident) : null;
    // Nobody is notified during maintenance; notifications follow it if the incident is still open.
    const quietUntil = dueOn && at >= dueOn ? await maintenanceIn(tx, incident, at, at) : null;
    const escalatesOn = quietUntil ?? dueOn;
    if (escalatesOn && at >= escalatesOn) {
      await markEscalated(tx, incident.id, at);
      const openForMinutes = Math.floor((at.getTime() - incident.startedAt.getTime()) / 60_000);
      const data = { ...ofIncident(incident, incident), openForMinutes };
      await announce(ports, tx, { kind: 'incident.escalated', ...addressOf(incident, at), data });
    }
    const pausing = step(ACTIVITY.transitions, activity, 'overdue') === 'AUTO_PAUSED';
    const pausesOn = pausing ? pausesAt(incident.startedAt, incident) : null;
    if (pausesOn && at >= pausesOn) {
      const hours = incident.autoPauseAfterHours;
      const reason = `An incident was open for ${hours} h (opened ${incident.startedAt.toISOString()}). Enable the probe to continue.`;
      await pauseProbe(tx, incident.probeId, reason, at);
      ports.log.warn({ probeId: incident.probeId, incidentId }, 'probe paused');
    }
    await watchAt(
      ports,
      tx,
      incident.id,
      [escalatesOn, pausesOn].filter((due) => due !== null && due > at),
    );
  });

/** Schedules a job for the earliest of these instants, if any. Clocks differ: an early job schedules again. */
async function watchAt(ports: Ports, tx: Tx, incidentId: string, due: readonly (Date | null)[]): Promise<void> {
  const [startAfter] = due.filter((d) => d !== null).sort((a, b) => a.getTime() - b.getTime());
  if (startAfter) await ports.jobs.enqueue(tx, 'incident.watch', { incidentId }, { startAfter });
}
