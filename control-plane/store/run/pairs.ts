/** Both ends of a run's calls, if both are known, for findings that need both. */
import { type RawBuilder, sql } from 'kysely';
import type { Pairing } from '../../contract/run/words.ts';
import { ENOUGH_MS } from '../../domain/sums/call-kinds.ts';
import { numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

/** `pairs`: callers whose other end is known, with it; `ends`: every end with its other end. */
const pairsOf = (runId: string) => sql`
  pairs as (
    select c.number as caller, min(e.number) as callee,
      case when bool_or(e.pair_grounds is not null) then 'DEDUCED' else 'SIGNALLED' end as pairing
    from endpoints e join endpoints c on c.run_id = e.run_id and c.number = e.peer_number and c.endpoint_type = 'CALLER'
    where e.run_id = ${runId}::uuid and e.endpoint_type = 'CALLEE'
    group by c.number
  ), ends as (
    select caller as number, callee as other, pairing from pairs union all select callee, caller, pairing from pairs
  )`;

export type PairFinding = { readonly endpoint: number; readonly detail: string; readonly pairing: Pairing };

/**
 * What the streams of one end say together, as `name`. They are found end by end: for a run that the statistics do not know yet,
 * PostgreSQL would compare each end with the streams of all.
 */
const streamsOf = (runId: string, end: 'number' | 'other', name: 'own' | 'others', said: RawBuilder<unknown>) => sql`
  cross join lateral (
    select ${said} from streams where run_id = ${runId}::uuid and endpoint_number = e.${sql.ref(end)}) as ${sql.ref(name)}`;

const CODECS = sql`string_agg(codec, ', ' order by stream) filter (where codec not in ('VP8', 'H264')) as codecs`;
const DIGITS = sql`
  string_agg(details -> 'digits' ->> 'sent', '' order by stream) as sent,
  string_agg(details -> 'digits' ->> 'received', '' order by stream) as received, count(details) as reports`;

/** Ends that used other audio codecs than the other end of the same call: `PCMU here, OPUS there`. */
export const codecAsymmetries = async (tx: Tx, runId: string): Promise<PairFinding[]> =>
  (
    await sql<PairFinding>`
      with ${pairsOf(runId)}
      select e.number as endpoint, e.pairing, format('%s here, %s there', own.codecs, others.codecs) as detail
      from ends e ${streamsOf(runId, 'number', 'own', CODECS)} ${streamsOf(runId, 'other', 'others', CODECS)}
      where own.codecs <> others.codecs order by e.number`.execute(tx)
  ).rows;

/** Ends with missing digits: `12# was sent, 1# arrived`. An end without reported digits has received none. */
export const lostDigits = async (tx: Tx, runId: string): Promise<PairFinding[]> =>
  (
    await sql<PairFinding>`
      with ${pairsOf(runId)}
      select e.number as endpoint, e.pairing,
        format('%s was sent, %s arrived', own.sent, coalesce(nullif(others.received, ''), 'nothing')) as detail
      from ends e ${streamsOf(runId, 'number', 'own', DIGITS)} ${streamsOf(runId, 'other', 'others', DIGITS)}
      where own.sent <> '' and others.reports > 0 and own.sent <> coalesce(others.received, '') order by e.number`.execute(
      tx,
    )
  ).rows;

export type UnheardThere = Pick<PairFinding, 'endpoint' | 'pairing'> & {
  readonly subPopulationId: string;
  readonly kind: string;
};

/** Callers whose call is good on their side, while the other end failed because it heard nothing. */
export const unheardThere = async (tx: Tx, runId: string): Promise<UnheardThere[]> =>
  (
    await sql<UnheardThere>`
      with ${pairsOf(runId)}
      select c.number as endpoint, p.pairing, i.sub_population_id as "subPopulationId", e.cause as kind
      from pairs p
      join endpoints c on c.run_id = ${runId}::uuid and c.number = p.caller
      join endpoints e on e.run_id = ${runId}::uuid and e.number = p.callee
      join sub_population_instances i on i.run_id = c.run_id and i.id = c.instance_id
      where c.outcome = 'SUCCESS' and e.unheard and e.outcome <> 'SUCCESS' order by c.number`.execute(tx)
  ).rows;

/** Adds a finding to each of these endpoints, after existing ones. */
export const addPairFindings = (
  tx: Tx,
  runId: string,
  kind: string,
  found: readonly (PairFinding & { readonly tolerated?: boolean })[],
): Promise<unknown> =>
  sql`
    insert into findings (run_id, endpoint_number, place, kind, detail, tolerated, pairing)
    select ${runId}::uuid, f.endpoint,
      (select coalesce(max(place) + 1, 0) from findings x where x.run_id = ${runId}::uuid and x.endpoint_number = f.endpoint),
      ${kind}, f.detail, f.tolerated, f.pairing
    from unnest(${numbers(found.map((f) => f.endpoint))}::int[], ${texts(found.map((f) => f.detail))}::text[],
      ${texts(found.map((f) => String(f.tolerated ?? false)))}::boolean[], ${texts(found.map((f) => f.pairing))}::text[]) as f (endpoint, detail, tolerated, pairing)
    where not exists (select from findings x
      where x.run_id = ${runId}::uuid and x.endpoint_number = f.endpoint and x.kind = ${kind})`.execute(tx);

/** Each end knows what it received from the other one, which is more exact than reports. */
export const judgePairs = (tx: Tx, runId: string): Promise<unknown> =>
  sql`
    with ${pairsOf(runId)}
    update endpoints e set unreported = false, unheard = e.unheard or o.unheard
    from ends, endpoints o
    where e.run_id = ${runId}::uuid and e.number = ends.number and e.unreported
      and o.run_id = ${runId}::uuid and o.number = ends.other and o.awaited_ms >= ${ENOUGH_MS}`.execute(tx);

/** Fails calls that were good until the other end was compared. */
export const failCalls = (
  tx: Tx,
  runId: string,
  endpoints: readonly number[],
  failure: { readonly cause: string; readonly text: string },
): Promise<unknown> =>
  sql`
    update endpoints set outcome = 'CALL_FAILED', cause = ${failure.cause}, cause_text = ${failure.text}, unheard = true
    where run_id = ${runId}::uuid and number = any (${numbers(endpoints)}::int[]) and outcome = 'SUCCESS'`.execute(tx);

export const markUnheard = (tx: Tx, runId: string, endpoints: readonly number[]): Promise<unknown> =>
  sql`
    update endpoints set unheard = true
    where run_id = ${runId}::uuid and number = any (${numbers(endpoints)}::int[])`.execute(tx);
