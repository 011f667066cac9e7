/** The ends of endpoints, as agents report them, and of those whose agent never will. */
import { columnOf, FIGURES } from '@carillon/proto/figures/call-figures.ts';
import { sql } from 'kysely';
import { PHASES } from '../../contract/words.ts';
import { isDroppedBy, isUnheardBy } from '../../domain/figures/findings.ts';
import type { ReportedOutcome } from '../../domain/run/facts.ts';
import { flag, number, type StoredColumns, text, unnested } from '../columns.ts';
import type { Tx } from '../db.ts';

const CLOSED = PHASES.indexOf('CLOSED');
const CALLING = PHASES.indexOf('CALLING');
const INCALL = PHASES.indexOf('INCALL');

const TYPES = { ms: 'real', count: 'int' } as const;
const FIGURE_COLUMNS: StoredColumns<ReportedOutcome> = Object.fromEntries(
  [...FIGURES].map(([name, { unit }]) => [columnOf(name), number(TYPES[unit], (o: ReportedOutcome) => o[name])]),
);

/** Stored as they are reported. */
const PLAIN: StoredColumns<ReportedOutcome> = {
  ...FIGURE_COLUMNS,
  outcome: text((o) => o.outcome),
  cause: text((o) => o.cause),
  cause_text: text((o) => o.causeText),
  attempted: flag((o) => o.attempted),
  call_result: text((o) => o.callResult),
  final_reason: text((o) => o.finalReason),
  rang: flag((o) => o.rang),
  call_id: text((o) => o.callId),
  ended_by: text((o) => o.endedBy),
  tls: text((o) => o.tls),
  refreshes: number('int', (o) => o.refreshes),
  refresh_failures: number('int', (o) => o.refreshFailures),
  refresh_lapses: number('int', (o) => o.refreshLapses),
  refresh_recoveries: number('int', (o) => o.refreshRecoveries),
  reason_text: text((o) => o.reasonText),
  warning: text((o) => o.warning),
  unheard: flag((o) => isUnheardBy(o.findings)),
  dropped: flag((o) => isDroppedBy(o.findings, o.cause)),
};

/** What the statement has to look at first. */
const READ: StoredColumns<ReportedOutcome> = {
  number: number('int', (o) => o.number),
  cause_status: number('int', (o) => o.causeStatus),
  final_status: number('int', (o) => o.finalStatus),
  callee_uri: text((o) => o.calleeUri),
  planned_unix_ms: number('float8', (o) => o.plannedUnixMs),
  peer: number('int', (o) => o.peer ?? Number.NaN),
  q850: number('smallint', (o) => o.q850),
  retry_after_seconds: number('int', (o) => o.retryAfterSeconds),
  awaited_ms: number('real', (o) => o.awaitedMs),
  absent_ms: number('real', (o) => o.absentMs),
};

const COLUMNS = { ...READ, ...PLAIN };
const SET_PLAIN = sql.raw(
  Object.keys(PLAIN)
    .map((name) => `${name} = f.${name}`)
    .join(', '),
);

/**
 * Each is written once, a second report changes nothing. NaN: not measured. `at`: when they closed, where their agent has not
 * said it.
 */
export async function closeEndpoints(
  tx: Tx,
  runId: string,
  instanceId: string,
  rows: readonly ReportedOutcome[],
  at: Date,
): Promise<void> {
  await sql`
    update endpoints e set
      phase = ${CLOSED}, closed_at = coalesce(e.closed_at, ${at}), ${SET_PLAIN},
      answered = f.attempted and f.final_status between 200 and 299,
      cause_status = nullif(f.cause_status, 0), final_status = nullif(f.final_status, 0),
      callee_uri = coalesce(f.callee_uri, e.callee_uri), planned_at = to_timestamp(f.planned_unix_ms / 1000),
      peer_number = case when e.endpoint_type = 'CALLEE' then f.peer end,
      q850 = nullif(f.q850, 0), retry_after_seconds = nullif(f.retry_after_seconds, 0),
      awaited_ms = nullif(f.awaited_ms, 0), absent_ms = case when f.awaited_ms > 0 then f.absent_ms end
    from ${unnested(COLUMNS, rows, 'f')}
    where e.run_id = ${runId}::uuid and e.number = f.number and e.instance_id = ${instanceId}::uuid
      and e.outcome is null`.execute(tx);
}

/** Endpoints that their worker will never close: what is known of them stands, the rest was not measured. */
export async function closeLostEndpoints(
  tx: Tx,
  runId: string,
  instanceId: string,
  reason: string,
  at: Date,
): Promise<void> {
  await sql`
    update endpoints set
      phase = ${CLOSED}, closed_at = coalesce(closed_at, ${at}), outcome = 'CALL_FAILED', cause = 'WORKER_LOST',
      cause_text = ${reason},
      attempted = reached >= ${CALLING}, answered = answered or reached >= ${INCALL},
      call_result = case when reached >= ${CALLING} then 'ERROR' end
    where run_id = ${runId}::uuid and instance_id = ${instanceId}::uuid and outcome is null`.execute(tx);
}
