/** Activity in all accessible projects. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db.ts';
import { maintenanceUntil } from '../probe/maintenance.ts';
import { lastInstancesOf } from '../probe/probes.ts';
import { type Viewer, visible } from '../project/projects.ts';
import { RUN_COLUMNS } from '../run/views/run-lists.ts';

/** `projectId` absent: every project that the viewer reaches. */
export type Reach = { readonly viewer: Viewer; readonly projectId?: string | undefined };

const reached = (tx: Tx, { viewer, projectId }: Reach) =>
  visible(tx, viewer)
    .$if(projectId !== undefined, (q) => q.where('p.id', '=', projectId as string))
    .select(['p.id', 'p.name'])
    .as('p');
const ofProject = ['p.id as projectId', 'p.name as projectName'] as const;
const counted = sql<number>`(count(*) over ())::int`.as('total');
const countedWhere = (rule: RawBuilder<unknown>) => sql<number>`(count(*) filter (where ${rule}) over ())::int`;

/** Newest first. `total` is the number of all runs, in each row. */
export const openRuns = (tx: Tx, reach: Reach, limit: number) =>
  tx
    .selectFrom('test_runs as r')
    .innerJoin(reached(tx, reach), 'p.id', 'r.project_id')
    .where('r.organization_id', '=', reach.viewer.organizationId)
    .where('r.ended_at', 'is', null)
    .select([...ofProject, ...RUN_COLUMNS, counted])
    .orderBy('r.submitted_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit)
    .execute();

/** The last started incident is first. */
export const openIncidents = (tx: Tx, reach: Reach, limit: number) =>
  tx
    .selectFrom('probe_incidents as i')
    .innerJoin('probes as b', 'b.id', 'i.probe_id')
    .innerJoin(reached(tx, reach), 'p.id', 'b.project_id')
    .leftJoin('users as u', 'u.id', 'i.acknowledged_by')
    .where('i.ended_at', 'is', null)
    .select([
      ...ofProject,
      'i.id',
      'b.id as probeId',
      'b.name as probeName',
      'i.severity',
      'i.started_at as startedAt',
      'i.reason',
      'i.acknowledged_at as acknowledgedAt',
      'u.name as acknowledgedBy',
      counted,
    ])
    .orderBy('i.started_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute();

/** The worst probes are first, disabled ones last; each has its latest executions. */
export const probesWithInstances = (tx: Tx, reach: Reach, limit: number, instances: number, at: Date) =>
  tx
    .selectFrom(
      tx
        .selectFrom('probes as b')
        .innerJoin(reached(tx, reach), 'p.id', 'b.project_id')
        .select([
          ...ofProject,
          'b.id',
          'b.name',
          'b.status',
          'b.enabled',
          'b.auto_paused_at as autoPausedAt',
          'b.last_skip_reason as lastSkipReason',
          'b.last_message as lastMessage',
          maintenanceUntil('b', at).as('maintenanceUntil'),
          counted,
          countedWhere(sql`b.enabled`).as('enabledTotal'),
          countedWhere(sql`b.enabled and b.status in ('DEGRADED', 'UNHEALTHY')`).as('badTotal'),
          countedWhere(sql`b.enabled and b.status = 'UNKNOWN'`).as('unknownTotal'),
          sql<number>`case when not b.enabled then 4 else array_position(
            array['UNHEALTHY', 'DEGRADED', 'UNKNOWN', 'HEALTHY'], b.status) end`.as('rank'),
        ])
        .orderBy('rank')
        .orderBy('b.name')
        .orderBy('b.id')
        .limit(limit)
        .as('b'),
    )
    .selectAll()
    .select(lastInstancesOf('b', instances).as('lastInstances'))
    .orderBy('b.rank')
    .orderBy('b.name')
    .orderBy('b.id')
    .execute();
