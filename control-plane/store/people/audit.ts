/** The audit log: append-only, until retention. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import { type Slice, sliced } from '../list-order.ts';

export type AuditRow = {
  readonly organizationId: string;
  readonly userId: string | null;
  /** The person's name, or the address that was tried. */
  readonly actor: string;
  readonly via: 'SESSION' | 'KEY' | 'LOGIN' | 'AGENT' | 'OPERATOR';
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly address: string;
  readonly at: Date;
};

export const insertAuditEntry = (tx: Tx, a: AuditRow): Promise<unknown> =>
  tx
    .insertInto('audit_entries')
    .values({
      organization_id: a.organizationId,
      user_id: a.userId,
      actor: a.actor,
      via: a.via,
      action: a.action,
      target: JSON.stringify(a.target),
      address: a.address,
      at: a.at,
    })
    .execute();

export type AuditQuery = {
  readonly actor?: string | undefined;
  /** Undefined: all. */
  readonly actions?: readonly string[] | undefined;
  /** Entries of agents, besides those with these actions. */
  readonly orOfAgents?: boolean | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

const matching = (tx: Tx, organizationId: string, { actor, actions, orOfAgents, from, to }: AuditQuery) =>
  tx
    .selectFrom('audit_entries')
    .where('organization_id', '=', organizationId)
    .$if(actor !== undefined, (q) => q.where(sql<boolean>`strpos(lower(actor), lower(${actor})) > 0`))
    .$if(actions !== undefined, (q) =>
      q.where((eb) =>
        eb.or([
          eb(sql`action`, '=', sql`any (${sql.val([...(actions ?? [])])}::text[])`),
          ...(orOfAgents ? [eb('via', '=', 'AGENT')] : []),
        ]),
      ),
    )
    .$if(from !== undefined, (q) => q.where('at', '>=', new Date(from as string)))
    .$if(to !== undefined, (q) => q.where('at', '<', new Date(to as string)));

export const listAuditEntries = (
  tx: Tx,
  organizationId: string,
  query: AuditQuery & { readonly sort: '-at' | 'at' },
  w: Slice,
) =>
  sliced(
    matching(tx, organizationId, query).select([
      'id',
      'at',
      'actor',
      'via',
      'action',
      sql<Record<string, string>>`target`.as('target'),
      'address',
    ]),
    [['id', 'number', query.sort === '-at' ? 'desc' : 'asc']],
    w,
  ).execute();

export const countAuditEntries = async (tx: Tx, organizationId: string, query: AuditQuery): Promise<number> =>
  (await matching(tx, organizationId, query).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** Deletes up to `rows` entries from before that instant; false: none remained. */
export const deleteOldAuditEntries = async (tx: Tx, before: Date, rows: number): Promise<boolean> => {
  const old = tx.selectFrom('audit_entries').where('at', '<', before).select('id').orderBy('at').limit(rows);
  const { numDeletedRows } = await tx.deleteFrom('audit_entries').where('id', 'in', old).executeTakeFirst();
  return numDeletedRows > 0n;
};
