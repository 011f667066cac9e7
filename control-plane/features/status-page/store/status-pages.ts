/** Status pages: their settings, and their public data, which is only the selected data. */
import { sql } from 'kysely';
import type { Severity } from '../../../contract/probe/words.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import type { Tx } from '../../../store/db.ts';
import type { DayGrades, GradeCounts } from '../domain/status-page.ts';

export const statusPageOf = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('status_pages')
    .where('project_id', '=', projectId)
    .select(['slug', 'title', 'description', 'published', 'version'])
    .executeTakeFirst();

export const statusPageProbes = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('status_page_probes')
    .where('project_id', '=', projectId)
    .select(['probe_id as probeId', 'display_name as displayName'])
    .orderBy('position')
    .execute();

export type StatusPageColumns = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly published: boolean;
};

export const putStatusPage = (tx: Tx, projectId: string, columns: StatusPageColumns): Promise<unknown> =>
  tx
    .insertInto('status_pages')
    .values({ project_id: projectId, ...columns })
    .onConflict((c) =>
      c
        .column('project_id')
        .doUpdateSet({ ...columns, version: sql`status_pages.version + 1`, updated_at: sql`now()` }),
    )
    .execute();

export const clearStatusPageProbes = (tx: Tx, projectId: string): Promise<unknown> =>
  tx.deleteFrom('status_page_probes').where('project_id', '=', projectId).execute();

/** False: the project has no such probe. */
export const insertStatusPageProbe = async (
  tx: Tx,
  projectId: string,
  { probeId, displayName, position }: { probeId: string; displayName: string; position: number },
): Promise<boolean> =>
  (
    await sql`
      insert into status_page_probes (project_id, probe_id, display_name, position)
      select project_id, id, ${displayName}::text, ${position}::integer from probes
      where id = ${probeId}::uuid and project_id = ${projectId}::uuid returning probe_id`.execute(tx)
  ).rows.length > 0;

/** Null: nothing is published under this name. */
export const publishedPage = (tx: Tx, slug: string) =>
  tx
    .selectFrom('status_pages as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .where('s.slug', '=', slug)
    .where('s.published', '=', true)
    .where('p.deleted_at', 'is', null)
    .select(['s.project_id as projectId', 'p.organization_id as organizationId', 's.title', 's.description'])
    .executeTakeFirst();

export type ComponentRow = {
  readonly name: string;
  readonly status: HealthState;
  readonly isIdle: boolean;
  readonly days: readonly DayGrades[];
  readonly last24Hours: GradeCounts;
};

/** The chosen probes with their sums by day from `fromDay`, and over the hours from `fromHour`. */
export const pageComponents = async (
  tx: Tx,
  projectId: string,
  fromDay: Date,
  fromHour: Date,
): Promise<readonly ComponentRow[]> =>
  (
    await sql<ComponentRow>`
      select s.display_name as name, p.status, not p.enabled and p.auto_paused_at is null as "isIdle",
        coalesce(d.days, '[]') as days, h.hours as "last24Hours"
      from status_page_probes s join probes p on p.id = s.probe_id and p.project_id = s.project_id
      left join lateral (
        select json_agg(json_build_object('date', to_char(at at time zone 'UTC', 'YYYY-MM-DD'),
          'healthy', healthy, 'degraded', degraded, 'unhealthy', unhealthy)) as days
        from probe_verdicts where probe_id = p.id and grain = 'DAY' and at >= ${fromDay}::timestamptz) d on true
      left join lateral (
        select json_build_object('healthy', coalesce(sum(healthy), 0), 'degraded', coalesce(sum(degraded), 0),
          'unhealthy', coalesce(sum(unhealthy), 0)) as hours
        from probe_verdicts where probe_id = p.id and grain = 'HOUR' and at >= ${fromHour}::timestamptz) h on true
      where s.project_id = ${projectId}::uuid
      order by s.position`.execute(tx)
  ).rows;

export type IncidentRow = {
  readonly component: string;
  readonly severity: Severity;
  readonly startedAt: Date;
  readonly firstFailedAt: Date | null;
  readonly endedAt: Date | null;
  readonly reason: string | null;
};

/** Open incidents are first, then the last that were resolved after `from`. */
export const pageIncidents = (tx: Tx, projectId: string, from: Date, most: number): Promise<IncidentRow[]> =>
  tx
    .selectFrom('status_page_probes as s')
    .innerJoin('probes as p', (join) =>
      join.onRef('p.id', '=', 's.probe_id').onRef('p.project_id', '=', 's.project_id'),
    )
    .innerJoin('probe_incidents as i', 'i.probe_id', 's.probe_id')
    .where('s.project_id', '=', projectId)
    .where((eb) => eb.or([eb('i.ended_at', 'is', null), eb('i.ended_at', '>=', from)]))
    .select([
      's.display_name as component',
      'i.severity',
      'i.started_at as startedAt',
      'i.first_failed_at as firstFailedAt',
      'i.ended_at as endedAt',
      'i.public_reason as reason',
    ])
    .orderBy('i.resolved')
    .orderBy('i.started_at', 'desc')
    .limit(most)
    .execute();

/**
 * The maintenance of the selected probes that is open at that instant, or planned to start before `until`; the next is
 * first.
 */
export const pageMaintenance = (tx: Tx, projectId: string, at: Date, until: Date, most: number) =>
  tx
    .selectFrom('status_page_probes as s')
    .innerJoin('maintenance_windows as m', (join) =>
      join
        .onRef('m.project_id', '=', 's.project_id')
        .on((eb) => eb.or([eb('m.probe_id', 'is', null), eb('m.probe_id', '=', eb.ref('s.probe_id'))])),
    )
    .where('s.project_id', '=', projectId)
    .where('m.ends_at', '>', at)
    .where('m.starts_at', '<', until)
    .select(['s.display_name as component', 'm.starts_at as startsAt', 'm.ends_at as endsAt'])
    .orderBy('m.starts_at')
    .orderBy('s.position')
    .limit(most)
    .execute();
