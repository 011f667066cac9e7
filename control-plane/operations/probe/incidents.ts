/** Incidents of probes: the list, a single one in full, and acknowledgement. */
import type { Input, Output } from '../../contract/catalogue.ts';
import { regionOf } from '../../domain/probe/probe.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { countIncidents, findIncident, listIncidents, noteIncident } from '../../store/probe/incidents.ts';
import { executionsOfIncident, findProbe } from '../../store/probe/probes.ts';
import { changing } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { watchAgain } from './incident.ts';
import { instanceView } from './probes.ts';

type Row = Omit<Awaited<ReturnType<typeof listIncidents>>[number], 'place'>;

const view = ({ probeName, startedAt, firstFailedAt, endedAt, ...i }: Row): Output<'listProbeIncidents'> => ({
  id: i.id,
  probeId: i.probeId,
  region: regionOf(probeName),
  severity: i.severity,
  startedAt: startedAt.toISOString(),
  firstFailedAt: firstFailedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
  durationMs: endedAt ? endedAt.getTime() - startedAt.getTime() : null,
  message: null,
  reason: i.reason,
  acknowledgedAt: i.acknowledgedAt?.toISOString() ?? null,
  acknowledgedBy: i.acknowledgedBy,
  note: i.note,
});

const probeOf = async ({ now }: Ports, tx: Tx, projectId: string, probeId: string) =>
  known('probe', probeId, await byId(probeId, () => findProbe(tx, projectId, probeId, now())));

export const listProbeIncidents: Handler<'listProbeIncidents'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const probe = await probeOf(ports, db, input.projectId, input.probeId);
  const total = await countIncidents(db, probe, input);
  const found = await listed(input, total, (w) => listIncidents(db, probe, input, input.sort, w));
  return { ...found, rows: found.rows.map(view) };
};

/** Number of executions shown for one incident. */
const MAX_EXECUTIONS = 50;

async function detail(ports: Ports, tx: Tx, input: Input<'getProbeIncident'>): Promise<Output<'getProbeIncident'>> {
  const { projectId, probeId, incidentId } = input;
  const probe = await probeOf(ports, tx, projectId, probeId);
  const found = known('incident', incidentId, await byId(incidentId, () => findIncident(tx, probe, incidentId)));
  const executions = await executionsOfIncident(tx, found, MAX_EXECUTIONS);
  return {
    ...view(found),
    probeName: found.probeName,
    openedByTestRunId: found.openedByTestRunId,
    escalatedAt: found.escalatedAt?.toISOString() ?? null,
    executions: executions.map((e) => instanceView(ports, e)),
  };
}

export const getProbeIncident: Handler<'getProbeIncident'> = ({ ports }, input) =>
  detail(ports, ports.database.db, input);

export const updateProbeIncident = changing<'updateProbeIncident'>(
  async ({ ports, actor }, tx, { acknowledged, note, ...address }) => {
    const { id, probeId } = await detail(ports, tx, address);
    const by = { at: ports.now(), by: actor.userId };
    await noteIncident(tx, id, {
      acknowledged: acknowledged === undefined ? undefined : acknowledged ? by : null,
      note,
    });
    // The incident's escalation may be due.
    if (acknowledged === false) await watchAgain(ports, tx, probeId);
    return detail(ports, tx, address);
  },
);
