/** The calls of a run by blocks of time since its start: successes, and the distribution of timings. */
import { columnOf } from '@carillon/proto/figures/call-figures.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../store/db.ts';

const BLOCK_SECONDS = 10;

const block = (startedAt: Date) =>
  sql`greatest(0, floor(extract(epoch from planned_at - ${startedAt}::timestamptz) / ${sql.lit(BLOCK_SECONDS)}))::int`;

export type ShareBlock = {
  readonly block: number;
  readonly calls: number;
  readonly successful: number;
  readonly attempted: number;
  readonly answered: number;
  readonly dropped: number;
};

export const shareBlocks = async (tx: Tx, runId: string, startedAt: Date): Promise<ShareBlock[]> =>
  (
    await sql<ShareBlock>`
      select ${block(startedAt)} as block, count(*)::int as calls, count(*) filter (where outcome = 'SUCCESS')::int as successful,
        count(*) filter (where attempted)::int as attempted, count(*) filter (where answered)::int as answered,
        count(*) filter (where answered and dropped)::int as dropped
      from endpoints where run_id = ${runId}::uuid and counts_as_call and planned_at is not null and outcome is not null
      group by 1 order by 1`.execute(tx)
  ).rows;

export type TimingBlock = { readonly block: number; readonly bucket: number; readonly count: number };

/** The timings in buckets, `aDecade` of them per decade. */
export const timingBlocks = async (
  tx: Tx,
  runId: string,
  startedAt: Date,
  figure: Parameters<typeof columnOf>[0],
  aDecade: number,
): Promise<TimingBlock[]> => {
  const ms = sql.ref(columnOf(figure));
  return (
    await sql<TimingBlock>`
      select ${block(startedAt)} as block,
        floor(log(greatest(${ms}, 0.001)::numeric) * ${aDecade}::int)::int as bucket, count(*)::int as count
      from endpoints where run_id = ${runId}::uuid and counts_as_call and planned_at is not null and ${ms} is not null
      group by 1, 2 order by 1, 2`.execute(tx)
  ).rows;
};
