/** Registrars and their SIP accounts. Only what the allocation reads has private keys and passwords. */
import { sql } from 'kysely';
import type { Tls } from '../../contract/test-settings/tls.ts';
import type { Protocol } from '../../contract/test-settings/words.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { orderOf, type Slice, type SortOf, sliced } from '../list-order.ts';
import { openIn, sealIn } from '../secrets/sealing.ts';
import { changedNow } from '../versions.ts';

const TLS = ['tls_verify as tlsVerify', 'tls_ca as tlsCa', 'tls_certificate as tlsCertificate'] as const;
const PLANNED = [
  'id',
  'name',
  'uri',
  'is_cloud as isCloud',
  'register',
  'outbound_proxy_uri as outboundProxyUri',
  'protocol',
  'web_socket_path as webSocketPath',
  'domain',
  'gateways',
  'source_address as sourceAddress',
  ...TLS,
  sql<boolean>`exists (select from sip_accounts a where a.registrar_id = registrars.id
    and num_nonnulls(a.auth_name, a.ha1, a.display_name, a.number) > 0)`.as('hasIdentities'),
] as const;

type TlsRow = {
  tlsVerify: string | null;
  tlsCa: string | null;
  tlsCertificate: string | null;
};

/** The TLS settings without the private key. */
export const tlsOf = (r: TlsRow): Tls | null =>
  r.tlsVerify === null ? null : { verify: r.tlsVerify as Tls['verify'], ca: r.tlsCa, certificate: r.tlsCertificate };

function planned<R extends TlsRow>({ tlsVerify, tlsCa, tlsCertificate, ...rest }: R) {
  return { ...rest, tls: tlsOf({ tlsVerify, tlsCa, tlsCertificate }) };
}

const registrars = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('registrars as r')
    .where('r.project_id', '=', projectId)
    .select([
      'r.id',
      'r.slug',
      'r.name',
      'r.uri',
      'r.protocol',
      'r.outbound_proxy_uri as outboundProxyUri',
      'r.web_socket_path as webSocketPath',
      'r.domain',
      'r.gateways',
      'r.source_address as sourceAddress',
      'r.tls_verify as tlsVerify',
      'r.tls_ca as tlsCa',
      'r.tls_certificate as tlsCertificate',
      sql<boolean>`r.tls_key is not null`.as('hasKey'),
      'r.is_cloud as isCloud',
      'r.register',
      'r.version',
      'r.created_at as createdAt',
      'r.updated_at as updatedAt',
      sql<number>`(select count(*) from sip_accounts where registrar_id = r.id)`.as('sipAccountCount'),
    ]);

const SORTED_BY = { name: ['r.name', 'text'], createdAt: ['r.created_at', 'instant'] } as const;

export const listRegistrars = (tx: Tx, projectId: string, sort: SortOf<typeof SORTED_BY>, w: Slice) =>
  sliced(registrars(tx, projectId), orderOf(SORTED_BY, sort, ['r.id', 'id']), w).execute();

export const findRegistrar = (tx: Tx, projectId: string, id: string) =>
  registrars(tx, projectId).where('r.id', '=', id).executeTakeFirst();

export const countRegistrars = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('registrars')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const registrarPlans = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('registrars')
    .where('project_id', '=', projectId)
    .select(PLANNED)
    .execute()
    .then((rows) => rows.map(planned));

/**
 * These registrars of a project, with their private keys: only for the allocation.
 * @throws SecretUnreadable
 */
export const registrarPlansWithKeys = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx
    .selectFrom('registrars')
    .where('project_id', '=', projectId)
    .where('id', '=', sql<string>`any (${texts(ids)}::uuid[])`)
    .select([...PLANNED, 'tls_key as tlsKey'])
    .execute()
    .then((rows) =>
      rows.map(({ tlsKey, ...row }) => {
        const { tls, ...plan } = planned(row);
        const key = tlsKey && openIn(tx, { table: 'registrars', id: row.id }, tlsKey);
        return { ...plan, tls: tls && { ...tls, ...(key && { key }) } };
      }),
    );

const OWN_VALUES = sql<Readonly<Record<string, string>>>`a.own_values`.as('values');

/** The accounts without secrets: for counting, and for the needs of tests. */
export const sipAccountFacts = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('sip_accounts as a')
    .innerJoin('registrars as r', 'r.id', 'a.registrar_id')
    .where('r.project_id', '=', projectId)
    .select([
      'a.id',
      'a.registrar_id as registrarId',
      'a.username',
      'a.auth_name as authName',
      'a.display_name as displayName',
      'a.number',
      OWN_VALUES,
      sql<boolean>`a.password is not null or a.ha1 is not null`.as('hasSecret'),
    ])
    .orderBy('a.username')
    .execute();

/**
 * The accounts of these registrars, with passwords: only for the allocation.
 * @throws SecretUnreadable
 */
export const sipAccountPlans = (tx: Tx, projectId: string, registrarIds: readonly string[]) =>
  tx
    .selectFrom('sip_accounts as a')
    .innerJoin('registrars as r', 'r.id', 'a.registrar_id')
    .where('r.project_id', '=', projectId)
    .where('r.id', '=', sql<string>`any (${texts(registrarIds)}::uuid[])`)
    .select([
      'a.id',
      'a.registrar_id as registrarId',
      'a.username',
      'a.password',
      'a.ha1',
      'a.auth_name as authName',
      'a.display_name as displayName',
      'a.number',
      OWN_VALUES,
    ])
    .orderBy('a.username')
    .execute()
    .then((rows) =>
      rows.map((a) => {
        const row = { table: 'sip_accounts', id: a.id } as const;
        return { ...a, password: a.password && openIn(tx, row, a.password), ha1: a.ha1 && openIn(tx, row, a.ha1) };
      }),
    );

export type RegistrarColumns = {
  readonly name: string;
  readonly uri: string;
  readonly protocol: Protocol;
  readonly register: boolean;
  readonly outboundProxyUri: string | null;
  readonly webSocketPath: string | null;
  readonly domain: string | null;
  readonly gateways: readonly string[];
  readonly sourceAddress: string | null;
  /** Without a key, the row keeps its own, as long as its certificate stays the same. */
  readonly tls: Tls | null;
};
export type RegistrarRow = RegistrarColumns & {
  readonly id: string;
  readonly projectId: string;
  readonly slug: string;
  readonly isCloud: boolean;
};

/** All columns except the private key. */
export const registrarColumns = (r: RegistrarColumns) => ({
  name: r.name,
  uri: r.uri,
  protocol: r.protocol,
  register: r.register,
  outbound_proxy_uri: r.outboundProxyUri,
  web_socket_path: r.webSocketPath,
  domain: r.domain,
  gateways: sql<string[]>`${texts(r.gateways)}::text[]`,
  source_address: r.sourceAddress,
  tls_verify: r.tls?.verify ?? null,
  tls_ca: r.tls?.ca ?? null,
  tls_certificate: r.tls?.certificate ?? null,
});

const sealedKey = (tx: Tx, id: string, { tls }: RegistrarColumns): Buffer | null =>
  tls?.key ? sealIn(tx, { table: 'registrars', id }, tls.key) : null;

/** False: the slug is taken. */
export const insertRegistrar = async (tx: Tx, r: RegistrarRow): Promise<boolean> =>
  (await tx
    .insertInto('registrars')
    .values({
      id: r.id,
      project_id: r.projectId,
      slug: r.slug,
      is_cloud: r.isCloud,
      ...registrarColumns(r),
      tls_key: sealedKey(tx, r.id, r),
    })
    .onConflict((c) => c.columns(['project_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const lockRegistrar = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('registrars')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([
      'id',
      'name',
      'uri',
      'protocol',
      'register',
      'outbound_proxy_uri as outboundProxyUri',
      'web_socket_path as webSocketPath',
      'domain',
      'gateways',
      'source_address as sourceAddress',
      'is_cloud as isCloud',
      'version',
      ...TLS,
      sql<boolean>`tls_key is not null`.as('hasKey'),
    ])
    .forUpdate()
    .executeTakeFirst();

/** The planning data of the registrars among these ids that the project has; they are locked until the transaction ends. */
export const holdRegistrars = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx
    .selectFrom('registrars')
    .where('project_id', '=', projectId)
    .where(sql<boolean>`id = any (${texts(ids)}::uuid[])`)
    .select(PLANNED)
    .orderBy('id')
    .forKeyShare()
    .execute()
    .then((rows) => rows.map(planned));

export const updateRegistrar = (tx: Tx, id: string, r: RegistrarColumns): Promise<unknown> =>
  tx
    .updateTable('registrars')
    .set({
      ...registrarColumns(r),
      tls_key: r.tls?.key
        ? sealedKey(tx, id, r)
        : sql<Buffer | null>`case when tls_certificate = ${r.tls?.certificate ?? null} then tls_key end`,
      ...changedNow(),
    })
    .where('id', '=', id)
    .execute();

/** Its accounts are deleted with it. */
export const deleteRegistrar = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('registrars').where('id', '=', id).execute();

/** The registrars among these that require registration before calls. */
export const registeringOf = async (tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await tx
        .selectFrom('registrars')
        .where('id', '=', sql<string>`any (${texts(ids)}::uuid[])`)
        .where('register', '=', true)
        .where('is_cloud', '=', false)
        .select('id')
        .execute()
    ).map((row) => row.id),
  );
