/** Prometheus data about probes and deliveries. */
import { sql } from 'kysely';
import type { Severity } from '../../contract/probe/words.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';
import type { ThresholdResult } from '../../contract/threshold.ts';
import { regionOf } from '../../domain/probe/probe.ts';
import type { Tx } from '../db.ts';

export type ProbeGaugeRow = {
  readonly organization: string;
  readonly project: string;
  readonly probe: string;
  readonly region: string | null;
  readonly status: HealthState;
  readonly enabled: boolean;
  readonly isSkipped: boolean;
  readonly intervalSeconds: number | null;
  readonly lastRunAt: Date | null;
  readonly results: readonly ThresholdResult[] | null;
  readonly limits: readonly { readonly metricKey: string; readonly green: number; readonly orange: number }[];
  readonly incident: Severity | null;
  /** The cause of the last graded execution's failure; null: it did not fail, or was in a maintenance window. */
  readonly failure: string | null;
};

/** The oldest `most`. lastRunAt: the time of the last graded execution. */
export const probeGauges = async (tx: Tx, most: number): Promise<readonly ProbeGaugeRow[]> =>
  (
    await sql<ProbeGaugeRow & { name: string }>`
      select o.slug as organization, j.slug as project, p.slug as probe, p.name, p.status, p.enabled,
        p.last_skip_reason is not null as "isSkipped",
        case p.schedule_type when 'FIXED_INTERVAL' then p.fixed_interval_sec end as "intervalSeconds",
        g.graded_at as "lastRunAt", g.threshold_results as results, coalesce(t.limits, '[]') as limits, i.severity as incident,
        g.failure
      from (
        select p.* from probes p join projects j on j.id = p.project_id and j.deleted_at is null
        order by p.id limit ${most}) p
      join projects j on j.id = p.project_id
      join organizations o on o.id = j.organization_id
      left join probe_incidents i on i.probe_id = p.id and i.ended_at is null
      left join lateral (
        select graded_at, threshold_results, case when status = 'UNHEALTHY' and not in_maintenance and canary_of is null then cause end as failure
        from probe_instances
        where probe_id = p.id and graded_at is not null order by scheduled_at desc, id desc limit 1) g on true
      left join lateral (
        select json_agg(json_build_object('metricKey', metric_key, 'green', green_value, 'orange', orange_value)) as limits
        from probe_thresholds where probe_id = p.id and enabled) t on true`.execute(tx)
  ).rows.map((row) => ({ ...row, region: regionOf(row.name) }));

export type GaugeTotals = {
  readonly organizations: number;
  readonly probes: number;
  /** Webhooks by state. */
  readonly enabled: number;
  readonly failing: number;
  readonly disabled: number;
  /** Deliveries by state. */
  readonly pending: number;
};

export const gaugeTotals = async (tx: Tx): Promise<GaugeTotals> =>
  (
    await sql<GaugeTotals>`
      select (select count(*) from organizations) as organizations, 
        (select count(*) from probes p join projects j on j.id = p.project_id and j.deleted_at is null) as probes,
        count(*) filter (where enabled and failing_since is null) as enabled,
        count(*) filter (where enabled and failing_since is not null) as failing,
        count(*) filter (where not enabled) as disabled,
        (select count(*) from webhook_deliveries where status = 'PENDING') as pending
      from webhooks`.execute(tx)
  ).rows[0] as GaugeTotals;
