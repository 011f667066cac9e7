/** The organizations of an installation. */
import { sql } from 'kysely';
import type { Output } from '../../../contract/catalogue.ts';
import type { Tier } from '../../../contract/people/words.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import type { Tx } from '../../../store/db.ts';

type CustomerRow = {
  readonly id: string;
  readonly name: string;
  readonly plan: Tier;
  readonly createdAt: Date;
  readonly people: number;
  readonly invitations: number;
  readonly projects: number;
  readonly workers: number;
  readonly onlineWorkers: number;
  readonly probes: number;
  readonly health: HealthState | null;
  readonly openRuns: number;
  readonly lastRunAt: Date | null;
  readonly runs: number;
  readonly endpointSeconds: number;
};

type Shown = {
  readonly at: Date;
  /** `2026-11` */
  readonly month: string;
  readonly limit: number;
  readonly offset: number;
};

/** Customers in the order of names, with their figures, in one statement. `only`: this one; null: all. */
export const customerRows = async (
  tx: Tx,
  only: string | null,
  { at, month, limit, offset }: Shown,
): Promise<CustomerRow[]> =>
  (
    await sql<CustomerRow>`
      with shown as (
        select id, name, plan, created_at from organizations
        where deleted_at is null and (${only}::uuid is null or id = ${only}::uuid)
        order by name, id limit ${limit} offset ${offset})
      select o.id, o.name, o.plan, o.created_at as "createdAt",
        (select count(*) from memberships m where m.organization_id = o.id)::int as people,
        (select count(*) from invitations i where i.organization_id = o.id and i.expires_at > ${at}::timestamptz)::int
          as invitations,
        p.projects, w.workers, w.online as "onlineWorkers", b.probes, b.health,
        (select count(*) from test_runs r where r.organization_id = o.id and r.ended_at is null)::int as "openRuns",
        p.last_run_at as "lastRunAt", coalesce(u.runs, 0) as runs, coalesce(u.endpoint_seconds, 0) as "endpointSeconds"
      from shown o
      left join usage_months u on u.organization_id = o.id and u.month = ${month}
      cross join lateral (
        select count(*)::int as projects, max(r.submitted_at) as last_run_at
        from projects p left join lateral (
          select submitted_at from test_runs where project_id = p.id order by submitted_at desc, id desc limit 1) r on true
        where p.organization_id = o.id and p.deleted_at is null) p
      cross join lateral (
        select count(*)::int as workers, count(*) filter (where status = 'ONLINE')::int as online
        from workers where organization_id = o.id and revoked_at is null) w
      cross join lateral (
        select count(*)::int as probes,
          (array['UNHEALTHY', 'DEGRADED', 'UNKNOWN', 'HEALTHY'])[
            min(array_position(array['UNHEALTHY', 'DEGRADED', 'UNKNOWN', 'HEALTHY'], b.status))] as health
        from probes b join projects p on p.id = b.project_id
        where p.organization_id = o.id and p.deleted_at is null and b.enabled) b
      order by o.name, o.id`.execute(tx)
  ).rows;

type Totals = Omit<Output<'getCustomerTotals'>, 'endpointMinutes'> & { readonly endpointSeconds: number };

/** Sums over all organizations, in one statement. `month`: `2026-11` */
export const customerTotals = async (tx: Tx, month: string): Promise<Totals> =>
  (
    await sql<Totals>`
      with o as (select id from organizations where deleted_at is null),
        w as (select status, organization_id from workers
          where revoked_at is null and (organization_id is null or organization_id in (select id from o)))
      select (select count(*) from o)::int as organizations,
        (select count(distinct p.organization_id) from probes b join projects p on p.id = b.project_id
          where p.organization_id in (select id from o) and p.deleted_at is null and b.enabled
            and b.status in ('UNHEALTHY', 'DEGRADED'))::int as unhealthy,
        (select count(*) from test_runs where ended_at is null and organization_id in (select id from o))::int as "openRuns",
        (select count(*) from w)::int as workers,
        (select count(*) from w where status = 'ONLINE')::int as "onlineWorkers",
        (select count(*) from w where organization_id is null)::int as "sharedWorkers",
        (select coalesce(sum(endpoint_seconds), 0)::bigint from usage_months
          where month = ${month} and organization_id in (select id from o)) as "endpointSeconds"`.execute(tx)
  ).rows[0] as Totals;

/** Violates a unique key if the slug is in use. */
export const insertCustomer = (
  tx: Tx,
  o: { readonly id: string; readonly slug: string; readonly name: string; readonly plan: Tier },
): Promise<unknown> => tx.insertInto('organizations').values(o).execute();

/** False: there is no such organization. */
export const setPlan = async (tx: Tx, id: string, plan: Tier): Promise<boolean> =>
  (await tx
    .updateTable('organizations')
    .set({ plan, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined;
