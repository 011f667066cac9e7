/** Whole-stream figures, and what a run's summary draws from them. */
import { sql } from 'kysely';
import type { StreamFact } from '../domain/facts.ts';
import type { StreamTotals } from '../domain/figures.ts';
import { texts } from './arrays.ts';
import type { Tx } from './db.ts';

const measured = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Rows of one statement: 36 parameters each, of PostgreSQL's 65,535. */
const ROWS = 1000;

export async function insertStreams(tx: Tx, runId: string, facts: readonly StreamFact[]): Promise<void> {
  for (let from = 0; from < facts.length; from += ROWS) await insertRows(tx, runId, facts.slice(from, from + ROWS));
}

const insertRows = (tx: Tx, runId: string, facts: readonly StreamFact[]): Promise<unknown> =>
  tx
    .insertInto('streams')
    .values(
      facts.map((f) => ({
        run_id: runId,
        endpoint_number: f.endpoint,
        stream: f.stream,
        codec: f.codec,
        remote: f.remote,
        local_port: f.localPort,
        ssrc_sent: f.ssrcSent,
        ssrc_received: f.ssrcReceived,
        packets_sent: f.packetsSent,
        octets_sent: f.octetsSent,
        packets_received: f.packetsReceived,
        octets_received: f.octetsReceived,
        expected: f.expected,
        lost: f.lost,
        discarded: f.discarded,
        duplicates: f.duplicates,
        reordered: f.reordered,
        ssrc_changes: f.ssrcChanges,
        plc_events: f.plcEvents,
        plc_ms: f.plcMs,
        jitter_mean_ms: measured(f.jitterMeanMs),
        jitter_max_ms: measured(f.jitterMaxMs),
        rtt_mean_ms: measured(f.rttMeanMs),
        rtt_max_ms: measured(f.rttMaxMs),
        rtt_count: f.rttCount,
        mos: measured(f.mos),
        r_factor: measured(f.rFactor),
        burst_ratio: measured(f.burstRatio),
        feedback: f.feedback,
        remote_lost: f.feedback ? f.remoteLost : null,
        remote_jitter_ms: measured(f.remoteJitterMs),
        nack_count: f.nackCount,
        pli_count: f.pliCount,
        fir_count: f.firCount,
        sends_skipped: f.sendsSkipped,
      })),
    )
    .onConflict((c) => c.doNothing())
    .execute();

/** Streams of these instances of which only samples came in (their agent was lost): their sums, to be completed and stored. */
export const unfinishedStreams = async (tx: Tx, runId: string, instanceIds: readonly string[]) =>
  (
    await sql<{
      endpoint_number: number;
      stream: number;
      packets_sent: number;
      packets_received: number;
      octets_received: number;
      expected: number;
      lost: number;
      discarded: number;
      duplicates: number;
      reordered: number;
      plc_events: number;
      jitter_mean_ms: number | null;
      jitter_max_ms: number | null;
      rtt_mean_ms: number | null;
      rtt_max_ms: number | null;
      rtt_count: number;
    }>`
      select s.endpoint_number, s.stream, sum(s.packets_sent)::bigint as packets_sent,
        sum(s.packets_received)::bigint as packets_received, sum(s.octets_received)::bigint as octets_received,
        sum(s.expected)::bigint as expected, greatest(sum(s.lost), 0)::bigint as lost, sum(s.discarded)::bigint as discarded,
        sum(s.duplicates)::bigint as duplicates, sum(s.reordered)::bigint as reordered, sum(s.plc_events)::int as plc_events,
        sum(s.jitter_ms * s.packets_received) / nullif(sum(s.packets_received) filter (where s.jitter_ms is not null), 0)
          as jitter_mean_ms,
        max(s.jitter_max_ms) as jitter_max_ms, avg(s.rtt_ms) as rtt_mean_ms, max(s.rtt_ms) as rtt_max_ms,
        count(s.rtt_ms)::int as rtt_count
      from endpoints e join samples s on s.run_id = e.run_id and s.endpoint_number = e.number
      where e.run_id = ${runId}::uuid and e.instance_id = any (${texts(instanceIds)}::uuid[]) and not exists (
        select from streams t where t.run_id = s.run_id and t.endpoint_number = s.endpoint_number and t.stream = s.stream)
      group by s.endpoint_number, s.stream`.execute(tx)
  ).rows;

/** The streams of one endpoint, as their ends were reported. */
export const streamsOf = (tx: Tx, runId: string, endpoint: number) =>
  tx
    .selectFrom('streams')
    .where('run_id', '=', runId)
    .where('endpoint_number', '=', endpoint)
    .selectAll()
    .orderBy('stream')
    .execute();

export const streamFigures = async (tx: Tx, runId: string): Promise<StreamTotals> =>
  (
    await sql<StreamTotals>`
      select count(*) as streams, count(*) filter (where feedback) as "withFeedback",
        coalesce(sum(packets_sent), 0)::bigint as "packetsSent", coalesce(sum(packets_received), 0)::bigint as "packetsReceived",
        coalesce(sum(expected), 0)::bigint as expected, coalesce(sum(lost), 0)::bigint as lost,
        coalesce(sum(discarded), 0)::bigint as discarded, count(*) filter (where expected > 0) as "lossStreams",
        coalesce(sum(plc_events), 0)::bigint as "plcEvents", coalesce(sum(nack_count), 0)::bigint as nack,
        coalesce(sum(pli_count), 0)::bigint as pli, coalesce(sum(fir_count), 0)::bigint as fir,
        count(mos) as "mosStreams", avg(mos) as "mosAvg", min(mos) as "mosMin",
        count(r_factor) as "rStreams", avg(r_factor) as "rAvg", min(r_factor) as "rMin",
        count(jitter_mean_ms) as "jitterStreams", avg(jitter_mean_ms) as "jitterAvg", max(jitter_max_ms) as "jitterMax",
        count(rtt_mean_ms) as "rttStreams", avg(rtt_mean_ms) as "rttAvg", max(rtt_max_ms) as "rttMax"
      from streams where run_id = ${runId}::uuid`.execute(tx)
  ).rows[0] as StreamTotals;

/** While a run goes on: the same figures from the rollups, as far as they know them. */
export const liveFigures = async (tx: Tx, runId: string): Promise<StreamTotals> =>
  (
    await sql<StreamTotals>`
      select (select count(*) from endpoints where run_id = ${runId}::uuid and answered) as streams, 0 as "withFeedback",
        coalesce(sum(packets_sent), 0)::bigint as "packetsSent", coalesce(sum(packets_received), 0)::bigint as "packetsReceived",
        coalesce(sum(expected), 0)::bigint as expected, greatest(coalesce(sum(lost), 0), 0)::bigint as lost,
        coalesce(sum(discarded), 0)::bigint as discarded, coalesce(max(loss_count), 0)::bigint as "lossStreams",
        0 as "plcEvents", 0 as nack, 0 as pli, 0 as fir,
        coalesce(max(mos_count), 0)::bigint as "mosStreams", sum(mos_sum) / nullif(sum(mos_count), 0) as "mosAvg",
        min(mos_min) as "mosMin", coalesce(max(mos_count), 0)::bigint as "rStreams",
        sum(r_sum) / nullif(sum(mos_count), 0) as "rAvg", min(r_min) as "rMin",
        coalesce(max(jitter_count), 0)::bigint as "jitterStreams",
        sum(jitter_sum) / nullif(sum(jitter_count), 0) as "jitterAvg", max(jitter_max) as "jitterMax",
        coalesce(max(rtt_count), 0)::bigint as "rttStreams", sum(rtt_sum) / nullif(sum(rtt_count), 0) as "rttAvg",
        max(rtt_max) as "rttMax"
      from (
        select at, sum(streams) as streams, sum(packets_sent) as packets_sent, sum(packets_received) as packets_received,
          sum(expected) as expected, sum(lost) as lost, sum(discarded) as discarded, sum(loss_count) as loss_count,
          sum(mos_count) as mos_count, sum(mos_sum) as mos_sum, min(mos_min) as mos_min, sum(r_sum) as r_sum,
          min(r_min) as r_min, sum(jitter_count) as jitter_count, sum(jitter_sum) as jitter_sum,
          max(jitter_max) as jitter_max, sum(rtt_count) as rtt_count, sum(rtt_sum) as rtt_sum, max(rtt_max) as rtt_max
        from rollups where run_id = ${runId}::uuid group by at
      ) seconds`.execute(tx)
  ).rows[0] as StreamTotals;
