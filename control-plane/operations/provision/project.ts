/** A project's registrars, tests, probes and webhooks. */
import { v7 as uuid } from 'uuid';
import type { ProvisionProbe, ProvisionProject } from '../../contract/provision.ts';
import { CLOUD_REGISTRAR } from '../../domain/project/cloud.ts';
import { probeDraft, testDraft } from '../../domain/project/provision.ts';
import { type References, toTestConfig } from '../../domain/project/test-draft.ts';
import { testCallers } from '../../domain/run/load/callers.ts';
import { loadSeconds } from '../../domain/run/load/load.ts';
import { testEndpoints } from '../../domain/run/preflight/needs.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { PREVIOUS_SECRET_SECONDS } from '../../domain/webhook.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { urlHash } from '../../store/notify/webhooks.ts';
import { openIncidentsBeside } from '../../store/probe/incidents.ts';
import { deleteThresholds, putThreshold, setProbeParent, touchProbe } from '../../store/probe/probe-config.ts';
import {
  probeConfigOf,
  prune,
  testConfigOf,
  upsertProbe,
  upsertRegistrar,
  upsertSipAccount,
  upsertTest,
  upsertWebhook,
} from '../../store/project/provision.ts';
import { endIncident, watchAgain } from '../probe/incident.ts';

export async function applyProject(
  ports: Ports,
  tx: Tx,
  projectId: string,
  p: ProvisionProject,
  workerIds: ReadonlyMap<string, string>,
  pruning: boolean,
): Promise<void> {
  const refs = await applyRegistrars(tx, projectId, p, workerIds, pruning);
  for (const t of p.tests) {
    const config = toTestConfig(testDraft(t), refs, await testConfigOf(tx, projectId, t.slug));
    await upsertTest(tx, {
      id: uuid(),
      projectId,
      slug: t.slug,
      name: t.name,
      description: t.description,
      endpoints: testEndpoints(config),
      durationSeconds: t.durationSeconds,
      buildupSeconds: loadSeconds(t.load, testCallers(config), t.buildup, t.durationSeconds),
      config,
    });
  }
  await applyProbes(ports, tx, projectId, p.probes, refs, pruning);
  const previousUntil = secondsAfter(ports.now(), PREVIOUS_SECRET_SECONDS);
  for (const w of p.webhooks) await upsertWebhook(tx, { id: uuid(), projectId, ...w }, previousUntil);
  if (!pruning) return;
  await prune(
    tx,
    'tests',
    projectId,
    p.tests.map((t) => t.slug),
  );
  const probes = p.probes.map((x) => x.slug);
  // Receivers of the start are notified of the end.
  for (const i of await openIncidentsBeside(tx, projectId, probes)) await endIncident(ports, tx, i, i);
  await prune(tx, 'probes', projectId, probes);
  await prune(
    tx,
    'webhooks',
    projectId,
    p.webhooks.map((w) => urlHash(w.url)),
  );
  await prune(tx, 'registrars', projectId, ['cloud', ...p.registrars.map((r) => r.slug)]);
}

async function applyRegistrars(
  tx: Tx,
  projectId: string,
  p: ProvisionProject,
  workerIds: ReadonlyMap<string, string>,
  pruning: boolean,
): Promise<References> {
  const registrarIds = new Map<string, string>();
  const accountIds = new Map<string, string>();
  registrarIds.set('cloud', await upsertRegistrar(tx, { id: uuid(), projectId, ...CLOUD_REGISTRAR }));
  for (const r of p.registrars) {
    const { sipAccounts, ...registrar } = r;
    const registrarId = await upsertRegistrar(tx, { id: uuid(), projectId, ...registrar, isCloud: false });
    registrarIds.set(r.slug, registrarId);
    for (const a of sipAccounts) {
      accountIds.set(`${r.slug} ${a.username}`, await upsertSipAccount(tx, { id: uuid(), registrarId, ...a }));
    }
    if (pruning)
      await prune(
        tx,
        'sip_accounts',
        registrarId,
        sipAccounts.map((a) => a.username),
      );
  }
  return {
    registrarId: (slug) => registrarIds.get(slug),
    workerId: (name) => workerIds.get(name),
    accountId: (slug, username) => accountIds.get(`${slug} ${username}`),
    newId: uuid,
  };
}

async function applyProbes(
  ports: Ports,
  tx: Tx,
  projectId: string,
  probes: readonly ProvisionProbe[],
  refs: References,
  pruning: boolean,
): Promise<void> {
  const ids = new Map<string, string>();
  for (const probe of probes) {
    const { test: _, thresholds, parent: __, ...columns } = probe;
    const config = toTestConfig(probeDraft(probe), refs, await probeConfigOf(tx, projectId, probe.slug));
    const probeId = await upsertProbe(tx, { id: uuid(), projectId, ...columns, config }, ports.now());
    await watchAgain(ports, tx, probeId);
    ids.set(probe.slug, probeId);
    let changed = false;
    for (const t of thresholds) changed = (await putThreshold(tx, { id: uuid(), probeId, ...t })) || changed;
    const keep = thresholds.map((t) => t.metricKey);
    if (pruning) changed = (await deleteThresholds(tx, probeId, keep)) || changed;
    if (changed) await touchProbe(tx, probeId);
  }
  for (const probe of probes) {
    const id = ids.get(probe.slug) as string;
    const parentId = probe.parent === null ? null : (ids.get(probe.parent) as string);
    if (await setProbeParent(tx, id, parentId)) await touchProbe(tx, id);
  }
}
