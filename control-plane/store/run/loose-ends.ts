/** Ends of a run's calls without a named other end, for comparison; and the results. */
import { sql } from 'kysely';
import type { PairGround } from '../../contract/run/words.ts';
import type { EndpointType } from '../../contract/test-settings/words.ts';
import { numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

export type LooseEndRow = {
  readonly number: number;
  readonly endpointType: EndpointType;
  readonly workerId: string;
  readonly names: readonly string[];
  readonly calleeUri: string;
  readonly callerUri: string | null;
  readonly beganAtMs: number;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number;
  readonly isCancelled: boolean;
  readonly ssrcSent: number | null;
  readonly ssrcReceived: number | null;
};

const unixMs = (instant: string) => sql`(extract(epoch from ${sql.raw(instant)}) * 1000)::float8`;

/** Returns at most this many, by number; `endpoints`: the run's number of endpoints. This includes earlier deductions. */
export const looseEnds = async (tx: Tx, runId: string, endpoints: number, most: number): Promise<LooseEndRow[]> =>
  (
    await sql<LooseEndRow>`
      with planned as (
        select number, names from endpoints where run_id = ${runId}::uuid and number < ${endpoints}::int and names is not null
      ), signalled as (
        select peer_number as number from endpoints
        where run_id = ${runId}::uuid and peer_number is not null and pair_grounds is null
      )
      select e.number, e.endpoint_type as "endpointType", e.worker_id as "workerId", n.names, e.callee_uri as "calleeUri",
        e.caller_uri as "callerUri", ${unixMs('e.planned_at')} + coalesce(e.invite_late_ms, 0)::float8 as "beganAtMs",
        case when e.answered then ${unixMs('e.answered_at')} end as "answeredAtMs",
        ${unixMs('coalesce(e.left_at, e.closed_at)')} as "endedAtMs",
        not e.answered and (coalesce(e.cause, '') in ('NO_ANSWER', 'STOPPED', 'CANCELLED_BY_CALLER')) as "isCancelled",
        s.ssrc_sent as "ssrcSent", s.ssrc_received as "ssrcReceived"
      from endpoints e join planned n on n.number = e.number % ${endpoints}::int
      left join streams s on s.run_id = e.run_id and s.endpoint_number = e.number and s.stream = 0
      where e.run_id = ${runId}::uuid and e.attempted and e.planned_at is not null
        and coalesce(e.left_at, e.closed_at) is not null and (e.peer_number is null or e.pair_grounds is not null)
        and not exists (select from signalled x where x.number = e.number)
      order by e.number limit ${most}`.execute(tx)
  ).rows;

export const callerNames = async (tx: Tx, runId: string, endpoints: number): Promise<string[][]> =>
  (
    await sql<{ names: string[] }>`
      select names from endpoints
      where run_id = ${runId}::uuid and number < ${endpoints}::int and endpoint_type = 'CALLER' and names is not null`.execute(
      tx,
    )
  ).rows.map(({ names }) => names);

export type FoundPair = { readonly caller: number; readonly callee: number; readonly grounds: readonly PairGround[] };

export const storePairs = (tx: Tx, runId: string, pairs: readonly FoundPair[]): Promise<unknown> =>
  sql`
    update endpoints e set peer_number = f.caller, pair_grounds = string_to_array(f.grounds, ' ')
    from unnest(${numbers(pairs.map((p) => p.callee))}::int[], ${numbers(pairs.map((p) => p.caller))}::int[],
      ${texts(pairs.map((p) => p.grounds.join(' ')))}::text[]) as f (callee, caller, grounds)
    where e.run_id = ${runId}::uuid and e.number = f.callee`.execute(tx);
