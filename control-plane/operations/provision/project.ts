/** A project's registrars, tests, probes and webhooks. */
import type { ProvisionProject } from '../../contract/provision.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import { CLOUD_REGISTRAR } from '../../domain/project/cloud.ts';
import { probeDraft, testDraft } from '../../domain/project/provision.ts';
import { type References, type TestDraft, toTestConfig } from '../../domain/project/test-draft.ts';
import { testCallers } from '../../domain/run/load/callers.ts';
import { loadSeconds } from '../../domain/run/load/load.ts';
import { testEndpoints } from '../../domain/run/preflight/needs.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { PREVIOUS_SECRET_SECONDS } from '../../domain/webhook.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { urlHash } from '../../store/notify/webhooks.ts';
import { openIncidentsBeside } from '../../store/probe/incidents.ts';
import { deleteThresholds, putThreshold, setProbeParent, touchProbe } from '../../store/probe/probe-config.ts';
import {
  accountIdsOf,
  idsBySlug,
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
import type { FileEntry, ProvisionedObject } from './entries.ts';

/** The id of a worker that a test names; a deleted worker is created again. */
export type WorkerNamed = (name: string) => Promise<string | undefined>;

/** The ids of what tests name. Deleted objects are created again, because the test could not run without them. */
type Made = {
  registrar(slug: string): Promise<string | undefined>;
  account(slug: string, username: string): Promise<string | undefined>;
};

export async function applyProject(
  ports: Ports,
  tx: Tx,
  project: ProvisionedObject<ProvisionProject>,
  worker: WorkerNamed,
): Promise<void> {
  const { id: projectId, said: p, entry } = project;
  const registrars = await applyRegistrars(tx, projectId, p, entry);
  const configOf = async (draft: TestDraft, before: TestConfig | null) =>
    toTestConfig(draft, await referencesOf(draft, registrars, worker), before);
  for (const [i, t] of p.tests.entries()) {
    if (!entry.at('tests', i, t.slug).isNew) continue;
    const config = await configOf(testDraft(t), await testConfigOf(tx, projectId, t.slug));
    await upsertTest(tx, {
      id: newId(),
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
  await applyProbes(ports, tx, project, configOf);
  const previousUntil = secondsAfter(ports.now(), PREVIOUS_SECRET_SECONDS);
  for (const [i, w] of p.webhooks.entries()) {
    // An address may be a secret.
    if (entry.at('webhooks', i, urlHash(w.url)).isNew)
      await upsertWebhook(tx, { id: newId(), projectId, ...w }, previousUntil);
  }
}

/** Deletes what the file does not name. */
export async function pruneProject(ports: Ports, tx: Tx, projectId: string, p: ProvisionProject): Promise<void> {
  const registrarIds = await idsBySlug(tx, 'registrars', projectId);
  for (const { slug, sipAccounts } of p.registrars) {
    const registrarId = registrarIds.get(slug);
    const names = sipAccounts.map((a) => a.username);
    if (registrarId !== undefined) await prune(tx, 'sip_accounts', registrarId, names);
  }
  const tests = p.tests.map((t) => t.slug);
  await prune(tx, 'tests', projectId, tests);
  const probeIds = await idsBySlug(tx, 'probes', projectId);
  for (const { slug, thresholds } of p.probes) {
    const probeId = probeIds.get(slug);
    const keys = thresholds.map((t) => t.metricKey);
    if (probeId !== undefined && (await deleteThresholds(tx, probeId, keys))) await touchProbe(tx, probeId);
  }
  const probes = p.probes.map((x) => x.slug);
  // The receivers of the start also receive the end.
  for (const i of await openIncidentsBeside(tx, projectId, probes)) await endIncident(ports, tx, i, i);
  await prune(tx, 'probes', projectId, probes);
  const webhooks = p.webhooks.map((w) => urlHash(w.url));
  await prune(tx, 'webhooks', projectId, webhooks);
  await prune(tx, 'registrars', projectId, [CLOUD_REGISTRAR.slug, ...p.registrars.map((r) => r.slug)]);
}

async function applyRegistrars(tx: Tx, projectId: string, p: ProvisionProject, entry: FileEntry): Promise<Made> {
  const ids = await idsBySlug(tx, 'registrars', projectId);
  const accounts = new Map<string, string>();
  const cloud = CLOUD_REGISTRAR.slug;
  if (!ids.has(cloud)) ids.set(cloud, await upsertRegistrar(tx, { id: newId(), projectId, ...CLOUD_REGISTRAR }));
  const apply = async (i: number, isAsked: boolean): Promise<string | undefined> => {
    const r = p.registrars[i];
    if (r === undefined) return undefined;
    const { sipAccounts, ...registrar } = r;
    const own = entry.at('registrars', i, r.slug);
    const present = ids.get(r.slug);
    const isNew = own.without('sipAccounts').isNew;
    if (present === undefined && !isNew && !isAsked) {
      own.leave();
      return undefined;
    }
    const registrarId =
      present !== undefined && !isNew
        ? present
        : await upsertRegistrar(tx, { id: newId(), projectId, ...registrar, isCloud: false });
    ids.set(r.slug, registrarId);
    const inside = present === undefined ? own.ofNewOwner() : own;
    const kept = await accountIdsOf(tx, registrarId);
    for (const [username, id] of kept) accounts.set(`${r.slug} ${username}`, id);
    for (const [j, a] of sipAccounts.entries()) {
      const isGiven = inside.at('sipAccounts', j, a.username).isNew;
      if (isGiven)
        accounts.set(`${r.slug} ${a.username}`, await upsertSipAccount(tx, { id: newId(), registrarId, ...a }));
    }
    return registrarId;
  };
  for (const i of p.registrars.keys()) await apply(i, false);
  const registrar = async (slug: string) => {
    const at = p.registrars.findIndex((r) => r.slug === slug);
    return ids.get(slug) ?? apply(at, true);
  };
  const account = async (slug: string, username: string) => {
    const registrarId = await registrar(slug);
    const known = accounts.get(`${slug} ${username}`);
    const named = p.registrars.find((r) => r.slug === slug)?.sipAccounts.find((a) => a.username === username);
    if (known !== undefined || !named || registrarId === undefined) return known;
    return upsertSipAccount(tx, { id: newId(), registrarId, ...named });
  };
  return { registrar, account };
}

async function referencesOf(draft: TestDraft, registrars: Made, worker: WorkerNamed): Promise<References> {
  const registrarIds = new Map<string, string | undefined>();
  const workerIds = new Map<string, string | undefined>();
  const accountIds = new Map<string, string | undefined>();
  for (const { registrar, placement, subPopulations } of draft.groups) {
    registrarIds.set(registrar, await registrars.registrar(registrar));
    for (const username of subPopulations.flatMap(({ accounts }) => accounts ?? []))
      accountIds.set(`${registrar} ${username}`, await registrars.account(registrar, username));
    if (placement.mode === 'WORKERS') for (const name of placement.workers) workerIds.set(name, await worker(name));
  }
  return {
    registrarId: (slug) => registrarIds.get(slug),
    workerId: (name) => workerIds.get(name),
    accountId: (slug, username) => accountIds.get(`${slug} ${username}`),
    newId,
  };
}

async function applyProbes(
  ports: Ports,
  tx: Tx,
  { id: projectId, said: { probes }, entry }: ProvisionedObject<ProvisionProject>,
  configOf: (draft: TestDraft, before: TestConfig | null) => Promise<TestConfig>,
): Promise<void> {
  const ids = await idsBySlug(tx, 'probes', projectId);
  const fresh = probes.filter((probe, i) => entry.at('probes', i, probe.slug).isNew);
  for (const probe of fresh) {
    const { test: _, thresholds, parent: __, ...columns } = probe;
    const config = await configOf(probeDraft(probe), await probeConfigOf(tx, projectId, probe.slug));
    const probeId = await upsertProbe(tx, { id: newId(), projectId, ...columns, config }, ports.now());
    await watchAgain(ports, tx, probeId);
    ids.set(probe.slug, probeId);
    let changed = false;
    for (const t of thresholds) changed = (await putThreshold(tx, { id: newId(), probeId, ...t })) || changed;
    if (changed) await touchProbe(tx, probeId);
  }
  for (const probe of fresh) {
    const id = ids.get(probe.slug) as string;
    // A deleted parent counts as no parent.
    const parentId = probe.parent === null ? null : (ids.get(probe.parent) ?? null);
    if (await setProbeParent(tx, id, parentId)) await touchProbe(tx, id);
  }
}
