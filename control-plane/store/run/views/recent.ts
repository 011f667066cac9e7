/** A run from an instant on, for the rules that end it: its calls, and the packets of its streams. */
import { sql } from 'kysely';
import type { RecentFigure, RecentFigures } from '../../../domain/run/abort.ts';
import type { Tx } from '../../db.ts';

export type RecentRun = { readonly id: string; readonly isFolded: boolean };

const NONE: RecentFigure = { value: 0, count: 0 };

const counted = ({ value, count }: { value: number | null; count: number } | undefined = NONE): RecentFigure =>
  value === null ? NONE : { value, count };

/** In percent of the calls that ended since then: successful, failed, or failed before their INVITE. */
export async function recentShare(tx: Tx, { id, isFolded }: RecentRun, since: Date): Promise<RecentFigure> {
  const { rows } = isFolded
    ? await sql<{ good: number; count: number }>`
        select coalesce(sum(successful), 0)::float8 as good, coalesce(sum(successful + failed), 0)::float8 as count
        from call_seconds where run_id = ${id}::uuid and at >= ${since}`.execute(tx)
    : await sql<{ good: number; count: number }>`
        select count(*) filter (where attempted and outcome = 'SUCCESS')::float8 as good,
          count(*) filter (where attempted or outcome <> 'SUCCESS')::float8 as count
        from endpoints where run_id = ${id}::uuid and counts_as_call and outcome is not null and closed_at >= ${since}`.execute(
        tx,
      );
  const { good, count } = rows[0] as { good: number; count: number };
  return count === 0 ? NONE : { value: (100 * good) / count, count };
}

/** The 95th percentile by nearest rank of calls that were answered since then, in milliseconds. Not of folded runs. */
export const recentSetup = async (tx: Tx, runId: string, since: Date): Promise<RecentFigure> =>
  counted(
    (
      await sql<{ value: number | null; count: number }>`
        select percentile_disc(0.95) within group (order by setup_ms) as value, count(setup_ms)::float8 as count
        from (
          select coalesce(answered_at, case when answered then planned_at + make_interval(secs => call_setup_ms / 1000) end) as at,
            coalesce(call_setup_ms, extract(epoch from answered_at - called_at) * 1000)::float8 as setup_ms
          from endpoints where run_id = ${runId}::uuid and counts_as_call) calls
        where at >= ${since}`.execute(tx)
    ).rows[0],
  );

export type RecentMedia = Omit<RecentFigures, 'successShare' | 'callSetup'>;
type MeanName = keyof RecentMedia;

const MEANS: { readonly [K in MeanName]: { readonly sum: string; readonly count: string; readonly isRated?: true } } = {
  avgMos: { sum: 'mos_sum', count: 'mos_count', isRated: true },
  avgRFactor: { sum: 'r_sum', count: 'mos_count', isRated: true },
  avgJitter: { sum: 'jitter_sum', count: 'jitter_count' },
  avgRtt: { sum: 'rtt_sum', count: 'rtt_count' },
  avgPacketLossFraction: { sum: 'greatest(lost, 0)', count: 'greatest(expected - absent - paused, 0)' },
};

/** Means over all seconds of streams since then; ratings are those of the scale with the most of them. */
export async function recentMedia(tx: Tx, id: string, since: Date): Promise<RecentMedia> {
  const columns = Object.entries(MEANS).map(([name, { sum, count, isRated }]) => {
    const rated = isRated ? 'filter (where scale is not distinct from top)' : '';
    const sums = `sum(${count}) ${rated}`;
    return `json_build_object('value', (sum(${sum}) ${rated})::float8 / nullif(${sums}, 0), 'count', coalesce(${sums}, 0)) as "${name}"`;
  });
  const { rows } = await sql<Record<MeanName, { value: number | null; count: number }>>`
    with recent as (select * from rollups where run_id = ${id}::uuid and at >= ${since}),
      most as (select scale as top from recent where mos_count > 0 group by scale order by sum(mos_count) desc, scale limit 1)
    select ${sql.raw(columns.join(', '))} from recent left join most on true`.execute(tx);
  const found = rows[0];
  return Object.fromEntries(
    Object.keys(MEANS).map((name) => [name, counted(found?.[name as MeanName])]),
  ) as RecentMedia;
}
