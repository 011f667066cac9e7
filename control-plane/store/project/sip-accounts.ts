/** SIP accounts; only allocations get their passwords (registrars.ts). */
import type { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import type { AccountSecret } from '../../contract/test-settings/words.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { sealedAgain } from '../secrets/sealing.ts';

const columns = [
  'id',
  'username',
  'auth_name as authName',
  'display_name as displayName',
  'number',
  sql<Readonly<Record<string, string>>>`own_values`.as('values'),
  'created_at as createdAt',
  sql<AccountSecret>`case when password is not null then 'PASSWORD' when ha1 is not null then 'HA1' else 'NONE' end`.as(
    'secret',
  ),
] as const;

const SORTED_BY = { username: ['username', 'text'], createdAt: ['created_at', 'instant'] } as const;

export const listSipAccounts = (tx: Tx, registrarId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(
    tx
      .selectFrom('sip_accounts')
      .where('registrar_id', '=', registrarId)
      .select([...columns]),
    orderOf(SORTED_BY, sort),
    w,
  ).execute();

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

/** The accounts among these ids that the project has; they are locked until the transaction ends. */
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

/** The names of custom values in accounts of these registrars. */
export async function accountColumns(
  tx: Tx,
  projectId: string,
  registrarIds: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ registrarId: string; names: string[] }>`
    select a.registrar_id as "registrarId", array_agg(distinct own.name) as names
    from sip_accounts a join registrars r on r.id = a.registrar_id, jsonb_object_keys(a.own_values) as own (name)
    where r.project_id = ${projectId}::uuid and r.id = any (${texts(registrarIds)}::uuid[])
    group by a.registrar_id`.execute(tx);
  return new Map(rows.map(({ registrarId, names }) => [registrarId, new Set(names)]));
}

type SipAccountColumns = {
  readonly username: string;
  readonly password: Secret | null;
  readonly ha1: Secret | null;
  readonly authName: string | null;
  readonly displayName: string | null;
  readonly number: string | null;
  readonly values: Readonly<Record<string, string>>;
};
export type SipAccountRow = SipAccountColumns & { readonly id: string };

/** Unchanged fields are omitted. `present`: the row's current secrets. */
export const sipAccountColumns = (
  tx: Tx,
  id: string,
  a: { readonly [K in keyof SipAccountColumns]?: SipAccountColumns[K] | undefined },
  present: { readonly password: Buffer | null; readonly ha1: Buffer | null } = { password: null, ha1: null },
) => ({
  ...(a.username !== undefined && { username: a.username }),
  ...(a.password !== undefined && { password: sealedSecret(tx, id, a.password, present.password) }),
  ...(a.ha1 !== undefined && { ha1: sealedSecret(tx, id, a.ha1, present.ha1) }),
  ...(a.authName !== undefined && { auth_name: a.authName }),
  ...(a.displayName !== undefined && { display_name: a.displayName }),
  ...(a.number !== undefined && { number: a.number }),
  ...(a.values !== undefined && { own_values: JSON.stringify(a.values) }),
});

const sealedSecret = (tx: Tx, id: string, secret: Secret | null, present: Buffer | null = null): Buffer | null =>
  secret && sealedAgain(tx, { table: 'sip_accounts', id }, secret, present);

/** Returns the ids of the inserted accounts; the user names of the others are in use. */
export async function insertSipAccounts(
  tx: Tx,
  registrarId: string,
  accounts: readonly SipAccountRow[],
): Promise<Set<string>> {
  const column = (of: (account: SipAccountRow) => string | null) => sql`${texts(accounts.map(of))}::text[]`;
  const hex = (id: string, secret: Secret | null) => sealedSecret(tx, id, secret)?.toString('hex') ?? null;
  const { rows } = await sql<{ id: string }>`
    insert into sip_accounts (id, registrar_id, username, password, ha1, auth_name, display_name, number, own_values)
    select id::uuid, ${registrarId}::uuid, username, decode(password, 'hex'), decode(ha1, 'hex'), auth_name, display_name, number, own_values::jsonb
    from unnest(${column((a) => a.id)}, ${column((a) => a.username)}, ${column((a) => hex(a.id, a.password))},
        ${column((a) => hex(a.id, a.ha1))}, ${column((a) => a.authName)}, ${column((a) => a.displayName)},
        ${column((a) => a.number)}, ${column((a) => JSON.stringify(a.values))})
      as t (id, username, password, ha1, auth_name, display_name, number, own_values)
    on conflict (registrar_id, username) do nothing
    returning id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** The change has at least one of these columns. */
export const updateSipAccount = (
  tx: Tx,
  id: string,
  changed: Parameters<typeof sipAccountColumns>[2],
): Promise<unknown> =>
  tx
    .updateTable('sip_accounts')
    .set(sipAccountColumns(tx, id, changed))
    .where('id', '=', id)
    .execute();

export const deleteSipAccount = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('sip_accounts').where('id', '=', id).execute();
