/** API keys: an EDITOR manages their own keys, an ADMIN all of them. */

import { randomBytes } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import type { Input, Output } from '../../contract/catalogue.ts';
import { invalid } from '../../contract/errors.ts';
import { atLeast } from '../../contract/roles.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import {
  apiKeyById,
  countApiKeys,
  insertApiKey,
  listApiKeys as list,
  revokeApiKey as revoke,
} from '../../store/people/api-keys.ts';
import { keyDaysOf } from '../../store/people/members.ts';
import { projectsReached } from '../../store/project/projects.ts';
import { type Actor, hashOf, lastFourOf } from '../request/actor.ts';
import { changing, taken } from '../request/change.ts';
import { listed } from '../request/listed.ts';
import { byId, type Handler, known } from '../request/perform.ts';

const visibleTo = ({ organizationId, userId, role }: Actor) => ({
  organizationId,
  userId: atLeast(role, 'ADMIN') ? null : userId,
});

type Row = NonNullable<Awaited<ReturnType<typeof apiKeyById>>>;
const view = (k: Row): Output<'listApiKeys'> => ({
  ...k,
  createdAt: k.createdAt.toISOString(),
  lastUsedAt: k.lastUsedAt?.toISOString() ?? null,
  expiresAt: k.expiresAt?.toISOString() ?? null,
  revokedAt: k.revokedAt?.toISOString() ?? null,
});

export const listApiKeys: Handler<'listApiKeys'> = async ({ ports, actor }, input) => {
  const { db } = ports.database;
  const keys = visibleTo(actor);
  const found = await listed(input, await countApiKeys(db, keys), (w) => list(db, keys, input.sort, w));
  return { ...found, rows: found.rows.map(view) };
};

export const createApiKey = changing<'createApiKey'>(async ({ ports, actor }, tx, { name, ...given }) => {
  const { expiresAt, scopes, projectIds } = given;
  await requirePossible(ports, actor, tx, given);
  const key = new Secret(`crl_${randomBytes(16).toString('hex')}`);
  const id = newId();
  const { organizationId, userId } = actor;
  await insertApiKey(tx, {
    id,
    organizationId,
    userId,
    name,
    hash: hashOf(key),
    lastFour: lastFourOf(key),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    scopes,
    projectIds,
  }).catch(taken(`There is an API key called ${JSON.stringify(name)} already.`));
  return { ...view(known('API key', id, await apiKeyById(tx, visibleTo(actor), id))), key: key.reveal() };
});

/** @throws ApiError VALIDATION_ERROR */
async function requirePossible(
  ports: Ports,
  actor: Actor,
  tx: Tx,
  { expiresAt, projectIds }: Pick<Input<'createApiKey'>, 'expiresAt' | 'projectIds'>,
): Promise<void> {
  const now = ports.now();
  const keyDays = await keyDaysOf(tx, actor.organizationId);
  const fault = (path: readonly PropertyKey[], message: string) => invalid([{ path, message }]);
  if (expiresAt !== null && new Date(expiresAt) <= now) throw fault(['expiresAt'], 'has passed');
  const latest = keyDays === null ? null : secondsAfter(now, keyDays * 86_400);
  if (latest !== null && (expiresAt === null || new Date(expiresAt) > latest))
    throw fault(['expiresAt'], `keys of this organization are good for ${keyDays} days at most`);
  if (projectIds === null) return;
  const reached = await projectsReached(tx, actor, projectIds);
  const unknown = projectIds.findIndex((id) => !reached.includes(id));
  if (unknown >= 0) throw fault(['projectIds', unknown], 'is not a project that you can access');
}

export const revokeApiKey = changing<'revokeApiKey'>(async ({ ports, actor }, tx, { apiKeyId }) => {
  const find = () => byId(apiKeyId, () => apiKeyById(tx, visibleTo(actor), apiKeyId));
  known('API key', apiKeyId, await find());
  await revoke(tx, apiKeyId, ports.now());
  return view(known('API key', apiKeyId, await find()));
});
