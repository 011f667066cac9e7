/** Probes, their executions and their incidents. */
import { sql } from 'kysely';
import type { Paged } from '../contract/envelope.ts';
import type { HealthState, Severity } from '../contract/words.ts';
import type { Tx } from './db.ts';
import { reading, type Window } from './pages.ts';

const probes = (tx: Tx, projectId: string) =>
  tx
    .selectFrom('probes as p')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('probe_instances as i')
          .innerJoin('test_runs as r', 'r.id', 'i.test_run_id')
          .whereRef('i.probe_id', '=', 'p.id')
          .select(['r.status as lastInstanceStatus', 'i.scheduled_at as lastInstanceAt'])
          .orderBy('i.scheduled_at', 'desc')
          .orderBy('i.id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .where('p.project_id', '=', projectId)
    .select([
      'p.id',
      'p.name',
      'p.description',
      'p.mode',
      'p.status',
      'p.enabled',
      'p.schedule_type as scheduleType',
      'p.fixed_interval_sec as fixedIntervalSec',
      'p.cron_expression as cronExpression',
      'p.time_of_day_start_utc as timeOfDayStartUtc',
      'p.time_of_day_end_utc as timeOfDayEndUtc',
      'p.timezone',
      'p.duration_seconds as durationSeconds',
      'p.alert_strike_runs as alertStrikeRuns',
      'p.parent_probe_id as parentProbeId',
      'last.lastInstanceStatus',
      'last.lastInstanceAt',
      'p.escalate_after_minutes as escalateAfterMinutes',
      'p.auto_pause_after_hours as autoPauseAfterHours',
      'p.auto_paused_at as autoPausedAt',
      'p.auto_pause_reason as autoPauseReason',
      'p.last_skip_reason as lastSkipReason',
      'p.last_skip_at as lastSkipAt',
      'p.created_at as createdAt',
      'p.updated_at as updatedAt',
    ]);

/** The page first: each row's last execution is looked for. */
export const listProbes = (tx: Tx, projectId: string, { page, per_page }: Paged) => {
  const keys = tx
    .selectFrom('probes')
    .where('project_id', '=', projectId)
    .select('id')
    .orderBy('name')
    .orderBy('id')
    .limit(per_page)
    .offset((page - 1) * per_page);
  return probes(tx, projectId).where('p.id', 'in', keys).orderBy('p.name').orderBy('p.id').execute();
};

export const countProbes = async (tx: Tx, projectId: string): Promise<number> =>
  (
    await tx
      .selectFrom('probes')
      .where('project_id', '=', projectId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const findProbe = (tx: Tx, projectId: string, id: string) =>
  probes(tx, projectId)
    .where('p.id', '=', id)
    .select([
      'p.slug',
      'p.version',
      'p.config',
      'p.expected_status_codes as expectedStatusCodes',
      sql<Date | null>`case when p.enabled and p.next_tick_at < '9999-01-01' then p.next_tick_at end`.as('nextTickAt'),
      'p.strikes',
    ])
    .executeTakeFirst();

export const thresholdsOf = (tx: Tx, probeIds: readonly string[]) =>
  tx
    .selectFrom('probe_thresholds')
    .where('probe_id', 'in', probeIds.length > 0 ? [...probeIds] : [null as unknown as string])
    .select([
      'id',
      'probe_id as probeId',
      'metric_key as metricKey',
      'green_value as greenValue',
      'orange_value as orangeValue',
      'enabled',
    ])
    .orderBy('metric_key')
    .execute();

export type InstanceFilter = { readonly status?: HealthState | undefined };

export const listProbeInstances = (tx: Tx, probeId: string, { status }: InstanceFilter, w: Window) => {
  const keys = tx
    .selectFrom('probe_instances')
    .where('probe_id', '=', probeId)
    .$if(status !== undefined, (q) => q.where('status', '=', status as HealthState))
    .select(['id', 'scheduled_at'])
    .orderBy('scheduled_at', reading(w, 'desc'))
    .orderBy('id', reading(w, 'desc'))
    .limit(w.limit)
    .offset(w.offset);
  return tx
    .selectFrom(keys.as('k'))
    .innerJoin('probe_instances as i', 'i.id', 'k.id')
    .innerJoin('test_runs as r', 'r.id', 'i.test_run_id')
    .select([
      'i.id',
      'i.status',
      'i.test_run_id as testRunId',
      'i.scheduled_at as scheduledAt',
      'r.started_at as startedAt',
      'r.ended_at as completedAt',
      'i.threshold_results as thresholdResults',
      'i.repeated_run_id as repeatedTestRunId',
      'i.steps',
    ])
    .orderBy('k.scheduled_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute();
};

export const countProbeInstances = async (tx: Tx, probeId: string, { status }: InstanceFilter): Promise<number> =>
  (
    await tx
      .selectFrom('probe_instance_totals')
      .where('probe_id', '=', probeId)
      .$if(status !== undefined, (q) => q.where('status', '=', status as HealthState))
      .select(sql<number>`coalesce(sum(instances), 0)::bigint`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export type IncidentFilter = {
  readonly severity?: Severity | undefined;
  readonly state?: 'open' | 'resolved' | undefined;
};

type Sibling = { readonly id: string; readonly parentProbeId: string | null };

/** Probes with the same parent, and the parent (design 3). */
const siblings = (tx: Tx, probe: Sibling) => {
  const parent = probe.parentProbeId ?? probe.id;
  return tx
    .selectFrom('probes as p')
    .where((eb) => eb.or([eb('p.id', '=', parent), eb('p.parent_probe_id', '=', parent)]));
};

/** Each sibling's index is in the order of the list: as much of each as could be on the page, then the page. */
export const listIncidents = (tx: Tx, probe: Sibling, { severity, state }: IncidentFilter, w: Window) => {
  const direction = reading(w, 'desc');
  const keys = siblings(tx, probe)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('probe_incidents as i')
          .whereRef('i.probe_id', '=', 'p.id')
          .$if(severity !== undefined, (q) => q.where('i.severity', '=', severity as Severity))
          .$if(state !== undefined, (q) => q.where('i.resolved', '=', state === 'resolved'))
          .select(['i.id', 'i.resolved', 'i.started_at'])
          .orderBy('i.resolved', reading(w, 'asc'))
          .orderBy('i.started_at', direction)
          .orderBy('i.id', direction)
          .limit(w.offset + w.limit)
          .as('i'),
      (join) => join.onTrue(),
    )
    .select(['i.id', 'i.resolved', 'i.started_at', 'p.name as probeName'])
    .orderBy('i.resolved', reading(w, 'asc'))
    .orderBy('i.started_at', direction)
    .orderBy('i.id', direction)
    .limit(w.limit)
    .offset(w.offset);
  return tx
    .selectFrom(keys.as('k'))
    .innerJoin('probe_incidents as i', 'i.id', 'k.id')
    .select([
      'i.id',
      'i.probe_id as probeId',
      'k.probeName',
      'i.severity',
      'i.started_at as startedAt',
      'i.ended_at as endedAt',
    ])
    .orderBy('k.resolved')
    .orderBy('k.started_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute();
};

export const countIncidents = async (tx: Tx, probe: Sibling, { severity, state }: IncidentFilter): Promise<number> =>
  (
    await siblings(tx, probe)
      .innerJoin('probe_incident_totals as t', 't.probe_id', 'p.id')
      .$if(severity !== undefined, (q) => q.where('t.severity', '=', severity as Severity))
      .$if(state !== undefined, (q) => q.where('t.resolved', '=', state === 'resolved'))
      .select(sql<number>`coalesce(sum(t.incidents), 0)::bigint`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

/** The execution that a run is, and how it was graded. */
export const executionOfRun = (tx: Tx, runId: string) =>
  tx
    .selectFrom('probe_instances as i')
    .innerJoin('probes as p', 'p.id', 'i.probe_id')
    .where('i.test_run_id', '=', runId)
    .select(['p.id', 'p.name', 'i.status', 'i.threshold_results as thresholdResults'])
    .executeTakeFirst();
