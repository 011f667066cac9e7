/** The audit log: append-only, until retention. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import { type Slice, sliced } from '../orders.ts';

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

export const listAuditEntries = (tx: Tx, organizationId: string, sort: '-at' | 'at', w: Slice) =>
  sliced(
    tx
      .selectFrom('audit_entries')
      .where('organization_id', '=', organizationId)
      .select(['id', 'at', 'actor', 'via', 'action', sql<Record<string, string>>`target`.as('target'), 'address']),
    [['id', 'number', sort === '-at' ? 'desc' : 'asc']],
    w,
  ).execute();

export const countAuditEntries = async (tx: Tx, organizationId: string): Promise<number> =>
  (
    await tx
      .selectFrom('audit_entries')
      .where('organization_id', '=', organizationId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

/** Deletes up to `rows` entries from before that instant; false: none remained. */
export const deleteOldAuditEntries = async (tx: Tx, before: Date, rows: number): Promise<boolean> => {
  const old = tx.selectFrom('audit_entries').where('at', '<', before).select('id').orderBy('at').limit(rows);
  const { numDeletedRows } = await tx.deleteFrom('audit_entries').where('id', 'in', old).executeTakeFirst();
  return numDeletedRows > 0n;
};
