/** Probes: settings, state and results, and execution on request. Incidents are in incidents.ts. */
import type { Output } from '../../contract/catalogue.ts';
import { notFound } from '../../contract/errors.ts';
import { PROBE_SETTINGS, settingsOf } from '../../contract/test-settings/settings.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { completeConfig } from '../../domain/run/group/scenario.ts';
import type { FeatureExecutionFields } from '../../hooks.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { isUuid } from '../../store/new-id.ts';
import { holdProbe } from '../../store/probe/probe-config.ts';
import {
  countProbeInstances,
  countProbes,
  findProbe,
  type LastInstance,
  listProbeInstances as listInstances,
  listProbes as listOf,
  recentInstances,
  thresholdsOf,
} from '../../store/probe/probes.ts';
import { creating } from '../request/change.ts';
import { joined } from '../request/joined.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { executeProbes } from './execute.ts';

type Row = Omit<Awaited<ReturnType<typeof listOf>>[number], 'place'>;
type ThresholdRow = Awaited<ReturnType<typeof thresholdsOf>>[number];

/** In the form of the contract. */
export const lastInstancesView = (instances: readonly LastInstance[]) =>
  instances.map((i) => ({ ...i, scheduledAt: new Date(i.scheduledAt).toISOString() }));

const view = (
  { lastInstances, ...p }: Row & { readonly lastInstances?: readonly LastInstance[] | undefined },
  thresholds: readonly ThresholdRow[],
): Output<'listProbes'> => ({
  ...p,
  ...(lastInstances && { lastInstances: lastInstancesView(lastInstances) }),
  lastInstanceAt: p.lastInstanceAt?.toISOString() ?? null,
  autoPausedAt: p.autoPausedAt?.toISOString() ?? null,
  lastSkipAt: p.lastSkipAt?.toISOString() ?? null,
  failingSince: p.failingSince?.toISOString() ?? null,
  maintenanceUntil: p.maintenanceUntil?.toISOString() ?? null,
  createdAt: p.createdAt.toISOString(),
  updatedAt: p.updatedAt.toISOString(),
  thresholds: thresholds.filter((t) => t.probeId === p.id).map(({ probeId: _, ...t }) => t),
});

type InstanceRow = Omit<Awaited<ReturnType<typeof listInstances>>[number], 'place'>;

/** `watchedRunId`: of the run beside whose load it was executed; null: none. */
const fieldsOfFeatures = ({ hooks }: Ports, watchedRunId: string | null): FeatureExecutionFields =>
  joined(hooks.map(({ executionFields }) => executionFields?.(watchedRunId)));

export const instanceView = (ports: Ports, { watchedRunId, ...i }: InstanceRow): Output<'listProbeInstances'> => ({
  ...i,
  scheduledAt: i.scheduledAt.toISOString(),
  startedAt: i.startedAt?.toISOString() ?? null,
  completedAt: i.completedAt?.toISOString() ?? null,
  ...fieldsOfFeatures(ports, watchedRunId),
});

const RECENT_INSTANCES = 5;

/** The probe with its one call and its last executions. */
export async function probeView(ports: Ports, tx: Tx, projectId: string, probeId: string): Promise<Output<'getProbe'>> {
  const found = known('probe', probeId, await byId(probeId, () => findProbe(tx, projectId, probeId, ports.now())));
  const { config, slug, version, expectedStatusCodes, nextTickAt, strikes, ...probe } = found;
  const [group] = completeConfig(config).groups as [TestConfig['groups'][number]];
  const { registrarId, callee, placement } = group;
  const test = { registrarId, callee, placement, ...settingsOf(PROBE_SETTINGS, group) };
  const thresholds = await thresholdsOf(tx, [probe.id]);
  const recent = await recentInstances(tx, probe.id, RECENT_INSTANCES);
  const more = { slug, version, expectedStatusCodes, nextTickAt: nextTickAt?.toISOString() ?? null, strikes };
  return { ...view(probe, thresholds), ...more, test, recentInstances: recent.map((i) => instanceView(ports, i)) };
}

export const listProbes: Handler<'listProbes'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, sort, last_instances: instances } = input;
  const total = await countProbes(db, projectId);
  const { rows, ...page } = await listed(input, total, (w) =>
    listOf(db, projectId, { sort, instances }, w, ports.now()),
  );
  const thresholds = await thresholdsOf(
    db,
    rows.map((r) => r.id),
  );
  return { ...page, rows: rows.map((r) => view(r, thresholds)) };
};

export const getProbe: Handler<'getProbe'> = ({ ports }, { projectId, probeId }) =>
  probeView(ports, ports.database.db, projectId, probeId);

export const listProbeInstances: Handler<'listProbeInstances'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, probeId } = input;
  const probe = known('probe', probeId, await byId(probeId, () => findProbe(db, projectId, probeId, ports.now())));
  const total = await countProbeInstances(db, probe.id, input);
  const found = await listed(input, total, (w) => listInstances(db, probe.id, input, input.sort, w));
  return { ...found, rows: found.rows.map((i) => instanceView(ports, i)) };
};

export const runProbe = creating('runProbe', async ({ ports, actor }, tx, { projectId, probeId }) => {
  if (!isUuid(probeId) || !(await holdProbe(tx, projectId, probeId))) throw notFound('probe', probeId);
  const wanted = { probeId, tickAt: null, startedBy: actor.userId };
  const [instance] = await executeProbes(ports, tx, [wanted], ports.now());
  const { id, testRunId, scheduledAt } = instance as NonNullable<typeof instance>;
  return {
    id,
    status: 'UNKNOWN',
    testRunId,
    scheduledAt: scheduledAt.toISOString(),
    startedAt: null,
    completedAt: null,
    thresholdResults: [],
    repeatedTestRunId: null,
    steps: null,
    message: null,
    cause: null,
    party: null,
    workerName: null,
    inMaintenance: false,
    ...fieldsOfFeatures(ports, null),
  };
});
