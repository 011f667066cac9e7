/** A run by steps of time: its calls from its endpoints, ratings and loss from sums by second. */
import { columnOf, SPREADS } from '@carillon/proto/figures/call-figures.ts';
import { type RawBuilder, sql } from 'kysely';
import type { MosScale } from '../../../contract/run/measured-words.ts';
import type { CallStep, LossStep, RatingStep, StartStep } from '../../../domain/figures/time-steps.ts';
import type { Tx } from '../../db.ts';

const CLASSES = ['0', '2', '3', '4', '5', '6'];
const counted = (rule: RawBuilder<unknown>) => sql`coalesce(sum(n) filter (where ${rule}), 0)::bigint`;
const step = (seconds: number) => sql`make_interval(secs => ${seconds}::int)`;

/**
 * Later reports of older agents, with their calls' ends, replace the instants of phases. Calls whose instants are in the same steps are
 * counted together before their instants are told apart: otherwise each call would be sorted six times.
 */
export async function callSteps(tx: Tx, runId: string, seconds: number): Promise<CallStep[]> {
  const bin = (at: RawBuilder<unknown>) => sql`date_bin(${step(seconds)}, ${at}, 'epoch')`;
  return (
    await sql<CallStep>`
      with calls as materialized (
        select c.called as called_at, c.answered as answered_at, closed_at, outcome, attempted, final_status,
          case when c.answered is not null then
            coalesce(left_at, c.answered + make_interval(secs => call_duration_ms / 1000), closed_at) end as left_at,
          coalesce(call_setup_ms, extract(epoch from c.answered - c.called) * 1000)::float8 as setup_ms
        from endpoints e cross join lateral (
          select coalesce(called_at, case when attempted then planned_at + make_interval(secs => coalesce(invite_late_ms, 0) / 1000) end) as called,
            coalesce(answered_at, case when answered then planned_at + make_interval(secs => call_setup_ms / 1000) end) as answered) c
        where run_id = ${runId}::uuid and counts_as_call
      ), steps as materialized (
        select ${bin(sql`called_at`)} as s, ${bin(sql`answered_at`)} as a,
          -- A call that was answered while our CANCEL was under way had been given up before.
          ${bin(sql`case when left_at is not null then greatest(left_at, answered_at) end`)} as l,
          ${bin(sql`case when called_at is not null then closed_at end`)} as e,
          ${bin(sql`case when outcome <> 'SUCCESS' then closed_at end`)} as f,
          ${bin(sql`coalesce(answered_at, case when attempted then closed_at end)`)} as c,
          case when answered_at is not null then 2 else coalesce(final_status, 0) / 100 end as class, setup_ms
        from calls
      ), alike as (
        select s, a, l, e, f, c, class, count(*) as n from steps group by 1, 2, 3, 4, 5, 6, 7
      ), counted as (
        select v.at, ${counted(sql`kind = 's'`)} as started, ${counted(sql`kind = 'a'`)} as answered,
          ${counted(sql`kind = 'l'`)} as "left", ${counted(sql`kind = 'e'`)} as ended, ${counted(sql`kind = 'f'`)} as failed,
          json_build_object(${sql.join(CLASSES.map((one) => sql`${sql.lit(one)}, ${counted(sql`kind = 'c' and class = ${sql.lit(Number(one))}`)}`))}) as classes
        from alike cross join lateral (values ('s', s), ('a', a), ('l', l), ('e', e), ('f', f), ('c', c)) as v (kind, at)
        where v.at is not null group by 1
      ), setups as (
        select a as at, percentile_disc(array[0.5, 0.95, 0.99]) within group (order by setup_ms) as setup, count(setup_ms) as setups
        from steps where a is not null group by 1
      )
      select counted.*, setup, coalesce(setups, 0) as setups from counted left join setups using (at) order by at`.execute(
      tx,
    )
  ).rows;
}

/** Agents' reports about due calls. */
export const startSteps = async (tx: Tx, runId: string, seconds: number): Promise<StartStep[]> =>
  (
    await sql<StartStep>`
      select date_bin(${step(seconds)}, at, 'epoch') as at, sum(planned)::bigint as planned,
        sum(no_free_endpoint)::bigint as "noFreeEndpoint", sum(not_started)::bigint as dropped, sum(held_back)::bigint as "heldBack"
      from start_noise where run_id = ${runId}::uuid and at is not null group by 1 order by 1`.execute(tx)
  ).rows;

/** The distribution of ratings on the scale, by step and bucket (samples.ts), from `since` on. */
export const ratingSteps = async (
  tx: Tx,
  runId: string,
  seconds: number,
  scale: MosScale,
  since: Date,
): Promise<RatingStep[]> =>
  (
    await sql<RatingStep>`
      select date_bin(${step(seconds)}, at, 'epoch') as at, bucket, sum(count)::bigint as count from mos_counts
      where run_id = ${runId}::uuid and scale = ${scale} and at >= ${since}
      group by 1, 2 order by 1, 2`.execute(tx)
  ).rows;

export const lossSteps = async (tx: Tx, runId: string, seconds: number, since: Date): Promise<LossStep[]> =>
  (
    await sql<LossStep>`
      select date_bin(${step(seconds)}, at, 'epoch') as at, sum(greatest(lost, 0))::float8 / nullif(greatest(sum(expected - absent - paused), 0), 0) as loss
      from rollups where run_id = ${runId}::uuid and at >= ${since} group by 1 order by 1`.execute(tx)
  ).rows;

const CHARTED = sql.raw(
  SPREADS.filter(({ isCharted }) => isCharted)
    .map(({ key, figure, of }) => `('${key}', ${of === 'CALLS' ? 'counts_as_call' : 'true'}, ${columnOf(figure)})`)
    .join(', '),
);

export type TimingBucket = { readonly timing: string; readonly bucket: number; readonly count: number };

/** The values of each charted timing by bucket, this many per decade, the first one starting at 1 ms. */
export const timingBuckets = async (tx: Tx, runId: string, aDecade: number): Promise<TimingBucket[]> =>
  (
    await sql<TimingBucket>`
      select timing, greatest(floor(log(greatest(ms, 0.001)::float8) * ${aDecade}::int), -1)::int as bucket, count(*) as count
      from endpoints cross join lateral (values ${CHARTED}) as v (timing, wanted, ms)
      where run_id = ${runId}::uuid and wanted and ms is not null group by 1, 2 order by 1, 2`.execute(tx)
  ).rows;
