import { sql } from 'kysely';
import type { Paged } from '../contract/envelope.ts';
import type { Tx } from './db.ts';

export const listRegistrars = (tx: Tx, projectId: string, { page, per_page }: Paged) =>
  tx
    .selectFrom('registrars as r')
    .where('r.project_id', '=', projectId)
    .select([
      'r.id',
      'r.name',
      'r.uri',
      'r.protocol',
      'r.dns',
      'r.outbound_proxy_uri as outboundProxyUri',
      'r.is_cloud as isCloud',
      'r.register',
      'r.created_at as createdAt',
      'r.updated_at as updatedAt',
      sql<number>`(select count(*) from sip_accounts where registrar_id = r.id)`.as('sipAccountCount'),
    ])
    .orderBy('r.name')
    .orderBy('r.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();

export const countRegistrars = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('registrars')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

/** What planning needs of a project's registrars. */
export const registrarPlans = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('registrars')
    .where('project_id', '=', projectId)
    .select(['id', 'uri', 'is_cloud as isCloud', 'register', 'outbound_proxy_uri as outboundProxyUri'])
    .execute();

/** Without passwords: for counting. */
export const sipAccountIds = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('sip_accounts as a')
    .innerJoin('registrars as r', 'r.id', 'a.registrar_id')
    .where('r.project_id', '=', projectId)
    .select(['a.id', 'a.registrar_id as registrarId'])
    .execute();

/** With passwords: for the allocation alone. */
export const sipAccountPlans = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('sip_accounts as a')
    .innerJoin('registrars as r', 'r.id', 'a.registrar_id')
    .where('r.project_id', '=', projectId)
    .select(['a.id', 'a.registrar_id as registrarId', 'a.username', 'a.password'])
    .orderBy('a.username')
    .execute();
