/** Endpoints of runs: planned rows, phases, outcomes, and the figures that a run draws from them. */
import { sql } from 'kysely';
import { PHASES } from '../../contract/words.ts';
import type { QualityCounts } from '../../domain/figures/call-quality.ts';
import { isDroppedBy, isUnheardBy } from '../../domain/figures/findings.ts';
import type { OutcomeFact } from '../../domain/run/facts.ts';
import { booleans, numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

const CLOSED = PHASES.indexOf('CLOSED');
const INCALL = PHASES.indexOf('INCALL');
const CALLING = PHASES.indexOf('CALLING');
const DISCONNECTING = PHASES.indexOf('DISCONNECTING');

export type PlannedRow = {
  readonly number: number;
  readonly id: string;
  readonly instanceId: string;
  readonly workerId: string;
  readonly registrarId: string;
  readonly endpointType: string;
  readonly calleeUri: string;
  readonly countsAsCall: boolean;
};

export async function insertEndpoints(tx: Tx, runId: string, rows: readonly PlannedRow[]): Promise<void> {
  await sql`
    insert into endpoints
      (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call)
    select ${runId}::uuid, * from unnest(
      ${numbers(rows.map((r) => r.number))}::int[],
      ${texts(rows.map((r) => r.id))}::uuid[],
      ${texts(rows.map((r) => r.instanceId))}::uuid[],
      ${texts(rows.map((r) => r.workerId))}::uuid[],
      ${texts(rows.map((r) => r.registrarId))}::uuid[],
      ${texts(rows.map((r) => r.endpointType))}::text[],
      ${texts(rows.map((r) => r.calleeUri))}::text[],
      ${booleans(rows.map((r) => r.countsAsCall))}::boolean[])`.execute(tx);
}

/**
 * Highest phase of each endpoint, and the highest before it hung up; a phase never falls. An endpoint of another instance is
 * left alone.
 */
export async function raisePhases(
  tx: Tx,
  runId: string,
  instanceId: string,
  rows: { readonly number: readonly number[]; readonly phase: readonly number[]; readonly unixMs: readonly number[] },
): Promise<void> {
  await sql`
    update endpoints e set phase = greatest(e.phase, f.phase), reached = greatest(e.reached, f.reached),
      answered = e.answered or f.phase = ${INCALL}, closed_at = coalesce(e.closed_at, f.closed_at),
      called_at = coalesce(e.called_at, f.called_at), answered_at = coalesce(e.answered_at, f.answered_at),
      left_at = coalesce(e.left_at, f.left_at)
    from (
      select number, max(phase)::smallint as phase, max(phase) filter (where phase < ${DISCONNECTING}) as reached,
        to_timestamp(min(ms) filter (where phase = ${CLOSED}) / 1000) as closed_at,
        to_timestamp(min(ms) filter (where phase between ${CALLING} and ${INCALL}) / 1000) as called_at,
        to_timestamp(min(ms) filter (where phase = ${INCALL}) / 1000) as answered_at,
        to_timestamp(min(ms) filter (where phase >= ${DISCONNECTING}) / 1000) as left_at
      from unnest(${numbers(rows.number)}::int[], ${numbers(rows.phase)}::smallint[], ${numbers(rows.unixMs)}::float8[])
        as t (number, phase, ms)
      group by number
    ) f
    where e.run_id = ${runId}::uuid and e.number = f.number and e.instance_id = ${instanceId}::uuid`.execute(tx);
}

/**
 * The ends of endpoints; each is written once, a second report changes nothing. NaN: not measured. `at`: when they closed,
 * where their agent has not said it.
 */
export async function closeEndpoints(
  tx: Tx,
  runId: string,
  instanceId: string,
  rows: readonly OutcomeFact[],
  at: Date,
): Promise<void> {
  const n = (key: keyof OutcomeFact) => numbers(rows.map((r) => r[key] as number));
  const t = (key: keyof OutcomeFact) => texts(rows.map((r) => r[key] as string | null));
  const b = (key: keyof OutcomeFact) => booleans(rows.map((r) => r[key] as boolean));
  await sql`
    update endpoints e set
      phase = ${CLOSED}, closed_at = coalesce(e.closed_at, ${at}), outcome = f.outcome, cause = f.cause, cause_text = f.cause_text,
      cause_status = nullif(f.cause_status, 0), attempted = f.attempted,
      answered = f.attempted and f.final_status between 200 and 299, call_result = f.call_result,
      final_status = nullif(f.final_status, 0), final_reason = f.final_reason, rang = f.rang,
      callee_uri = coalesce(f.callee_uri, e.callee_uri), call_id = f.call_id,
      planned_at = to_timestamp(f.planned_unix_ms / 1000),
      time_to_trying_ms = f.time_to_trying_ms, time_to_ringing_ms = f.time_to_ringing_ms, pdd_ms = f.pdd_ms,
      call_setup_ms = f.call_setup_ms, time_to_first_media_ms = f.time_to_first_media_ms,
      call_duration_ms = f.call_duration_ms, register_rtt_ms = f.register_rtt_ms, invite_late_ms = f.invite_late_ms,
      bye_rtt_ms = f.bye_rtt_ms, dns_ms = f.dns_ms, failovers = f.failovers, ended_by = f.ended_by,
      time_to_early_media_ms = f.time_to_early_media_ms, options_rtt_ms = f.options_rtt_ms,
      peer_number = case when e.endpoint_type = 'CALLEE' then f.peer end,
      connect_ms = f.connect_ms, tls_ms = f.tls_ms, tls = f.tls, refreshes = f.refreshes,
      refresh_failures = f.refresh_failures, refresh_lapses = f.refresh_lapses,
      refresh_recoveries = f.refresh_recoveries, q850 = nullif(f.q850, 0), reason_text = f.reason_text, warning = f.warning,
      retry_after_seconds = nullif(f.retry_after_seconds, 0), awaited_ms = nullif(f.awaited_ms, 0),
      absent_ms = case when f.awaited_ms > 0 then f.absent_ms end, unheard = f.unheard, dropped = f.dropped
    from unnest(
      ${n('number')}::int[], ${t('outcome')}::text[], ${t('cause')}::text[], ${t('causeText')}::text[],
      ${n('causeStatus')}::int[], ${b('attempted')}::boolean[], ${t('callResult')}::text[],
      ${n('finalStatus')}::int[], ${t('finalReason')}::text[], ${b('rang')}::boolean[], ${t('calleeUri')}::text[],
      ${t('callId')}::text[], ${n('plannedUnixMs')}::float8[],
      ${n('timeToTryingMs')}::real[], ${n('timeToRingingMs')}::real[], ${n('pddMs')}::real[],
      ${n('callSetupMs')}::real[], ${n('timeToFirstMediaMs')}::real[], ${n('callDurationMs')}::real[],
      ${n('registerRttMs')}::real[], ${n('inviteLateMs')}::real[], ${n('byeRttMs')}::real[], ${t('endedBy')}::text[],
      ${n('timeToEarlyMediaMs')}::real[], ${n('dnsMs')}::real[], ${n('failovers')}::int[],
      ${n('optionsRttMs')}::real[], ${numbers(rows.map((r) => r.peer ?? Number.NaN))}::int[],
      ${n('connectMs')}::real[], ${n('tlsMs')}::real[], ${t('tls')}::text[], ${n('refreshes')}::int[],
      ${n('refreshFailures')}::int[], ${n('refreshLapses')}::int[], ${n('refreshRecoveries')}::int[],
      ${n('q850')}::smallint[], ${t('reasonText')}::text[], ${t('warning')}::text[], ${n('retryAfterSeconds')}::int[],
      ${n('awaitedMs')}::real[], ${n('absentMs')}::real[], ${booleans(rows.map((r) => isUnheardBy(r.findings)))}::boolean[],
      ${booleans(rows.map((r) => isDroppedBy(r.findings, r.cause)))}::boolean[]
    ) as f (number, outcome, cause, cause_text, cause_status, attempted, call_result, final_status, final_reason,
      rang, callee_uri, call_id, planned_unix_ms, time_to_trying_ms, time_to_ringing_ms, pdd_ms, call_setup_ms,
      time_to_first_media_ms, call_duration_ms, register_rtt_ms, invite_late_ms, bye_rtt_ms, ended_by,
      time_to_early_media_ms, dns_ms, failovers, options_rtt_ms, peer, connect_ms, tls_ms, tls, refreshes,
      refresh_failures, refresh_lapses, refresh_recoveries, q850, reason_text, warning, retry_after_seconds, awaited_ms,
      absent_ms, unheard, dropped)
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

export const endpointNumber = async (tx: Tx, runId: string, id: string): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('endpoints')
      .where('run_id', '=', runId)
      .where('id', '=', id)
      .select('number')
      .executeTakeFirst()
  )?.number;

export type Peer = { readonly id: string; readonly number: number };

/** The other end of an endpoint's call, where its INVITE told (a caller's: the first callee that heard it). */
export const peerOf = async (tx: Tx, runId: string, number: number): Promise<Peer | undefined> =>
  (
    await sql<Peer>`
      select p.id, p.number from endpoints e
      join endpoints p on p.run_id = e.run_id
        and (p.number = e.peer_number and p.endpoint_type = 'CALLER' or p.peer_number = e.number)
      where e.run_id = ${runId}::uuid and e.number = ${number}
      order by p.number limit 1`.execute(tx)
  ).rows[0];

export const phaseCounts = (tx: Tx, runId: string) =>
  tx
    .selectFrom('endpoints')
    .where('run_id', '=', runId)
    .groupBy('phase')
    .select(['phase', sql<number>`count(*)`.as('n')])
    .execute();

export type CallCounts = {
  readonly calls: number;
  readonly success: number;
  readonly timeout: number;
  readonly rejected: number;
  readonly error: number;
  readonly inProgress: number;
  readonly answered: number;
  readonly ended: number;
  readonly failures: number;
};

export async function callCounts(tx: Tx, runId: string): Promise<CallCounts> {
  // Not by the phase: who never called un-registers, too.
  const attempted = sql`attempted or reached >= ${CALLING} and phase < ${CLOSED} and endpoint_type = 'CALLER'`;
  const result = await sql<CallCounts>`
    select count(*) filter (where ${attempted}) as "calls",
      count(*) filter (where attempted and call_result = 'SUCCESS') as "success",
      count(*) filter (where attempted and call_result = 'TIMEOUT') as "timeout",
      count(*) filter (where attempted and call_result = 'REJECTED') as "rejected",
      count(*) filter (where attempted and call_result = 'ERROR') as "error",
      count(*) filter (where (${attempted}) and call_result is null) as "inProgress",
      count(*) filter (where answered) as "answered",
      count(*) filter (where attempted and phase = ${CLOSED}) as "ended",
      count(*) filter (where outcome <> 'SUCCESS') as "failures"
    from endpoints where run_id = ${runId}::uuid and counts_as_call`.execute(tx);
  return result.rows[0] as CallCounts;
}

/** Of a shorter time nothing can be said: as agents find it (agent/run/outcome/call-findings.ts). */
const ENOUGH_MS = 400;

/** What callers got: of calls, each counted once. */
export async function qualityCounts(tx: Tx, runId: string): Promise<QualityCounts> {
  const attempted = sql`attempted or reached >= ${CALLING} and phase < ${CLOSED} and endpoint_type = 'CALLER'`;
  const result = await sql<QualityCounts>`
    select count(*) filter (where ${attempted}) as "calls",
      count(*) filter (where attempted and outcome = 'SUCCESS') as "successful",
      count(*) filter (where (${attempted}) and outcome is null) as "inProgress",
      count(*) filter (where answered) as "answered",
      count(*) filter (where answered and outcome <> 'SUCCESS') as "answeredFailed",
      count(*) filter (where not attempted and phase = ${CLOSED} and outcome <> 'SUCCESS') as "notPlaced",
      count(*) filter (where answered and awaited_ms >= ${ENOUGH_MS}) as "soundAsked",
      count(*) filter (where answered and awaited_ms >= ${ENOUGH_MS} and not unheard) as "heard",
      count(*) filter (where answered and dropped) as "dropped",
      coalesce(sum(awaited_ms), 0)::float8 as "awaitedMs", coalesce(sum(absent_ms), 0)::float8 as "absentMs"
    from endpoints where run_id = ${runId}::uuid and counts_as_call`.execute(tx);
  return result.rows[0] as QualityCounts;
}

/** Of all registrations; null: there was none, or they were not counted. */
export async function refreshCounts(tx: Tx, runId: string) {
  const { rows } = await sql<{ made: number; failed: number; lapsed: number; recovered: number }>`
    select sum(refreshes)::float8 as made, sum(refresh_failures)::float8 as failed,
      sum(refresh_lapses)::float8 as lapsed, sum(refresh_recoveries)::float8 as recovered
    from endpoints where run_id = ${runId}::uuid and refreshes is not null having count(*) > 0`.execute(tx);
  return rows[0] ?? null;
}

/** How calls ended, for the ratios. */
export const seizures = async (tx: Tx, runId: string) =>
  (
    await sql<{ answered: boolean; finalStatus: number | null; rang: boolean; gaveUp: boolean; n: number }>`
      select answered, final_status as "finalStatus", rang, coalesce(cause = 'NO_ANSWER', false) as "gaveUp", count(*) as n
      from endpoints where run_id = ${runId}::uuid and counts_as_call and attempted group by 1, 2, 3, 4`.execute(tx)
  ).rows;

/** The measured times of calls. Percentiles are nearest-rank over all of them (percentile_disc). */
const TIMINGS = {
  pdd: 'pdd_ms',
  timeToTrying: 'time_to_trying_ms',
  timeToRinging: 'time_to_ringing_ms',
  timeToFirstMedia: 'time_to_first_media_ms',
  callSetup: 'call_setup_ms',
  callDuration: 'call_duration_ms',
  registerRtt: 'register_rtt_ms',
  optionsRtt: 'options_rtt_ms',
} as const;
export type Timing = keyof typeof TIMINGS;

export type TimingRow = {
  readonly percentiles: readonly number[] | null;
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
};

export async function timingDistributions(tx: Tx, runId: string): Promise<Record<Timing, TimingRow>> {
  const columns = Object.entries(TIMINGS).map(([name, column]) => {
    const c = sql.ref(column);
    // Round trips are counted for every endpoint that has one, calls for those that count as calls.
    const f = name === 'registerRtt' || name === 'optionsRtt' ? sql`` : sql`filter (where counts_as_call)`;
    return sql`json_build_object(
      'percentiles', percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ${c}) ${f},
      'avg', avg(${c}) ${f}, 'min', min(${c}) ${f}, 'max', max(${c}) ${f}, 'count', count(${c}) ${f}) as ${sql.ref(name)}`;
  });
  const result = await sql<Record<Timing, TimingRow>>`
    select ${sql.join(columns)} from endpoints
    where run_id = ${runId}::uuid`.execute(tx);
  return result.rows[0] as Record<Timing, TimingRow>;
}
