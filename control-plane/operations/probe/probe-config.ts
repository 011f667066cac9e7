/** Probes as people write them. What a change means for an open incident follows in the same transaction. */
import type { Input } from '../../contract/catalogue.ts';
import { invalid } from '../../contract/errors.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { ProbeCall } from '../../contract/test-settings/test-body.ts';
import type { ProbeMode } from '../../contract/test-settings/words.ts';
import { requireProbeRoom } from '../../domain/plans.ts';
import { inMode, scheduleFaults } from '../../domain/probe/probe.ts';
import { callDraft } from '../../domain/project/api-draft.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { openIncidentOf } from '../../store/probe/incidents.ts';
import {
  countProbesOfOrganization,
  deleteThresholds,
  holdProbe,
  insertProbe,
  lockOrganization,
  lockProbe,
  type ProbeColumns,
  putThreshold,
  deleteProbe as remove,
  updateProbe as update,
} from '../../store/probe/probe-config.ts';
import { configOf } from '../project/draft.ts';
import { insertUnderSlug } from '../project/slug.ts';
import { changing, creating, requireMatch } from '../request/change.ts';
import { byId, type Context, known } from '../request/perform.ts';
import { endIncident, watchAgain } from './incident.ts';
import { probeView } from './probes.ts';

/** The draft's one group is the probe's `test`. */
const draw = (
  { actor }: Context,
  tx: Tx,
  projectId: string,
  { test, mode }: { readonly test: ProbeCall; readonly mode: ProbeMode },
  before: TestConfig | null,
) =>
  configOf(tx, { organizationId: actor.organizationId, projectId }, callDraft(test, mode), before, (path) => [
    'test',
    ...path.slice(2),
  ]);

/** @throws ApiError VALIDATION_ERROR */
function requireSchedule(probe: ProbeColumns): void {
  const faults = scheduleFaults(probe);
  if (faults.length > 0) throw invalid(faults);
}

/** @throws ApiError VALIDATION_ERROR */
async function requireParent(tx: Tx, projectId: string, parentId: string | null, own: string | null): Promise<void> {
  if (parentId === null) return;
  const refuse = (message: string) => invalid([{ path: ['parentProbeId'], message }]);
  if (parentId === own) throw refuse('a probe is not its own parent');
  const found = await byId(parentId, async () => (await holdProbe(tx, projectId, parentId)) || undefined);
  if (!found) throw refuse(`no probe has the id ${parentId}`);
}

type Thresholds = Input<'createProbe'>['thresholds'];

async function putThresholds(tx: Tx, probeId: string, thresholds: Thresholds): Promise<void> {
  for (const { metricKey, greenValue, orangeValue, enabled } of thresholds) {
    await putThreshold(tx, { id: newId(), probeId, metricKey, greenValue, orangeValue, enabled });
  }
  const keep = thresholds.map((t) => t.metricKey);
  await deleteThresholds(tx, probeId, keep);
}

export const createProbe = creating('createProbe', async (context, tx, input) => {
  const { projectId, slug, parentProbeId, test, thresholds, ...columns } = input;
  const { actor, ports } = context;
  await lockOrganization(tx, actor.organizationId);
  requireProbeRoom(ports.settings.plans, actor.plan, await countProbesOfOrganization(tx, actor.organizationId));
  await requireParent(tx, projectId, parentProbeId, null);
  const id = newId();
  const probe = { id, projectId, ...columns, config: await draw(context, tx, projectId, input, null) };
  requireSchedule(probe);
  const wanted = { table: 'probes', ownerId: projectId, slug, name: columns.name, fallback: 'probe' } as const;
  await insertUnderSlug(tx, wanted, (free) => insertProbe(tx, { ...probe, slug: free }, parentProbeId));
  await putThresholds(tx, id, thresholds);
  return probeView(ports, tx, projectId, id);
});

export const updateProbe = changing<'updateProbe'>(async (context, tx, input) => {
  const { projectId, probeId, test, thresholds, ...change } = input;
  const before = known('probe', probeId, await byId(probeId, () => lockProbe(tx, projectId, probeId)));
  requireMatch(context, before.version);
  const { parentProbeId, version: _, ...columns } = { ...before, ...given(change) };
  if (parentProbeId !== before.parentProbeId) await requireParent(tx, projectId, parentProbeId, probeId);
  const { mode } = columns;
  const config =
    test === undefined
      ? inMode(before.config, mode)
      : await draw(context, tx, projectId, { test, mode }, before.config);
  const probe = { ...columns, config };
  requireSchedule(probe);
  await update(tx, probeId, probe, parentProbeId, context.ports.now());
  await watchAgain(context.ports, tx, probeId);
  if (thresholds !== undefined) await putThresholds(tx, probeId, thresholds);
  return probeView(context.ports, tx, projectId, probeId);
});

export const deleteProbe = changing<'deleteProbe'>(async (context, tx, { projectId, probeId }) => {
  const probe = known('probe', probeId, await byId(probeId, () => lockProbe(tx, projectId, probeId)));
  requireMatch(context, probe.version);
  const incident = await openIncidentOf(tx, probeId);
  // The receivers of the start also receive the end.
  if (incident) {
    const { organizationId } = context.actor;
    await endIncident(context.ports, tx, { probeId, name: probe.name, projectId, organizationId }, incident);
  }
  await remove(tx, probeId);
  return { id: probeId, deleted: true };
});

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The change without omitted values. */
const given = <T extends object>(change: T): Defined<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Defined<T>;
