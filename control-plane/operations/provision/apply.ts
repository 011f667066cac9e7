/**
 * Applies a provisioning file to rows, by slug, in one transaction. An object is applied if its entry in the file
 * differs from the one that was last applied (entries.ts): what people have changed or deleted since then stays as they
 * left it. Objects that the file does not name stay, unless the organization has `prune: true`. A plan's limit of
 * probes applies as for manual creation.
 */
import type { ProvisionFile, ProvisionOrganization } from '../../contract/provision.ts';
import { NotApplicable } from '../../contract/yaml-file.ts';
import { probesRefusal } from '../../domain/plans.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { giveInstallation } from '../../store/people/installation.ts';
import { countProbesOfOrganization } from '../../store/probe/probe-config.ts';
import { projectBySlug, prune, upsertProject } from '../../store/project/provision.ts';
import {
  organizationBySlug,
  pruneMembers,
  pruneWorkers,
  upsertApiKey,
  upsertOrganization,
  upsertWorker,
  userByEmail,
  workerIdsByName,
} from '../../store/project/provision-access.ts';
import { expel } from '../agents/keys.ts';
import { endAccess } from '../people/members.ts';
import { hashOf, lastFourOf } from '../request/actor.ts';
import { type FileEntry, openEntries, type ProvisionedObject } from './entries.ts';
import { applyProject, pruneProject, type WorkerNamed } from './project.ts';
import { applyUser } from './user.ts';

/**
 * `written`: the same file as it is written (writtenIn).
 * @throws NotApplicable: the plan's limit is exceeded
 */
export async function applyProvision(ports: Ports, file: ProvisionFile, written: unknown): Promise<void> {
  await ports.database.transaction(async (tx) => {
    const entries = await openEntries(tx, written);
    for (const [i, o] of file.organizations.entries())
      await applyOrganization(ports, tx, o, entries.of('organizations', i, o.slug), ['organizations', i]);
    await entries.save();
  });
  ports.log.info({ organizations: file.organizations.map((o) => o.slug) }, 'provisioning file applied');
}

type Path = readonly PropertyKey[];

async function applyOrganization(
  ports: Ports,
  tx: Tx,
  o: ProvisionOrganization,
  entry: FileEntry,
  at: Path,
): Promise<void> {
  const found = await organizationBySlug(tx, o.slug);
  const isNew = entry.only('name', 'plan').isNew;
  if (!found && !isNew) return entry.leave();
  const organizationId =
    found && !isNew
      ? found.id
      : await upsertOrganization(tx, { id: newId(), slug: o.slug, name: o.name, plan: o.plan });
  if (o.runsInstallation && entry.only('runsInstallation').isNew) await giveInstallation(tx, organizationId);
  const plan = isNew ? o.plan : (found?.plan ?? o.plan);
  const inside = found ? entry : entry.ofNewOwner();
  // `prune` decides what is deleted, so that a change of `prune` is a change as well.
  if (o.prune) void inside.only('prune').isNew;
  const probes = await countProbesOfOrganization(tx, organizationId);
  const organization = { id: organizationId, said: o, entry: inside };
  const workers = await applyWorkers(tx, organization);
  const projectIds = await applyProjects(ports, tx, organization, workers);
  const userIds = await applyPeople(ports, tx, organization, projectIds);
  if (o.prune && inside.isTouched()) await pruneOrganization(ports, tx, organization, projectIds, userIds);
  const now = await countProbesOfOrganization(tx, organizationId);
  const message = probesRefusal(ports.settings.plans, plan, probes, now);
  if (message !== null) throw new NotApplicable([{ path: [...at, 'plan'], message }]);
}

type Organization = ProvisionedObject<ProvisionOrganization>;

async function applyWorkers(tx: Tx, { id: organizationId, said: o, entry }: Organization): Promise<WorkerNamed> {
  const make = async (w: ProvisionOrganization['workers'][number]) => {
    const id = await applyWorker(tx, organizationId, w);
    ids.set(w.name, id);
    return id;
  };
  const fresh = o.workers.filter((w, i) => entry.at('workers', i, w.name).isNew);
  const ids = new Map<string, string>();
  for (const w of fresh) await make(w);
  for (const [name, id] of await workerIdsByName(tx, organizationId)) ids.set(name, id);
  return async (name: string) => {
    const known = ids.get(name);
    const named = o.workers.find((w) => w.name === name);
    return known ?? (named && make(named));
  };
}

/** The ids of the existing projects, by slug. */
async function applyProjects(
  ports: Ports,
  tx: Tx,
  { id: organizationId, said: o, entry }: Organization,
  worker: WorkerNamed,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [i, p] of o.projects.entries()) {
    const { slug, name, description } = p;
    const own = entry.at('projects', i, slug);
    const found = await projectBySlug(tx, organizationId, slug);
    const isNew = own.only('name', 'description').isNew;
    if (!found && !isNew) {
      own.leave();
      continue;
    }
    const id =
      found && !isNew ? found : await upsertProject(tx, { id: newId(), organizationId, slug, name, description });
    ids.set(slug, id);
    await applyProject(ports, tx, { id, said: p, entry: found ? own : own.ofNewOwner() }, worker);
  }
  return ids;
}

/** Applies users, and the keys that need them. Returns the ids of the existing users. */
async function applyPeople(
  ports: Ports,
  tx: Tx,
  { id: organizationId, said: o, entry }: Organization,
  projectIds: ReadonlyMap<string, string>,
): Promise<string[]> {
  const keys = o.apiKeys.filter((k, i) => entry.at('apiKeys', i, k.name).isNew);
  for (const [i, u] of o.users.entries()) {
    const own = entry.at('users', i, u.email.toLowerCase());
    const isNeeded = keys.some((k) => k.user === u.email);
    await applyUser(ports, tx, { organizationId, said: u, entry: own, isNeeded }, projectIds);
  }
  const found = await Promise.all(
    o.users.map(async ({ email }) => [email, (await userByEmail(tx, email))?.id] as const),
  );
  const ids = new Map(found.flatMap(([email, id]) => (id === undefined ? [] : [[email, id] as const])));
  for (const k of keys) {
    await upsertApiKey(tx, {
      id: newId(),
      organizationId,
      userId: ids.get(k.user) as string,
      name: k.name,
      hash: hashOf(k.key),
      lastFour: lastFourOf(k.key),
      expiresAt: k.expiresAt ?? null,
    });
  }
  return [...ids.values()];
}

/** Deletes what the file does not name. */
async function pruneOrganization(
  ports: Ports,
  tx: Tx,
  { id: organizationId, said: o }: Organization,
  projectIds: ReadonlyMap<string, string>,
  userIds: readonly string[],
): Promise<void> {
  for (const p of o.projects) {
    const projectId = projectIds.get(p.slug);
    if (projectId !== undefined) await pruneProject(ports, tx, projectId, p);
  }
  const keyNames = o.apiKeys.map((k) => k.name);
  await prune(tx, 'api_keys', organizationId, keyNames);
  const slugs = o.projects.map((p) => p.slug);
  await prune(tx, 'projects', organizationId, slugs);
  for (const userId of await pruneMembers(tx, organizationId, userIds)) {
    await endAccess(tx, organizationId, userId, ports.now());
  }
  const workerNames = o.workers.map((w) => w.name);
  for (const workerId of await pruneWorkers(tx, organizationId, workerNames, ports.now()))
    await expel(ports, tx, workerId);
}

const applyWorker = (tx: Tx, organizationId: string, w: ProvisionOrganization['workers'][number]): Promise<string> =>
  upsertWorker(tx, {
    id: newId(),
    organizationId,
    name: w.name,
    region: w.region,
    capacity: w.capacity,
    ...(w.joinToken !== undefined && { tokenHash: hashOf(w.joinToken) }),
    ...(w.publicKey !== undefined && { publicKey: Buffer.from(w.publicKey, 'base64') }),
  });
