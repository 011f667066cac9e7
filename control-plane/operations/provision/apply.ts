/**
 * Applies a provisioning file to rows, by slug, in one transaction: a second application changes nothing; anything not
 * named stays, unless the organization has `prune: true`. A plan's limit of probes applies as for manual creation.
 */
import type { Secret } from '@carillon/proto/secret.ts';
import { v7 as uuid } from 'uuid';
import type { ProvisionFile, ProvisionOrganization } from '../../contract/provision.ts';
import { NotApplicable } from '../../contract/yaml-file.ts';
import { probesRefusal } from '../../domain/plans.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { countProbesOfOrganization } from '../../store/probe/probe-config.ts';
import { prune, upsertProject } from '../../store/project/provision.ts';
import {
  passwordHashOf,
  pruneMembers,
  pruneWorkers,
  setProjectMembers,
  upsertApiKey,
  upsertMembership,
  upsertOrganization,
  upsertUser,
  upsertWorker,
} from '../../store/project/provision-access.ts';
import { expel } from '../agents/keys.ts';
import { endAccess } from '../people/members.ts';
import { hashPassword, verifyPassword } from '../people/password.ts';
import { hashOf, lastFourOf } from '../request/actor.ts';
import { applyProject } from './project.ts';

/** @throws NotApplicable: the plan's limit is exceeded */
export async function applyProvision(ports: Ports, file: ProvisionFile): Promise<void> {
  await ports.database.transaction(async (tx) => {
    for (const [i, o] of file.organizations.entries()) await applyOrganization(ports, tx, o, ['organizations', i]);
  });
  ports.log.info({ organizations: file.organizations.map((o) => o.slug) }, 'provisioning file applied');
}

type Path = readonly PropertyKey[];

async function applyOrganization(ports: Ports, tx: Tx, o: ProvisionOrganization, at: Path): Promise<void> {
  const organizationId = await upsertOrganization(tx, { id: uuid(), slug: o.slug, name: o.name, plan: o.plan });
  const probes = await countProbesOfOrganization(tx, organizationId);
  const workerIds = new Map<string, string>();
  for (const w of o.workers) workerIds.set(w.name, await applyWorker(tx, organizationId, w));
  const projectIds = new Map<string, string>();
  for (const p of o.projects) {
    const { slug, name, description } = p;
    const projectId = await upsertProject(tx, { id: uuid(), organizationId, slug, name, description });
    projectIds.set(slug, projectId);
    await applyProject(ports, tx, projectId, p, workerIds, o.prune);
  }
  const userIds = new Map<string, string>();
  for (const u of o.users) userIds.set(u.email, await applyUser(ports, tx, organizationId, u, projectIds));
  for (const k of o.apiKeys) {
    await upsertApiKey(tx, {
      id: uuid(),
      organizationId,
      userId: userIds.get(k.user) as string,
      name: k.name,
      hash: hashOf(k.key),
      lastFour: lastFourOf(k.key),
      expiresAt: k.expiresAt ?? null,
    });
  }
  if (o.prune) await pruneOrganization(ports, tx, organizationId, o, [...userIds.values()]);
  const now = await countProbesOfOrganization(tx, organizationId);
  const message = probesRefusal(ports.settings.plans, o.plan, probes, now);
  if (message !== null) throw new NotApplicable([{ path: [...at, 'plan'], message }]);
}

/** What the file does not name goes. */
async function pruneOrganization(
  ports: Ports,
  tx: Tx,
  organizationId: string,
  o: ProvisionOrganization,
  userIds: readonly string[],
): Promise<void> {
  await prune(
    tx,
    'api_keys',
    organizationId,
    o.apiKeys.map((k) => k.name),
  );
  await prune(
    tx,
    'projects',
    organizationId,
    o.projects.map((p) => p.slug),
  );
  for (const userId of await pruneMembers(tx, organizationId, userIds)) {
    await endAccess(tx, organizationId, userId, ports.now());
  }
  const revoked = await pruneWorkers(
    tx,
    organizationId,
    o.workers.map((w) => w.name),
    ports.now(),
  );
  for (const workerId of revoked) await expel(ports, tx, workerId);
}

const applyWorker = (tx: Tx, organizationId: string, w: ProvisionOrganization['workers'][number]): Promise<string> =>
  upsertWorker(tx, {
    id: uuid(),
    organizationId,
    name: w.name,
    region: w.region,
    capacity: w.capacity,
    ...(w.joinToken !== undefined && { tokenHash: hashOf(w.joinToken) }),
    ...(w.publicKey !== undefined && { publicKey: Buffer.from(w.publicKey, 'base64') }),
  });

async function applyUser(
  ports: Ports,
  tx: Tx,
  organizationId: string,
  u: ProvisionOrganization['users'][number],
  projectIds: ReadonlyMap<string, string>,
): Promise<string> {
  const passwordHash = u.password === undefined ? undefined : await currentOrNewHash(ports, tx, u.email, u.password);
  const userId = await upsertUser(tx, {
    id: uuid(),
    email: u.email,
    name: u.name,
    ...(passwordHash !== undefined && { passwordHash }),
  });
  await upsertMembership(tx, { organizationId, userId, role: u.role, allProjects: u.projects === undefined });
  const reached = (u.projects ?? []).map((slug) => projectIds.get(slug) as string);
  await setProjectMembers(tx, organizationId, userId, reached);
  return userId;
}

/** An unchanged password keeps its hash, so applying the file again changes nothing. */
async function currentOrNewHash(ports: Ports, tx: Tx, email: string, password: Secret): Promise<string> {
  const current = await passwordHashOf(tx, email);
  return current !== null && (await verifyPassword(password, current))
    ? current
    : hashPassword(password, ports.settings.passwordCost);
}
