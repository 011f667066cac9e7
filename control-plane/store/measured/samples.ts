/** Samples by stream and interval, their rollups by second, and the series computed from both. */
import { SAMPLE_FIGURE_NAMES, SAMPLE_FIGURES, sampleColumnOf } from '@carillon/proto/figures/sample-figures.ts';
import { type RawBuilder, sql } from 'kysely';
import type { MosScale } from '../../contract/run/measured-words.ts';
import type { ScaleFigures } from '../../domain/figures/figures.ts';
import type { SampleFacts } from '../../domain/run/facts.ts';
import { numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';

/** Ratings are counted in buckets of a twentieth of a MOS point each. */
export const MOS_BUCKETS_A_POINT = 20;

const dayOf = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 10);

/**
 * Creates the partitions for these instants, unless `known`. Returns the days, which are known once this transaction
 * has committed, not earlier.
 */
export async function ensureSamplePartitions(
  tx: Tx,
  unixMs: ArrayLike<number>,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const days = new Set<string>();
  for (let i = 0; i < unixMs.length; i++) days.add(dayOf(unixMs[i] as number));
  const missing = [...days].filter((day) => !known.has(day));
  for (const day of missing) {
    const name = `samples_${day.replaceAll('-', '')}`;
    const next = dayOf(Date.parse(day) + 86_400_000);
    // Two ingesting replicas may meet here: the second one waits, and then finds the partition.
    await sql`select pg_advisory_xact_lock(hashtext('carillon samples partitions'))`.execute(tx);
    await sql
      .raw(
        `create table if not exists ${name} partition of samples for values from ('${day} 00:00+00') to ('${next} 00:00+00')`,
      )
      .execute(tx);
  }
  return missing;
}

/** The names of the partitions, by day. */
export async function samplePartitions(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'samples'::regclass order by 1`.execute(tx);
  return rows.map(({ name }) => name);
}

/** Drops the days entirely before `before`; returns the names of the dropped partitions. */
export async function dropSamplePartitions(tx: Tx, before: Date): Promise<string[]> {
  const limit = `samples_${dayOf(before.getTime()).replaceAll('-', '')}`;
  const old = (await samplePartitions(tx)).filter((name) => name < limit);
  for (const name of old) await sql`drop table ${sql.id(name)}`.execute(tx);
  return old;
}

const FIGURES = sql.raw(SAMPLE_FIGURE_NAMES.map(sampleColumnOf).join(', '));

const INCOMING = sql.raw(
  "date_trunc('second', at) as second, packets_sent, packets_received, expected, lost, absent, paused, discarded, " +
    'case when expected > absent + paused then greatest(lost, 0)::real / (expected - absent - paused) end as loss, jitter_ms, rtt_ms, mos, r_factor, ' +
    "remote_loss_fraction, remote_jitter_ms, coalesce(scale, '') as scale",
);

function incoming(s: SampleFacts) {
  const figures = SAMPLE_FIGURE_NAMES.map((name) => sql`${numbers(s[name])}::${sql.raw(SAMPLE_FIGURES[name])}[]`);
  return sql`
    incoming as (
      select endpoint_number, stream, to_timestamp(ms / 1000) as at, scale, ${FIGURES}
      from unnest(
        ${numbers(s.endpoint)}::int[], ${numbers(s.stream)}::smallint[], ${numbers(s.unixMs)}::float8[],
        ${texts(Array.from(s.scale))}::text[], ${sql.join(figures)}
      ) as t (endpoint_number, stream, ms, scale, ${FIGURES})
    )`;
}

const stored = (runId: string) => sql`
  insert into samples (run_id, endpoint_number, stream, at, scale, ${FIGURES})
  select ${runId}::uuid, * from incoming
  on conflict do nothing`;

/** Stores samples that the sums already contain. */
export const storeSamples = (tx: Tx, runId: string, s: SampleFacts): Promise<unknown> =>
  sql`with ${incoming(s)} ${stored(runId)}`.execute(tx);

/** Stores the samples, and adds them to the sums by second and scale, in one statement. Existing rows are not counted again. */
export const insertSamples = (tx: Tx, runId: string, instanceId: string, s: SampleFacts): Promise<void> =>
  add(tx, runId, instanceId, s, sql`${stored(runId)} returning ${INCOMING}`);

/** Adds samples to the sums without storing them. */
export const sumSamples = (tx: Tx, runId: string, instanceId: string, s: SampleFacts): Promise<void> =>
  add(tx, runId, instanceId, s, sql`select ${INCOMING} from incoming`);

async function add(
  tx: Tx,
  runId: string,
  instanceId: string,
  s: SampleFacts,
  written: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with ${incoming(s)}, written as (
      ${written}
    ), rated as (
      insert into mos_counts as m (run_id, instance_id, at, scale, bucket, count)
      select ${runId}::uuid, ${instanceId}::uuid, second, scale, floor(mos * ${MOS_BUCKETS_A_POINT}::int)::smallint as bucket, count(*)
      from written where mos is not null group by second, scale, bucket order by second, scale, bucket
      on conflict (run_id, instance_id, at, scale, bucket) do update set count = m.count + excluded.count
    )
    insert into rollups as u (run_id, instance_id, at, scale, streams, packets_sent, packets_received, expected, lost, absent, paused,
      discarded, loss_count, loss_min, loss_max, mos_count, mos_sum, mos_min, mos_max, r_sum, r_min, r_max,
      jitter_count, jitter_sum, jitter_min, jitter_max, rtt_count, rtt_sum, rtt_min, rtt_max,
      remote_loss_count, remote_loss_sum, remote_loss_min, remote_loss_max,
      remote_jitter_count, remote_jitter_sum, remote_jitter_min, remote_jitter_max)
    select ${runId}::uuid, ${instanceId}::uuid, second, scale, count(*), sum(packets_sent), sum(packets_received), sum(expected),
      sum(lost), sum(absent), sum(paused), sum(discarded), count(loss), min(loss), max(loss),
      count(mos), coalesce(sum(mos), 0), min(mos), max(mos), coalesce(sum(r_factor), 0), min(r_factor), max(r_factor),
      count(jitter_ms), coalesce(sum(jitter_ms), 0), min(jitter_ms), max(jitter_ms),
      count(rtt_ms), coalesce(sum(rtt_ms), 0), min(rtt_ms), max(rtt_ms),
      count(remote_loss_fraction), coalesce(sum(remote_loss_fraction), 0), min(remote_loss_fraction), max(remote_loss_fraction),
      count(remote_jitter_ms), coalesce(sum(remote_jitter_ms), 0), min(remote_jitter_ms), max(remote_jitter_ms)
    from written group by second, scale order by second, scale
    on conflict (run_id, instance_id, at, scale) do update set
      streams = u.streams + excluded.streams, packets_sent = u.packets_sent + excluded.packets_sent,
      packets_received = u.packets_received + excluded.packets_received, expected = u.expected + excluded.expected,
      lost = u.lost + excluded.lost, absent = u.absent + excluded.absent, paused = u.paused + excluded.paused,
      discarded = u.discarded + excluded.discarded,
      loss_count = u.loss_count + excluded.loss_count, loss_min = least(u.loss_min, excluded.loss_min),
      loss_max = greatest(u.loss_max, excluded.loss_max),
      mos_count = u.mos_count + excluded.mos_count, mos_sum = u.mos_sum + excluded.mos_sum,
      mos_min = least(u.mos_min, excluded.mos_min), mos_max = greatest(u.mos_max, excluded.mos_max),
      r_sum = u.r_sum + excluded.r_sum, r_min = least(u.r_min, excluded.r_min), r_max = greatest(u.r_max, excluded.r_max),
      jitter_count = u.jitter_count + excluded.jitter_count, jitter_sum = u.jitter_sum + excluded.jitter_sum,
      jitter_min = least(u.jitter_min, excluded.jitter_min), jitter_max = greatest(u.jitter_max, excluded.jitter_max),
      rtt_count = u.rtt_count + excluded.rtt_count, rtt_sum = u.rtt_sum + excluded.rtt_sum,
      rtt_min = least(u.rtt_min, excluded.rtt_min), rtt_max = greatest(u.rtt_max, excluded.rtt_max),
      remote_loss_count = u.remote_loss_count + excluded.remote_loss_count,
      remote_loss_sum = u.remote_loss_sum + excluded.remote_loss_sum,
      remote_loss_min = least(u.remote_loss_min, excluded.remote_loss_min),
      remote_loss_max = greatest(u.remote_loss_max, excluded.remote_loss_max),
      remote_jitter_count = u.remote_jitter_count + excluded.remote_jitter_count,
      remote_jitter_sum = u.remote_jitter_sum + excluded.remote_jitter_sum,
      remote_jitter_min = least(u.remote_jitter_min, excluded.remote_jitter_min),
      remote_jitter_max = greatest(u.remote_jitter_max, excluded.remote_jitter_max)`.execute(tx);
}

export type Point = { at: Date; avg: number | null; min: number | null; max: number | null; count: number };
export type SeriesKey =
  | 'mos'
  | 'rFactor'
  | 'jitter'
  | 'packetLossFraction'
  | 'absentFraction'
  | 'pausedFraction'
  | 'rtt'
  | 'remotePacketLossFraction'
  | 'remoteJitter';
type Figures = [number | null, number | null, number | null, number];
export type SeriesRow = { at: Date } & Record<SeriesKey, Figures>;
export type EndpointSeriesKey = SeriesKey | 'packetsSentPerSecond' | 'packetsReceivedPerSecond';
export type EndpointSeriesRow = { at: Date } & Record<EndpointSeriesKey, Figures>;

const ALL = 'true';
/** Selects ratings on the requested scale. */
const RATED = 'scale = asked.on_scale';

const rolled = (name: string, { count = name, of = ALL } = {}) => {
  const where = `filter (where ${of})`;
  const values = `sum(${count}_count) ${where}`;
  return `json_build_array(sum(${name}_sum) ${where} / nullif(${values}, 0), min(${name}_min) ${where},
    max(${name}_max) ${where}, coalesce(${values}, 0))`;
};
const plain = (c: string, of = ALL) => {
  const where = `filter (where ${of})`;
  return `json_build_array(avg(${c}) ${where}, min(${c}) ${where}, max(${c}) ${where}, count(${c}) ${where})`;
};

/** Packets that were sent, of which loss is a share. */
const NUMBERED = sql.raw('(expected - absent - paused)');
/** The share of the packets that were due. An open hole that is explained later is subtracted in a later second. */
const shareOf = (c: string) => {
  const part = `(greatest(${c}, 0)::float8 / nullif(expected, 0))`;
  return `json_build_array(sum(greatest(${c}, 0))::float8 / nullif(sum(expected), 0), min(${part}), max(${part}),
    count(*) filter (where expected > 0))`;
};

const aSecond = (c: string) => `(${c} * 1000.0 / nullif(interval_ms, 0))::float8`;

/**
 * All series of a run from its rollups, in buckets of `seconds`; ratings are those on `scale`. Loss is weighted by
 * packets, the rest by streams.
 */
export const runSeries = async (tx: Tx, runId: string, seconds: number, scale: MosScale | null): Promise<SeriesRow[]> =>
  (
    await sql<SeriesRow>`
      select date_bin(make_interval(secs => ${seconds}), at, 'epoch') as at,
        ${sql.raw(rolled('mos', { of: RATED }))} as mos,
        ${sql.raw(rolled('r', { count: 'mos', of: RATED }))} as "rFactor",
        ${sql.raw(rolled('jitter'))} as jitter, ${sql.raw(rolled('rtt'))} as rtt,
        json_build_array(sum(greatest(lost, 0))::float8 / nullif(greatest(sum(expected - absent - paused), 0), 0),
          min(loss_min), max(loss_max), sum(loss_count)) as "packetLossFraction",
        ${sql.raw(shareOf('absent'))} as "absentFraction", ${sql.raw(shareOf('paused'))} as "pausedFraction",
        ${sql.raw(rolled('remote_loss'))} as "remotePacketLossFraction", ${sql.raw(rolled('remote_jitter'))} as "remoteJitter"
      from rollups, (select ${scale}::text) asked (on_scale) where run_id = ${runId}::uuid group by 1 order by 1`.execute(
      tx,
    )
  ).rows;

/** The same for one endpoint, from its samples. */
export const endpointSeries = async (
  tx: Tx,
  runId: string,
  endpoint: number,
  seconds: number,
  scale: MosScale | null,
): Promise<EndpointSeriesRow[]> =>
  (
    await sql<EndpointSeriesRow>`
      select date_bin(make_interval(secs => ${seconds}), at, 'epoch') as at,
        ${sql.raw(plain('mos', RATED))} as mos, ${sql.raw(plain('r_factor', RATED))} as "rFactor",
        ${sql.raw(plain('jitter_ms'))} as jitter,
        ${sql.raw(plain('rtt_ms'))} as rtt,
        json_build_array(sum(greatest(lost, 0))::float8 / nullif(greatest(sum(${NUMBERED}), 0), 0),
          min(greatest(lost, 0)::float8 / nullif(greatest(${NUMBERED}, 0), 0)),
          max(greatest(lost, 0)::float8 / nullif(greatest(${NUMBERED}, 0), 0)),
          count(*) filter (where ${NUMBERED} > 0)) as "packetLossFraction",
        ${sql.raw(shareOf('absent'))} as "absentFraction", ${sql.raw(shareOf('paused'))} as "pausedFraction",
        ${sql.raw(plain('remote_loss_fraction'))} as "remotePacketLossFraction",
        ${sql.raw(plain('remote_jitter_ms'))} as "remoteJitter",
        ${sql.raw(plain(aSecond('packets_sent')))} as "packetsSentPerSecond",
        ${sql.raw(plain(aSecond('packets_received')))} as "packetsReceivedPerSecond"
      from samples, (select ${scale}::text) asked (on_scale)
      where run_id = ${runId}::uuid and endpoint_number = ${endpoint} group by 1 order by 1`.execute(tx)
  ).rows;

/** The first and last second with samples: two index look-ups for each instance, however long the run is. */
export async function sampleSpan(tx: Tx, runId: string): Promise<{ from: Date | null; to: Date | null }> {
  const instances = await tx.selectFrom('sub_population_instances').where('run_id', '=', runId).select('id').execute();
  const { rows } = await sql<{ from: Date | null; to: Date | null }>`
    select min(s.from) as from, max(s.to) as to
    from unnest(${texts(instances.map(({ id }) => id))}::uuid[]) as i (id) cross join lateral (
      select min(at) as from, max(at) as to from rollups where run_id = ${runId}::uuid and instance_id = i.id) s`.execute(
    tx,
  );
  return rows[0] as { from: Date | null; to: Date | null };
}

/** The streams rated on each scale (the maximum in a second) and their ratings, from the rollups since an instant. */
export const liveScales = async (tx: Tx, runId: string, since = new Date(0)): Promise<ScaleFigures[]> =>
  (
    await sql<ScaleFigures>`
      select scale, max(mos_count)::bigint as streams, sum(mos_sum) / sum(mos_count) as "avgMos", min(mos_min) as "minMos",
        sum(r_sum) / sum(mos_count) as "avgRFactor", min(r_min) as "minRFactor"
      from (
        select scale, sum(mos_count) as mos_count, sum(mos_sum) as mos_sum, min(mos_min) as mos_min, sum(r_sum) as r_sum,
          min(r_min) as r_min
        from rollups where run_id = ${runId}::uuid and at >= ${since} group by at, scale
      ) seconds group by scale having sum(mos_count) > 0`.execute(tx)
  ).rows;

/** The rated samples of one endpoint, by scale. */
export const endpointScales = async (tx: Tx, runId: string, endpoint: number) =>
  (
    await sql<{ scale: MosScale; streams: number }>`
      select scale, count(mos) as streams from samples
      where run_id = ${runId}::uuid and endpoint_number = ${endpoint} and mos is not null and scale is not null
      group by scale`.execute(tx)
  ).rows;
