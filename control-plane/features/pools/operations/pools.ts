/** Pools as people create, list and revoke them. */
import type { Output } from '../../../contract/catalogue.ts';
import { invalid } from '../../../contract/errors.ts';
import { hashOf } from '../../../operations/request/actor.ts';
import { changing, conflict, taken } from '../../../operations/request/change.ts';
import { listed } from '../../../operations/request/listed.ts';
import { byId, type Handler, known } from '../../../operations/request/perform.ts';
import { newToken } from '../../../operations/request/session.ts';
import { newId } from '../../../store/new-id.ts';
import { countPoolAgents, listPoolAgents as listAgents } from '../store/pool-workers.ts';
import { countPools, insertPool, listPools as list, poolById, revokePool as revoke } from '../store/pools.ts';

const MAX_POOLS = 200;

type Row = NonNullable<Awaited<ReturnType<typeof poolById>>>;
const view = (pool: Row): Output<'listPools'> => ({
  ...pool,
  createdAt: pool.createdAt.toISOString(),
  expiresAt: pool.expiresAt?.toISOString() ?? null,
  revokedAt: pool.revokedAt?.toISOString() ?? null,
});

export const createPool = changing<'createPool'>(async ({ ports, actor }, tx, { expiresAt, ...given }) => {
  const { organizationId, userId } = actor;
  const at = ports.now();
  const end = expiresAt === null ? null : new Date(expiresAt);
  if (end !== null && end <= at) throw invalid([{ path: ['expiresAt'], message: 'has passed' }]);
  if ((await countPools(tx, organizationId)) >= MAX_POOLS)
    throw conflict(`The organization has ${MAX_POOLS} pools: revoke one that nobody needs.`);
  const token = newToken();
  const id = newId();
  await insertPool(tx, {
    ...given,
    id,
    organizationId,
    hash: hashOf(token),
    createdBy: userId,
    createdAt: at,
    expiresAt: end,
  }).catch(taken(`There is a pool called ${JSON.stringify(given.name)} already.`));
  return {
    ...view(known('pool', id, await poolById(tx, organizationId, id))),
    joinToken: token.reveal(),
    listening: { ...ports.settings.listening, publicUrl: ports.settings.publicUrl },
  };
});

export const listPools: Handler<'listPools'> = async ({ ports, actor: { organizationId } }, input) => {
  const { db } = ports.database;
  const found = await listed(input, await countPools(db, organizationId), (w) =>
    list(db, organizationId, input.sort, w),
  );
  return { ...found, rows: found.rows.map(view) };
};

export const listPoolAgents: Handler<'listPoolAgents'> = async ({ ports, actor }, input) => {
  const { db } = ports.database;
  const { poolId } = input;
  const { id } = known('pool', poolId, await byId(poolId, () => poolById(db, actor.organizationId, poolId)));
  const found = await listed(input, await countPoolAgents(db, id), (w) => listAgents(db, id, input.sort, w));
  const rows = found.rows.map(({ joinedAt, leftAt, ...agent }) => ({
    ...agent,
    joinedAt: joinedAt.toISOString(),
    leftAt: leftAt?.toISOString() ?? null,
  }));
  return { ...found, rows };
};

/** The answer is the pool as it was listed last: without agents it is listed no longer. */
export const revokePool = changing<'revokePool'>(async ({ ports, actor: { organizationId } }, tx, { poolId }) => {
  const pool = known('pool', poolId, await byId(poolId, () => poolById(tx, organizationId, poolId)));
  const at = ports.now();
  if (!(await revoke(tx, organizationId, poolId, at))) throw conflict('The pool is revoked already.');
  return view({ ...pool, revokedAt: at });
});
