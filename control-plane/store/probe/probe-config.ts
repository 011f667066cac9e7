/** The row of a probe: a change decides in the same statement when it ticks next, as the scheduler may be at work. */
import { sql } from 'kysely';
import type { MetricKey } from '../../contract/metric-keys.ts';
import type { ScheduleType } from '../../contract/probe/words.ts';
import type { TestConfig } from '../../contract/test-settings/test.ts';
import type { ProbeMode } from '../../contract/test-settings/words.ts';
import { texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { changedNow } from '../versions.ts';

export type ProbeColumns = {
  readonly name: string;
  readonly description: string;
  readonly mode: ProbeMode;
  readonly enabled: boolean;
  readonly scheduleType: ScheduleType;
  readonly fixedIntervalSec: number | null;
  readonly cronExpression: string | null;
  readonly timeOfDayStartUtc: string | null;
  readonly timeOfDayEndUtc: string | null;
  readonly timezone: string;
  readonly durationSeconds: number;
  readonly alertStrikeRuns: number;
  readonly escalateAfterMinutes: number;
  readonly autoPauseAfterHours: number | null;
  readonly expectedStatusCodes: number[] | null;
  readonly config: TestConfig;
};
export type ProbeRow = ProbeColumns & { readonly id: string; readonly projectId: string; readonly slug: string };

export const probeColumns = (p: ProbeColumns) => ({
  name: p.name,
  description: p.description,
  mode: p.mode,
  enabled: p.enabled,
  schedule_type: p.scheduleType,
  fixed_interval_sec: p.fixedIntervalSec,
  cron_expression: p.cronExpression,
  time_of_day_start_utc: p.timeOfDayStartUtc,
  time_of_day_end_utc: p.timeOfDayEndUtc,
  timezone: p.timezone,
  duration_seconds: p.durationSeconds,
  alert_strike_runs: p.alertStrikeRuns,
  escalate_after_minutes: p.escalateAfterMinutes,
  auto_pause_after_hours: p.autoPauseAfterHours,
  expected_status_codes: p.expectedStatusCodes,
  config: JSON.stringify(p.config),
});

/** False: the slug is taken. */
export const insertProbe = async (tx: Tx, p: ProbeRow, parentProbeId: string | null): Promise<boolean> =>
  (await tx
    .insertInto('probes')
    .values({ id: p.id, project_id: p.projectId, slug: p.slug, parent_probe_id: parentProbeId, ...probeColumns(p) })
    .onConflict((c) => c.columns(['project_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const lockProbe = (tx: Tx, projectId: string, id: string) =>
  tx
    .selectFrom('probes')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select([
      'id',
      'name',
      'description',
      'mode',
      'enabled',
      'schedule_type as scheduleType',
      'fixed_interval_sec as fixedIntervalSec',
      'cron_expression as cronExpression',
      'time_of_day_start_utc as timeOfDayStartUtc',
      'time_of_day_end_utc as timeOfDayEndUtc',
      'timezone',
      'duration_seconds as durationSeconds',
      'alert_strike_runs as alertStrikeRuns',
      'escalate_after_minutes as escalateAfterMinutes',
      'auto_pause_after_hours as autoPauseAfterHours',
      'expected_status_codes as expectedStatusCodes',
      'parent_probe_id as parentProbeId',
      'config',
      'version',
    ])
    .forUpdate()
    .executeTakeFirst();

/** Locks the probe until the transaction ends. False: the project has no such probe. */
export const holdProbe = async (tx: Tx, projectId: string, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('probes')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()) !== undefined;

/** A probe that is enabled, or whose schedule changes, gets a new next tick. */
export const nextTickAfter = (p: ProbeColumns) => sql<Date | null>`
  case when probes.enabled and (probes.schedule_type, probes.fixed_interval_sec, probes.cron_expression,
      probes.time_of_day_start_utc, probes.time_of_day_end_utc, probes.timezone)
    is not distinct from (${p.scheduleType}::text, ${p.fixedIntervalSec}::int, ${p.cronExpression}::text,
      ${p.timeOfDayStartUtc}::text, ${p.timeOfDayEndUtc}::text, ${p.timezone}::text)
  then probes.next_tick_at end`;

/** A probe that is enabled, or first gets autoPauseAfterHours, has the full time left. */
export const patienceAfter = (p: ProbeColumns, at: Date) => sql<Date | null>`
  case when (not probes.enabled and ${p.enabled}::boolean)
      or (probes.auto_pause_after_hours is null and ${p.autoPauseAfterHours}::int is not null)
  then ${at}::timestamptz else probes.patience_at end`;

/** A probe that is enabled is not paused. */
export const updateProbe = (
  tx: Tx,
  id: string,
  p: ProbeColumns,
  parentProbeId: string | null,
  at: Date,
): Promise<unknown> =>
  tx
    .updateTable('probes')
    .set({
      ...probeColumns(p),
      parent_probe_id: parentProbeId,
      next_tick_at: nextTickAfter(p),
      patience_at: patienceAfter(p, at),
      ...(p.enabled && { auto_paused_at: null, auto_pause_reason: null }),
      ...changedNow(),
    })
    .where('id', '=', id)
    .execute();

/** Its executions and incidents are deleted with it, but its runs stay. */
export const deleteProbe = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('probes').where('id', '=', id).execute();

export type ThresholdRow = {
  readonly id: string;
  readonly probeId: string;
  readonly metricKey: MetricKey;
  readonly greenValue: number;
  readonly orangeValue: number;
  readonly enabled: boolean;
};

/** A metric has one threshold. False: it was the same before. */
export const putThreshold = async (tx: Tx, t: ThresholdRow): Promise<boolean> => {
  const { rows } = await sql`
    insert into probe_thresholds as t (id, probe_id, metric_key, green_value, orange_value, enabled)
    values (${t.id}, ${t.probeId}, ${t.metricKey}, ${t.greenValue}, ${t.orangeValue}, ${t.enabled})
    on conflict (probe_id, metric_key) do update
      set green_value = excluded.green_value, orange_value = excluded.orange_value, enabled = excluded.enabled
      where (t.green_value, t.orange_value, t.enabled)
        is distinct from (excluded.green_value, excluded.orange_value, excluded.enabled)
    returning id`.execute(tx);
  return rows.length > 0;
};

export const deleteThresholds = async (tx: Tx, probeId: string, keep: readonly string[]): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from probe_thresholds where probe_id = ${probeId}::uuid and metric_key <> all (${texts(keep)}::text[])
  `.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** A value that is returned with the probe has changed. */
export const touchProbe = (tx: Tx, id: string): Promise<unknown> =>
  tx.updateTable('probes').set(changedNow()).where('id', '=', id).execute();

/** True: the parent was another one before. */
export const setProbeParent = async (tx: Tx, id: string, parentId: string | null): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('probes')
    .set({ parent_probe_id: parentId })
    .where('id', '=', id)
    .where('parent_probe_id', 'is distinct from', parentId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Locks the organization while its probes are counted and one is added: only one at a time is added. */
export const lockOrganization = (tx: Tx, id: string): Promise<unknown> =>
  tx.selectFrom('organizations').where('id', '=', id).select('id').forNoKeyUpdate().executeTakeFirst();

export const countProbesOfOrganization = async (tx: Tx, organizationId: string): Promise<number> =>
  (
    await tx
      .selectFrom('probes as p')
      .innerJoin('projects as o', 'o.id', 'p.project_id')
      .where('o.organization_id', '=', organizationId)
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;
