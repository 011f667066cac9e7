/** Use by project and month. Each run is counted when it ends. */
import { sql } from 'kysely';
import type { Tier } from '../../../contract/people/words.ts';
import type { Tx } from '../../../store/db.ts';

export type UsedRun = {
  readonly organizationId: string;
  readonly projectId: string;
  readonly endpoints: number;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
};

export const endedRun = (tx: Tx, runId: string): Promise<UsedRun> =>
  tx
    .selectFrom('test_runs')
    .where('id', '=', runId)
    .select([
      'organization_id as organizationId',
      'project_id as projectId',
      'endpoints',
      'started_at as startedAt',
      'ended_at as endedAt',
    ])
    .executeTakeFirstOrThrow();

/** Counts one run. `month`: `2026-11` */
export const addProjectUsage = (
  tx: Tx,
  { organizationId, projectId }: UsedRun,
  month: string,
  endpointSeconds: number,
): Promise<unknown> =>
  tx
    .insertInto('project_usage_months')
    .values({
      organization_id: organizationId,
      month,
      project_id: projectId,
      endpoint_seconds: endpointSeconds,
      runs: 1,
    })
    .onConflict((c) =>
      c.columns(['organization_id', 'month', 'project_id']).doUpdateSet({
        endpoint_seconds: sql`project_usage_months.endpoint_seconds + excluded.endpoint_seconds`,
        runs: sql`project_usage_months.runs + 1`,
      }),
    )
    .execute();

export type UsageRow = {
  readonly month: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly runs: number;
  readonly endpointSeconds: number;
  readonly plan: Tier;
};

/**
 * The use in these months, the last one first. What the plan has counted and no project has, is in a row without a
 * project. `organizationId` null: of all organizations.
 */
export const usageRows = async (
  tx: Tx,
  organizationId: string | null,
  { firstMonth, lastMonth }: { readonly firstMonth: string; readonly lastMonth: string },
): Promise<UsageRow[]> =>
  (
    await sql<UsageRow>`
      with of_projects as (
        select u.organization_id, u.month, u.project_id, p.name as project_name, u.runs,
          u.endpoint_seconds
        from project_usage_months u join projects p on p.id = u.project_id and p.deleted_at is null
        where u.month between ${firstMonth} and ${lastMonth}
          and (${organizationId}::uuid is null or u.organization_id = ${organizationId}::uuid)),
      others as (
        select m.organization_id, m.month, null::uuid, null::text, m.runs - coalesce(sum(u.runs), 0)::int,
          greatest(0, m.endpoint_seconds - coalesce(sum(u.endpoint_seconds), 0)::bigint)
        from usage_months m left join of_projects u on u.organization_id = m.organization_id and u.month = m.month
        where m.month between ${firstMonth} and ${lastMonth}
          and (${organizationId}::uuid is null or m.organization_id = ${organizationId}::uuid)
        group by m.organization_id, m.month having m.runs > coalesce(sum(u.runs), 0))
      select u.month, o.id as "organizationId", o.name as "organizationName", u.project_id as "projectId",
        u.project_name as "projectName", u.runs, u.endpoint_seconds as "endpointSeconds", o.plan
      from (select * from of_projects union all select * from others) u join organizations o on o.id = u.organization_id
      where o.deleted_at is null
      order by u.month desc, o.name, o.id, u.project_name, u.project_id`.execute(tx)
  ).rows;
