/** Pools of agents, and who has joined them. Of a token only the hash is stored. */
import { sql } from 'kysely';
import type { Tx } from '../../../store/db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../../../store/list-order.ts';
import type { PoolPolicy } from '../contract/pool.ts';

export type NewPoolRow = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly region: string;
  readonly capacity: number;
  readonly namePattern: string;
  readonly maxAgents: number;
  readonly policy: PoolPolicy;
  readonly hash: Buffer;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

export const insertPool = (tx: Tx, p: NewPoolRow): Promise<unknown> =>
  tx
    .insertInto('pools')
    .values({
      id: p.id,
      organization_id: p.organizationId,
      name: p.name,
      region: p.region,
      capacity: p.capacity,
      name_pattern: p.namePattern,
      max_agents: p.maxAgents,
      policy: JSON.stringify(p.policy),
      hash: p.hash,
      created_by: p.createdBy,
      created_at: p.createdAt,
      expires_at: p.expiresAt,
    })
    .execute();

/** The agents of pool `p` that have not left it. */
const PRESENT = sql`from pool_workers pw join workers w on w.id = pw.worker_id where pw.pool_id = p.id and pw.left_at is null`;

/** Revoked pools count as long as they have agents. */
const visible = (tx: Tx, organizationId: string) =>
  tx
    .selectFrom('pools as p')
    .leftJoin('users as u', 'u.id', 'p.created_by')
    .where('p.organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('p.revoked_at', 'is', null), sql<boolean>`exists (select ${PRESENT})`]));

const details = (tx: Tx, organizationId: string) =>
  visible(tx, organizationId).select([
    'p.id',
    'p.name',
    'p.region',
    'p.capacity',
    'p.name_pattern as namePattern',
    'p.max_agents as maxAgents',
    sql<PoolPolicy>`p.policy`.as('policy'),
    'u.name as createdBy',
    'p.created_at as createdAt',
    'p.expires_at as expiresAt',
    'p.revoked_at as revokedAt',
    'p.joined',
    sql<number>`(select count(*)::int ${PRESENT})`.as('agents'),
    sql<number>`(select count(*)::int ${PRESENT} and w.status = 'ONLINE')`.as('online'),
  ]);

const SORTED_BY = { name: ['p.name', 'text'], createdAt: ['p.created_at', 'instant'] } as const;

export const listPools = (tx: Tx, organizationId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(details(tx, organizationId), orderOf(SORTED_BY, sort, ['p.id', 'id']), w).execute();

export const countPools = async (tx: Tx, organizationId: string): Promise<number> =>
  Number((await visible(tx, organizationId).select(tx.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);

export const poolById = (tx: Tx, organizationId: string, id: string) =>
  details(tx, organizationId).where('p.id', '=', id).executeTakeFirst();

/** False: there is no such pool, or it was revoked before. */
export const revokePool = async (tx: Tx, organizationId: string, id: string, at: Date): Promise<boolean> =>
  (
    await tx
      .updateTable('pools')
      .set({ revoked_at: at })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** The pool of the token, locked: those who join it are counted one after the other. */
export const lockPoolOfToken = (tx: Tx, hash: Buffer) =>
  tx
    .selectFrom('pools as p')
    .where('p.hash', '=', hash)
    .select([
      'p.id',
      'p.organization_id as organizationId',
      'p.name',
      'p.region',
      'p.capacity',
      'p.name_pattern as namePattern',
      'p.max_agents as maxAgents',
      sql<PoolPolicy>`p.policy`.as('policy'),
      'p.expires_at as expiresAt',
      'p.revoked_at as revokedAt',
    ])
    .forUpdate()
    .executeTakeFirst();
export type JoinedPool = NonNullable<Awaited<ReturnType<typeof lockPoolOfToken>>>;
