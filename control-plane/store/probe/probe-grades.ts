/** The result of an execution, and the new state of its probe. */
import type { ExecutionSteps } from '../../contract/probe/probe-instance.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';
import type { Party } from '../../contract/run-status.ts';
import type { ThresholdResult } from '../../contract/threshold.ts';
import type { Tx } from '../db.ts';
import { findingsHere } from '../run/findings.ts';

/** The execution of a run, with its probe locked; undefined: the run is not an execution, or its probe is deleted. */
export const lockExecution = (tx: Tx, runId: string) =>
  tx
    .selectFrom('probe_instances as i')
    .innerJoin('probes as p', 'p.id', 'i.probe_id')
    .innerJoin('projects as o', 'o.id', 'p.project_id')
    .where('i.test_run_id', '=', runId)
    .select([
      'i.id',
      'i.repeated_run_id as repeatedRunId',
      'p.id as probeId',
      'p.name',
      'p.project_id as projectId',
      'o.organization_id as organizationId',
      'p.enabled',
      'p.status',
      'p.told_status as toldStatus',
      'p.strikes',
      'p.failing_since as failingSince',
      'i.scheduled_at as scheduledAt',
      'p.alert_strike_runs as alertStrikeRuns',
      'p.expected_status_codes as expectedStatusCodes',
      'p.escalate_after_minutes as escalateAfterMinutes',
      'p.auto_pause_after_hours as autoPauseAfterHours',
      'p.patience_at as patienceAt',
      'p.mode',
      'p.auto_paused_at as autoPausedAt',
      'i.tick_at as tickAt',
      'i.canary_of as watchedRunId',
    ])
    .forNoKeyUpdate(['p', 'i'])
    .executeTakeFirst();

/** A run's figures, with its caller's outcome and times; null without a caller. */
export const evidenceOf = (tx: Tx, runId: string) =>
  tx
    .with(
      (cte) => cte('e').materialized(),
      (q) =>
        q
          .selectFrom('endpoints as e')
          .where('e.run_id', '=', runId)
          .where('e.endpoint_type', '=', 'CALLER')
          .selectAll('e')
          .select(findingsHere.as('findings')),
    )
    .selectFrom('test_runs as r')
    .leftJoin('e', 'e.run_id', 'r.id')
    .leftJoin('workers as w', 'w.id', 'e.worker_id')
    .where('r.id', '=', runId)
    .select([
      'r.status',
      'r.summary',
      'r.call_timing as callTiming',
      'r.call_quality as callQuality',
      'r.validity',
      'r.error',
      'r.started_at as startedAt',
      'r.ended_at as endedAt',
      'e.id as endpointId',
      'e.outcome',
      'e.cause',
      'e.q850',
      'e.final_status as finalStatus',
      'e.cause_status as causeStatus',
      'e.cause_text as causeText',
      'e.reason_text as reasonText',
      'e.warning',
      'e.retry_after_seconds as retryAfterSeconds',
      'e.reached',
      'w.name as workerName',
      'e.findings',
      'e.dns_ms as dnsMs',
      'e.register_rtt_ms as registerMs',
      'e.time_to_trying_ms as tryingMs',
      'e.time_to_ringing_ms as ringingMs',
      'e.call_setup_ms as answerMs',
      'e.time_to_first_media_ms as firstMediaMs',
      'e.bye_rtt_ms as byeMs',
      'e.options_rtt_ms as optionsMs',
    ])
    .executeTakeFirst();

/** The execution continues as another run, which repeats the first. */
export const repeatAs = (tx: Tx, instanceId: string, runId: string, repeatedRunId: string): Promise<unknown> =>
  tx
    .updateTable('probe_instances')
    .set({ test_run_id: runId, repeated_run_id: repeatedRunId })
    .where('id', '=', instanceId)
    .execute();

export type GradedExecution = {
  readonly status: HealthState;
  readonly results: readonly ThresholdResult[];
  readonly steps: ExecutionSteps | null;
  /** The run that counts, and the run that it repeats. */
  readonly testRunId: string;
  readonly repeatedRunId: string | null;
  readonly message: string;
  readonly cause: string | null;
  readonly party: Party | null;
  readonly workerName: string | null;
  readonly inMaintenance: boolean;
  readonly at: Date;
};

export const storeGrade = (tx: Tx, instanceId: string, v: GradedExecution): Promise<unknown> =>
  tx
    .updateTable('probe_instances')
    .set({
      status: v.status,
      threshold_results: JSON.stringify(v.results),
      steps: v.steps && JSON.stringify(v.steps),
      test_run_id: v.testRunId,
      repeated_run_id: v.repeatedRunId,
      message: v.message,
      cause: v.cause,
      party: v.party,
      worker_name: v.workerName,
      in_maintenance: v.inMaintenance,
      graded_at: v.at,
    })
    .where('id', '=', instanceId)
    .execute();

export type ProbeHealth = {
  readonly status: HealthState;
  readonly toldStatus: HealthState;
  readonly strikes: number;
  readonly failingSince: Date | null;
  readonly lastMessage: string;
};

/** `skip`: the reason of the refusal; null: clears the stored reason; undefined: keeps it. */
export const changeHealth = (
  tx: Tx,
  probeId: string,
  health: ProbeHealth,
  skip: { readonly reason: string; readonly at: Date } | null | undefined,
): Promise<unknown> =>
  tx
    .updateTable('probes')
    .set({
      status: health.status,
      told_status: health.toldStatus,
      strikes: health.strikes,
      failing_since: health.failingSince,
      last_message: health.lastMessage,
      ...(skip !== undefined && { last_skip_reason: skip?.reason ?? null, last_skip_at: skip?.at ?? null }),
    })
    .where('id', '=', probeId)
    .execute();

/** Deletes sums of hours; those of days stay. */
export const deleteOldHours = (tx: Tx, before: Date): Promise<unknown> =>
  tx.deleteFrom('probe_verdicts').where('grain', '=', 'HOUR').where('at', '<', before).execute();
