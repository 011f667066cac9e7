/** Endpoints of runs: planned rows, phases, and the figures that a run draws from them. */
import { columnOf, SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import { sql } from 'kysely';
import { PHASES } from '../../contract/words.ts';
import type { QualityCounts } from '../../domain/figures/call-quality.ts';
import { booleans, numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

const CLOSED = PHASES.indexOf('CLOSED');
const CALLING = PHASES.indexOf('CALLING');

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

export type EndpointCounts = {
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

export async function callCounts(tx: Tx, runId: string): Promise<EndpointCounts> {
  // Not by the phase: an endpoint that never called un-registers, too.
  const attempted = sql`attempted or reached >= ${CALLING} and phase < ${CLOSED} and endpoint_type = 'CALLER'`;
  const result = await sql<EndpointCounts>`
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
  return result.rows[0] as EndpointCounts;
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

export type TimingRow = {
  readonly percentiles: readonly number[] | null;
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
};

/** Percentiles are nearest-rank over all values (percentile_disc). */
export async function timingDistributions(tx: Tx, runId: string): Promise<Record<SpreadKey, TimingRow>> {
  const columns = SPREADS.map(({ key, figure, of }) => {
    const c = sql.ref(columnOf(figure));
    const f = of === 'ENDPOINTS' ? sql`` : sql`filter (where counts_as_call)`;
    return sql`json_build_object(
      'percentiles', percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ${c}) ${f},
      'avg', avg(${c}) ${f}, 'min', min(${c}) ${f}, 'max', max(${c}) ${f}, 'count', count(${c}) ${f}) as ${sql.ref(key)}`;
  });
  const result = await sql<Record<SpreadKey, TimingRow>>`
    select ${sql.join(columns)} from endpoints
    where run_id = ${runId}::uuid`.execute(tx);
  return result.rows[0] as Record<SpreadKey, TimingRow>;
}
