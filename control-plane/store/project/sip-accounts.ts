/** SIP accounts; their passwords go only to allocations (registrars.ts). */
import type { Secret } from '@carillon/proto/secret.ts';
import { sql } from 'kysely';
import type { Paged } from '../../contract/envelope.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

const columns = ['id', 'username', 'created_at as createdAt'] as const;

export const listSipAccounts = (tx: Tx, registrarId: string, { page, per_page }: Paged) =>
  tx
    .selectFrom('sip_accounts')
    .where('registrar_id', '=', registrarId)
    .select([...columns])
    .orderBy('username')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countSipAccounts = async (tx: Tx, registrarId: string): Promise<number> =>
  (
    await tx
      .selectFrom('sip_accounts')
      .where('registrar_id', '=', registrarId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findSipAccount = (tx: Tx, registrarId: string, id: string) =>
  tx
    .selectFrom('sip_accounts')
    .where('registrar_id', '=', registrarId)
    .where('id', '=', id)
    .select([...columns])
    .executeTakeFirst();

export const lockSipAccount = (tx: Tx, registrarId: string, id: string) =>
  tx
    .selectFrom('sip_accounts')
    .where('registrar_id', '=', registrarId)
    .where('id', '=', id)
    .select(['id', 'username'])
    .forUpdate()
    .executeTakeFirst();

/** Those of these ids that the project has; they stay until the transaction ends. */
export const holdSipAccounts = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx
    .selectFrom('sip_accounts as a')
    .innerJoin('registrars as r', 'r.id', 'a.registrar_id')
    .where('r.project_id', '=', projectId)
    .where(sql<boolean>`a.id = any (${texts(ids)}::uuid[])`)
    .select(['a.id', 'a.registrar_id as registrarId'])
    .orderBy('a.id')
    .forKeyShare('a')
    .execute();

export type NewAccounts = {
  readonly ids: readonly string[];
  readonly usernames: readonly string[];
  readonly passwords: readonly Secret[];
};

/** Ids of those that were inserted; the others' user names are taken. */
export async function insertSipAccounts(tx: Tx, registrarId: string, a: NewAccounts): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into sip_accounts (id, registrar_id, username, password)
    select id, ${registrarId}::uuid, username, password
    from unnest(${texts(a.ids)}::uuid[], ${texts(a.usernames)}::text[], ${texts(a.passwords.map((password) => password.reveal()))}::text[])
      as t (id, username, password)
    on conflict (registrar_id, username) do nothing
    returning id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

export type SipAccountColumns = { readonly username?: string | undefined; readonly password?: Secret | undefined };

/** At least one of them. */
export const updateSipAccount = (tx: Tx, id: string, { username, password }: SipAccountColumns): Promise<unknown> =>
  tx
    .updateTable('sip_accounts')
    .set({
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password: password.reveal() }),
    })
    .where('id', '=', id)
    .execute();

export const deleteSipAccount = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('sip_accounts').where('id', '=', id).execute();
