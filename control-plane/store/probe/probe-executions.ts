/** Due probes, and the results of their ticks: executions, which are runs, or skips. */
import { sql } from 'kysely';
import type { ScheduleType } from '../../contract/probe/words.ts';
import { numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { OF_THE_RUN } from '../run/views/run-counts.ts';

export type DueProbe = {
  readonly id: string;
  readonly scheduleType: ScheduleType;
  readonly fixedIntervalSec: number | null;
  readonly cronExpression: string | null;
  readonly timeOfDayStartUtc: string | null;
  readonly timeOfDayEndUtc: string | null;
  readonly timezone: string;
  /** Null: it has to be computed. */
  readonly nextTickAt: Date | null;
  /** True: an execution of the probe has not ended. */
  readonly busy: boolean;
};

const dueAt = sql<Date>`coalesce(p.next_tick_at, '-infinity'::timestamptz)`;

/** Other conditions are not checked. */
export const isAnyProbeDue = async (tx: Tx, at: Date): Promise<boolean> =>
  (await tx
    .selectFrom('probes as p')
    .innerJoin('projects as o', 'o.id', 'p.project_id')
    .where('o.deleted_at', 'is', null)
    .where('p.enabled', '=', true)
    .where(dueAt, '<=', at)
    .select('p.id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/**
 * Locks up to `limit` due probes that others have not locked, with their projects held, and none of `except`. The lock
 * concerns the next tick, not the settings.
 */
export const lockDueProbes = (tx: Tx, at: Date, limit: number, except: readonly string[]): Promise<DueProbe[]> =>
  tx
    .selectFrom('probes as p')
    .innerJoin('projects as o', 'o.id', 'p.project_id')
    .where('o.deleted_at', 'is', null)
    .where('p.enabled', '=', true)
    .where(dueAt, '<=', at)
    .where(sql<boolean>`p.id <> all (${texts(except)}::uuid[])`)
    .select([
      'p.id',
      'p.schedule_type as scheduleType',
      'p.fixed_interval_sec as fixedIntervalSec',
      'p.cron_expression as cronExpression',
      'p.time_of_day_start_utc as timeOfDayStartUtc',
      'p.time_of_day_end_utc as timeOfDayEndUtc',
      'p.timezone',
      'p.next_tick_at as nextTickAt',
      sql<boolean>`exists (select from test_runs r where r.probe_id = p.id and r.ended_at is null)`.as('busy'),
    ])
    .orderBy(dueAt)
    .limit(limit)
    .modifyEnd(sql`for no key update of p skip locked for key share of o skip locked`)
    .execute();

export type Move = { readonly probeId: string; readonly nextTickAt: Date; readonly skipReason: string | null };

/** Sets the next due time of each; a skip is reported until the next success. */
export const moveTicks = (tx: Tx, moves: readonly Move[], at: Date): Promise<unknown> =>
  sql`
    update probes p set next_tick_at = m.next_tick_at,
      last_skip_reason = coalesce(m.reason, p.last_skip_reason),
      last_skip_at = case when m.reason is null then p.last_skip_at else ${at} end
    from unnest(
      ${texts(moves.map((m) => m.probeId))}::uuid[],
      ${texts(moves.map((m) => m.nextTickAt.toISOString()))}::timestamptz[],
      ${texts(moves.map((m) => m.skipReason))}::text[]) as m (id, next_tick_at, reason)
    where p.id = m.id`.execute(tx);

export type Skip = {
  readonly probeId: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly ticks: number;
  readonly reason: string;
};

/** A recorded skip stays as it is. */
export const insertSkips = (tx: Tx, skips: readonly Skip[]): Promise<unknown> =>
  sql`
    insert into probe_skips (probe_id, tick_at, last_tick_at, ticks, reason)
    select * from unnest(
      ${texts(skips.map((s) => s.probeId))}::uuid[],
      ${texts(skips.map((s) => s.firstAt.toISOString()))}::timestamptz[],
      ${texts(skips.map((s) => s.lastAt.toISOString()))}::timestamptz[],
      ${numbers(skips.map((s) => s.ticks))}::int[],
      ${texts(skips.map((s) => s.reason))}::text[])
    on conflict do nothing`.execute(tx);

export const deleteOldSkips = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('probe_skips').where('last_tick_at', '<', before).execute();

export type Execution = {
  readonly runId: string;
  readonly probeId: string;
  readonly startedBy: string | null;
  /** The worker whose result the execution repeats. */
  readonly avoidWorkerId: string | null;
};

/**
 * Inserts runs of one caller, each made from the current probe, with history and first event: the same writes as for a
 * test's run, for many at a time. `margin`: seconds of an execution besides ringing and its call; `reserveShare`: the
 * share of each worker's capacity that is left to others.
 */
export async function insertExecutions(
  tx: Tx,
  executions: readonly Execution[],
  at: Date,
  { margin, reserveShare }: { readonly margin: number; readonly reserveShare: number },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with runs as (
      insert into test_runs (id, project_id, organization_id, test_id, test_name, status, endpoints, duration_seconds,
        buildup_seconds, max_execution_seconds, config, started_by, probe_id, avoid_worker_id, reserve_share, submitted_at)
      select x.run_id, p.project_id, o.organization_id, p.id, p.name, 'PENDING', 1, p.duration_seconds,
        0, p.duration_seconds + coalesce((p.config #>> '{groups,0,answerTimeoutSeconds}')::int, 60) + ${margin}::int, p.config, x.started_by, p.id, x.avoid_worker_id, ${reserveShare}::float8, ${at}
      from unnest(
        ${texts(executions.map((e) => e.runId))}::uuid[],
        ${texts(executions.map((e) => e.probeId))}::uuid[],
        ${texts(executions.map((e) => e.startedBy))}::uuid[],
        ${texts(executions.map((e) => e.avoidWorkerId))}::uuid[]) as x (run_id, probe_id, started_by, avoid_worker_id)
      join probes p on p.id = x.probe_id
      join projects o on o.id = p.project_id
      returning id
    ), history as (
      insert into run_history (run_id, from_status, to_status, event, at)
      select id, null, 'PENDING', 'submitted', ${at} from runs
    )
    select id from runs`.execute(tx);
  const runs = sql`unnest(${texts(rows.map(({ id }) => id))}::uuid[]) as id`;
  await sql`
    with happened as (
      insert into run_events (run_id, at, kind, detail) select id, ${at}, 'STATUS', 'PENDING' from ${runs}
    )
    insert into run_counts (run_id, instance_id, events) select id, ${OF_THE_RUN}::uuid, 1 from ${runs}`.execute(tx);
}

export type NewInstance = {
  readonly id: string;
  readonly probeId: string;
  readonly testRunId: string;
  readonly scheduledAt: Date;
  /** Null: requested by a user. */
  readonly tickAt: Date | null;
  /** The run beside whose load a feature asked for this execution, which does not count; null: none. */
  readonly watchedRunId: string | null;
};

/**
 * The probes among these ticks whose execution already exists. The answer is valid only while the caller holds the
 * probes' locks.
 */
export const executedTicks = async (
  tx: Tx,
  ticks: readonly { readonly probeId: string; readonly tickAt: Date }[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ probeId: string }>`
    select i.probe_id as "probeId" from unnest(
      ${texts(ticks.map((x) => x.probeId))}::uuid[],
      ${texts(ticks.map((x) => x.tickAt.toISOString()))}::timestamptz[]) as x (probe_id, tick_at)
    join probe_instances i on i.probe_id = x.probe_id and i.tick_at = x.tick_at`.execute(tx);
  return new Set(rows.map((r) => r.probeId));
};

/** @throws if a tick has had its execution */
export const insertProbeInstances = (tx: Tx, instances: readonly NewInstance[]): Promise<unknown> =>
  sql`
    insert into probe_instances (id, probe_id, test_run_id, scheduled_at, tick_at, canary_of)
    select * from unnest(
      ${texts(instances.map((i) => i.id))}::uuid[],
      ${texts(instances.map((i) => i.probeId))}::uuid[],
      ${texts(instances.map((i) => i.testRunId))}::uuid[],
      ${texts(instances.map((i) => i.scheduledAt.toISOString()))}::timestamptz[],
      ${texts(instances.map((i) => i.tickAt?.toISOString() ?? null))}::timestamptz[],
      ${texts(instances.map((i) => i.watchedRunId))}::uuid[])`.execute(tx);
