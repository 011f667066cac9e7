/** Endpoints of runs: planned rows, phases, and the figures that a run computes from them. */
import { columnOf, SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import { sql } from 'kysely';
import { type PairGround, PHASES } from '../../contract/run/words.ts';
import { type CountedKind, ENOUGH_MS } from '../../domain/sums/call-kinds.ts';
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
  /** The names by which servers may know it; null: its calls are not compared with others. */
  readonly names: readonly string[] | null;
};

export async function insertEndpoints(tx: Tx, runId: string, rows: readonly PlannedRow[]): Promise<void> {
  await sql`
    insert into endpoints
      (run_id, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call, names)
    select ${runId}::uuid, number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call,
      string_to_array(names, E'\\n')
    from unnest(
      ${numbers(rows.map((r) => r.number))}::int[],
      ${texts(rows.map((r) => r.id))}::uuid[],
      ${texts(rows.map((r) => r.instanceId))}::uuid[],
      ${texts(rows.map((r) => r.workerId))}::uuid[],
      ${texts(rows.map((r) => r.registrarId))}::uuid[],
      ${texts(rows.map((r) => r.endpointType))}::text[],
      ${texts(rows.map((r) => r.calleeUri))}::text[],
      ${booleans(rows.map((r) => r.countsAsCall))}::boolean[],
      ${texts(rows.map((r) => r.names?.join('\n') ?? null))}::text[]
    ) as planned (number, id, instance_id, worker_id, registrar_id, endpoint_type, callee_uri, counts_as_call, names)`.execute(
    tx,
  );
}

/** The planned targets of endpoints, by number. */
export const plannedUris = async (tx: Tx, runId: string, endpoints: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await sql<{ number: number; uri: string }>`
        select p.number, p.callee_uri as uri from unnest(${numbers(endpoints)}::int[]) as n (number) cross join lateral (
          select number, callee_uri from endpoints where run_id = ${runId}::uuid and number = n.number limit 1) p`.execute(
        tx,
      )
    ).rows.map(({ number, uri }) => [number, uri]),
  );

export const endpointNumber = async (tx: Tx, runId: string, id: string): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('endpoints')
      .where('run_id', '=', runId)
      .where('id', '=', id)
      .select('number')
      .executeTakeFirst()
  )?.number;

export type PeerEndpoint = {
  readonly id: string;
  readonly number: number;
  readonly workerId: string;
  readonly workerName: string;
  readonly isPlatform: boolean;
  /** The grounds of a deduction; null: an INVITE named it. */
  readonly grounds: readonly PairGround[] | null;
};

/** The other end of an endpoint's call, if it is known (a caller's: the first callee that heard it). */
export const peerOf = async (tx: Tx, runId: string, number: number): Promise<PeerEndpoint | undefined> =>
  (
    await sql<PeerEndpoint>`
      select p.id, p.number, p.worker_id as "workerId", w.name as "workerName", w.organization_id is null as "isPlatform",
        case when p.endpoint_type = 'CALLEE' then p.pair_grounds else e.pair_grounds end as grounds
      from endpoints e
      join endpoints p on p.run_id = e.run_id
        and (p.number = e.peer_number and p.endpoint_type = 'CALLER' or p.peer_number = e.number)
      join workers w on w.id = p.worker_id
      where e.run_id = ${runId}::uuid and e.number = ${number}
      order by p.number limit 1`.execute(tx)
  ).rows[0];

const CLOSED_ROW = sql`e.phase = ${CLOSED}`;

type Some = {
  /** Only endpoints that have not closed. */
  readonly isOpen?: boolean;
  /** Only endpoints that are planned from then on. */
  readonly from?: Date;
};

/** The endpoints of a run by kind. */
export const callKinds = async (tx: Tx, runId: string, { isOpen = false, from }: Some = {}): Promise<CountedKind[]> =>
  (
    await sql<CountedKind>`
      select endpoint_type as "endpointType", counts_as_call as "countsAsCall", phase,
        reached >= ${CALLING} and not ${CLOSED_ROW} as calling, outcome, attempted, call_result as "callResult", answered,
        final_status as "finalStatus", rang, coalesce(cause = 'NO_ANSWER', false) as "gaveUp", unheard, unreported, dropped,
        answered and coalesce(awaited_ms >= ${ENOUGH_MS}, false) as "soundAsked", count(*) as n,
        coalesce(sum(awaited_ms::float8), 0) as "awaitedMs", coalesce(sum(absent_ms::float8), 0) as "absentMs",
        coalesce(sum(paused_ms::float8), 0) as "pausedMs"
      from endpoints e where run_id = ${runId}::uuid and (not ${isOpen}::boolean or outcome is null)
        and (${from ?? null}::timestamptz is null or planned_at >= ${from ?? null}::timestamptz)
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15`.execute(tx)
  ).rows;

/** The refreshes of all registrations, each reported with the first call of its endpoint; null: none, or not counted. */
export async function refreshCounts(tx: Tx, runId: string) {
  const { rows } = await sql<{ made: number; failed: number; lapsed: number; recovered: number }>`
    select sum(refreshes)::float8 as made, sum(refresh_failures)::float8 as failed,
      sum(refresh_lapses)::float8 as lapsed, sum(refresh_recoveries)::float8 as recovered
    from endpoints where run_id = ${runId}::uuid and refreshes is not null having count(*) > 0`.execute(tx);
  return rows[0] ?? null;
}

export type TimingRow = {
  readonly percentiles: readonly number[] | null;
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
};

/** Percentiles are nearest-rank over all values (percentile_disc). `from`: only calls that are planned from then on. */
export async function timingDistributions(
  tx: Tx,
  runId: string,
  { from }: Pick<Some, 'from'> = {},
): Promise<Record<SpreadKey, TimingRow>> {
  const columns = SPREADS.map(({ key, figure, of }) => {
    const c = sql.ref(columnOf(figure));
    const f = of === 'ENDPOINTS' ? sql`` : sql`filter (where counts_as_call)`;
    return sql`json_build_object(
      'percentiles', percentile_disc(array[0.5, 0.95, 0.99]) within group (order by ${c}) ${f},
      'avg', avg(${c}) ${f}, 'min', min(${c}) ${f}, 'max', max(${c}) ${f}, 'count', count(${c}) ${f}) as ${sql.ref(key)}`;
  });
  const result = await sql<Record<SpreadKey, TimingRow>>`
    select ${sql.join(columns)} from endpoints
    where run_id = ${runId}::uuid
      and (${from ?? null}::timestamptz is null or planned_at >= ${from ?? null}::timestamptz)`.execute(tx);
  return result.rows[0] as Record<SpreadKey, TimingRow>;
}
