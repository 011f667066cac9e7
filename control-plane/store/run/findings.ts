/** Findings about calls: one row for each, by endpoint and weight. */
import { sql } from 'kysely';
import type { StoredFinding } from '../../domain/figures/findings.ts';
import type { ReportedFinding, ReportedOutcome } from '../../domain/run/facts.ts';
import type { FindingCount } from '../../domain/sums/finding-sums.ts';
import { booleans, numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

type Row = ReportedFinding & { readonly endpoint: number; readonly place: number };

/** Inserts the findings of endpoints that have just been closed, by their outcomes. */
export async function insertFindings(tx: Tx, runId: string, outcomes: readonly ReportedOutcome[]): Promise<void> {
  const rows: Row[] = outcomes.flatMap((o) => o.findings.map((f, place) => ({ ...f, endpoint: o.number, place })));
  if (rows.length === 0) return;
  await sql`
    insert into findings (run_id, endpoint_number, place, kind, stream, at, lasted_ms, count, "of", detail, tolerated)
    select ${runId}::uuid, f.endpoint, f.place, f.kind, f.stream, to_timestamp(f.unix_ms / 1000), f.lasted_ms, f.count, f."of",
      f.detail, f.tolerated
    from unnest(
      ${numbers(rows.map((r) => r.endpoint))}::int[], ${numbers(rows.map((r) => r.place))}::smallint[],
      ${texts(rows.map((r) => r.kind))}::text[], ${numbers(rows.map((r) => r.stream ?? Number.NaN))}::smallint[],
      ${numbers(rows.map((r) => r.atUnixMs))}::float8[], ${numbers(rows.map((r) => r.lastedMs))}::real[],
      ${numbers(rows.map((r) => Math.round(r.count)))}::bigint[], ${numbers(rows.map((r) => Math.round(r.of)))}::bigint[],
      ${texts(rows.map((r) => r.detail))}::text[], ${booleans(rows.map((r) => r.tolerated))}::boolean[]
    ) as f (endpoint, place, kind, stream, unix_ms, lasted_ms, count, "of", detail, tolerated)
    on conflict do nothing`.execute(tx);
}

/** The findings of endpoint e, with the most severe one first; null: none. */
export const findingsHere = sql<StoredFinding[] | null>`(
  select json_agg(json_build_object('kind', f.kind, 'stream', f.stream, 'atUnixMs', round(extract(epoch from f.at) * 1000),
    'lastedMs', f.lasted_ms, 'count', f.count, 'of', f."of", 'detail', f.detail, 'tolerated', f.tolerated, 'pairing', f.pairing) order by f.place)
  from findings f where f.run_id = e.run_id and f.endpoint_number = e.number)`;

/**
 * The endpoints with each finding, by type; the examples are the first ones. The answered endpoints are counted once: for a run
 * that the statistics do not know yet, PostgreSQL would count them again for each finding.
 */
export const countFindings = async (tx: Tx, runId: string): Promise<FindingCount[]> =>
  (
    await sql<FindingCount>`
      with found as (
        select kind, endpoint_number, bool_and(tolerated) as tolerated from findings
        where run_id = ${runId}::uuid group by kind, endpoint_number
      ), answered as materialized (
        select endpoint_type, count(*) as n from endpoints where run_id = ${runId}::uuid and answered group by endpoint_type
      )
      select f.kind, e.endpoint_type as "endpointType", count(*) as n, count(*) filter (where f.tolerated) as tolerated,
        coalesce(max(a.n), 0) as answered, (array_agg(e.id order by e.number))[1:3] as examples,
        case when count(e.q850) = count(*) and min(e.q850) = max(e.q850) then min(e.q850) end as q850
      from found f
      join endpoints e on e.run_id = ${runId}::uuid and e.number = f.endpoint_number
      left join answered a on a.endpoint_type = e.endpoint_type
      group by f.kind, e.endpoint_type`.execute(tx)
  ).rows;
