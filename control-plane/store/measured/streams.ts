/** Whole-stream figures, and a run's summary of them. */
import { STREAM_FIGURE_ROWS, streamColumnOf } from '@carillon/proto/figures/stream-figures.ts';
import { sql } from 'kysely';
import type { MosScale } from '../../contract/run/measured-words.ts';
import type { RunTotals, ScaleFigures } from '../../domain/figures/figures.ts';
import type { StreamFact } from '../../domain/run/facts.ts';
import { numbers, texts } from '../arrays.ts';
import { flag, namesOf, number, type StoredColumns, text, unnested } from '../columns.ts';
import type { Tx } from '../db.ts';

/** The stored details omit missing values: readers use NO_DETAILS. */
function stored({ details, figuresOnly }: StreamFact): string | null {
  if (details === null || figuresOnly) return details?.digits ? JSON.stringify({ digits: details.digits }) : null;
  return JSON.stringify(Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null)));
}

/** The longest gap before, between or after packets. */
function longestGapMs({ details }: StreamFact): number {
  const { headMs = 0, tailMs = 0 } = details?.absence ?? {};
  const between = details?.receive.longestGapMs ?? null;
  return between === null && headMs === 0 && tailMs === 0 ? Number.NaN : Math.max(between ?? 0, headMs, tailMs);
}

const COLUMNS: StoredColumns<StreamFact> = {
  endpoint_number: number('int', (f) => f.endpoint),
  stream: number('smallint', (f) => f.stream),
  codec: text((f) => f.codec),
  remote: text((f) => f.remote),
  scale: text((f) => f.scale),
  feedback: flag((f) => f.feedback),
  ...Object.fromEntries(
    STREAM_FIGURE_ROWS.map(([name, { type }]) => [streamColumnOf(name), number(type, (f: StreamFact) => f[name])]),
  ),
  awaited_ms: number('real', (f) => f.details?.absence?.awaitedMs ?? Number.NaN),
  absent_ms: number('real', (f) => f.details?.absence?.absentMs ?? Number.NaN),
  paused_ms: number('real', (f) => f.details?.absence?.pausedMs ?? Number.NaN),
  longest_gap_ms: number('real', longestGapMs),
  details: text(stored, 'json'),
};

/** NaN is stored as null, which means: not measured. Existing values stay. */
export async function insertStreams(tx: Tx, runId: string, facts: readonly StreamFact[]): Promise<void> {
  await sql`
    insert into streams (run_id, ${namesOf(COLUMNS)})
    select ${runId}::uuid, t.* from ${unnested(COLUMNS, facts, 't')}
    on conflict do nothing`.execute(tx);
}

/** Inserts the streams of those calls of a folded run that have a row. */
export const insertKeptStreams = (tx: Tx, runId: string, facts: readonly StreamFact[]): Promise<unknown> =>
  sql`
    insert into streams (run_id, ${namesOf(COLUMNS)})
    select ${runId}::uuid, t.* from ${unnested(COLUMNS, facts, 't')} cross join lateral (
      select from endpoints where run_id = ${runId}::uuid and number = t.endpoint_number limit 1) e
    on conflict do nothing`.execute(tx);

/** Deletes streams of calls that were open when these streams ended, and that no longer have a row. */
export const dropStreams = (tx: Tx, runId: string, calls: readonly number[]): Promise<unknown> =>
  sql`select drop_streams(${runId}::uuid, ${numbers(calls)}::int[])`.execute(tx);

/** The sums rebuilt from samples, for streams of these instances whose agent was lost; the caller completes and stores them. */
export const unfinishedStreams = async (tx: Tx, runId: string, instanceIds: readonly string[]) =>
  (
    await sql<{
      instance_id: string;
      endpoint_number: number;
      stream: number;
      packets_sent: number;
      packets_received: number;
      octets_received: number;
      expected: number;
      lost: number;
      absent: number;
      paused: number;
      discarded: number;
      duplicates: number;
      reordered: number;
      plc_events: number;
      jitter_mean_ms: number | null;
      jitter_max_ms: number | null;
      rtt_mean_ms: number | null;
      rtt_max_ms: number | null;
      rtt_count: number;
      scale: MosScale | null;
    }>`
      select e.instance_id, s.endpoint_number, s.stream, sum(s.packets_sent)::bigint as packets_sent,
        sum(s.packets_received)::bigint as packets_received, sum(s.octets_received)::bigint as octets_received,
        sum(s.expected)::bigint as expected, greatest(sum(s.lost), 0)::bigint as lost,
        greatest(sum(s.absent), 0)::bigint as absent, greatest(sum(s.paused), 0)::bigint as paused,
        sum(s.discarded)::bigint as discarded,
        sum(s.duplicates)::bigint as duplicates, sum(s.reordered)::bigint as reordered, sum(s.plc_events)::int as plc_events,
        sum(s.jitter_ms * s.packets_received) / nullif(sum(s.packets_received) filter (where s.jitter_ms is not null), 0)
          as jitter_mean_ms,
        max(s.jitter_max_ms) as jitter_max_ms, avg(s.rtt_ms) as rtt_mean_ms, max(s.rtt_ms) as rtt_max_ms,
        count(s.rtt_ms)::int as rtt_count,
        case when count(distinct s.scale) = 1 then min(s.scale) end as scale
      from endpoints e join samples s on s.run_id = e.run_id and s.endpoint_number = e.number
      where e.run_id = ${runId}::uuid and e.instance_id = any (${texts(instanceIds)}::uuid[]) and not exists (
        select from streams t where t.run_id = s.run_id and t.endpoint_number = s.endpoint_number and t.stream = s.stream)
      group by e.instance_id, s.endpoint_number, s.stream`.execute(tx)
  ).rows;

/** The streams of one endpoint, as reported at their ends. */
export const streamsOf = (tx: Tx, runId: string, endpoint: number) =>
  tx
    .selectFrom('streams')
    .where('run_id', '=', runId)
    .where('endpoint_number', '=', endpoint)
    .selectAll()
    .orderBy('stream')
    .execute();

export const streamFigures = async (tx: Tx, runId: string): Promise<RunTotals> =>
  (
    await sql<RunTotals>`
      select count(*) as streams, count(*) filter (where feedback) as "withFeedback",
        coalesce(sum(packets_sent), 0)::bigint as "packetsSent", coalesce(sum(packets_received), 0)::bigint as "packetsReceived",
        coalesce(sum(expected), 0)::bigint as expected, coalesce(sum(lost), 0)::bigint as lost,
        coalesce(sum(absent), 0)::bigint as absent, coalesce(sum(paused), 0)::bigint as paused,
        coalesce(sum(discarded), 0)::bigint as discarded, count(*) filter (where expected > absent + paused) as "lossStreams",
        coalesce(sum(plc_events), 0)::bigint as "plcEvents", coalesce(sum(nack_count), 0)::bigint as nack,
        coalesce(sum(pli_count), 0)::bigint as pli, coalesce(sum(fir_count), 0)::bigint as fir,
        count(jitter_mean_ms) as "jitterStreams", avg(jitter_mean_ms) as "jitterAvg", max(jitter_max_ms) as "jitterMax",
        count(rtt_mean_ms) as "rttStreams", avg(rtt_mean_ms) as "rttAvg", max(rtt_max_ms) as "rttMax"
      from streams where run_id = ${runId}::uuid`.execute(tx)
  ).rows[0] as RunTotals;

export const streamScales = async (tx: Tx, runId: string): Promise<ScaleFigures[]> =>
  (
    await sql<ScaleFigures>`
      select scale, count(mos) as streams, avg(mos) as "avgMos", min(mos) as "minMos", avg(r_factor) as "avgRFactor",
        min(r_factor) as "minRFactor"
      from streams where run_id = ${runId}::uuid and mos is not null and scale is not null group by scale`.execute(tx)
  ).rows;

/** The same figures during a run from the rollups, as far as available; without the number of streams. */
export const liveFigures = async (tx: Tx, runId: string): Promise<Omit<RunTotals, 'streams'>> =>
  (
    await sql<Omit<RunTotals, 'streams'>>`
      select 0 as "withFeedback",
        coalesce(sum(packets_sent), 0)::bigint as "packetsSent", coalesce(sum(packets_received), 0)::bigint as "packetsReceived",
        coalesce(sum(expected), 0)::bigint as expected, greatest(coalesce(sum(lost), 0), 0)::bigint as lost,
        greatest(coalesce(sum(absent), 0), 0)::bigint as absent, greatest(coalesce(sum(paused), 0), 0)::bigint as paused,
        coalesce(sum(discarded), 0)::bigint as discarded, coalesce(max(loss_count), 0)::bigint as "lossStreams",
        0 as "plcEvents", 0 as nack, 0 as pli, 0 as fir,
        coalesce(max(jitter_count), 0)::bigint as "jitterStreams",
        sum(jitter_sum) / nullif(sum(jitter_count), 0) as "jitterAvg", max(jitter_max) as "jitterMax",
        coalesce(max(rtt_count), 0)::bigint as "rttStreams", sum(rtt_sum) / nullif(sum(rtt_count), 0) as "rttAvg",
        max(rtt_max) as "rttMax"
      from (
        select at, sum(streams) as streams, sum(packets_sent) as packets_sent, sum(packets_received) as packets_received,
          sum(expected) as expected, sum(lost) as lost, sum(absent) as absent, sum(paused) as paused, sum(discarded) as discarded,
          sum(loss_count) as loss_count,
          sum(jitter_count) as jitter_count, sum(jitter_sum) as jitter_sum,
          max(jitter_max) as jitter_max, sum(rtt_count) as rtt_count, sum(rtt_sum) as rtt_sum, max(rtt_max) as rtt_max
        from rollups where run_id = ${runId}::uuid group by at
      ) seconds`.execute(tx)
  ).rows[0] as Omit<RunTotals, 'streams'>;
