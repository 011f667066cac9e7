/** Sums of the calls of a folded run, by instance and by second. */
import { sql } from 'kysely';
import { EVERY_INSTANCE } from '../../domain/figures/start-reports.ts';
import type { CallStep } from '../../domain/figures/time-steps.ts';
import type { CallSeconds, SecondSums } from '../../domain/sums/call-seconds.ts';
import { noCalls, type RunSums } from '../../domain/sums/call-sums.ts';
import { PERCENTILES } from '../../domain/sums/spread.ts';
import { numbers } from '../arrays.ts';
import { namesOf, number, type StoredColumns, text, unnested } from '../columns.ts';
import type { Tx } from '../db.ts';

/**
 * The sums of an instance. `lost`: the sums of calls that were given up with their worker, separate from those that it
 * reported.
 */
export type SumsOf = { readonly runId: string; readonly instanceId: string; readonly lost: boolean };

/** Every call changes `calls`; without failures, findings and streams the other two columns stay unchanged. */
type Stored = {
  readonly calls: Pick<RunSums, 'kinds' | 'timings' | 'lateness' | 'late'> | null;
  readonly failures: Pick<RunSums, 'failures' | 'findings'> | null;
  readonly streams: RunSums['streams'] | null;
};
export type SumsPart = keyof Stored;

/** Sums that an older version wrote may lack a timing. */
const sumsOf = ({ calls, failures, streams }: Stored): RunSums => {
  const none = noCalls();
  const timings = { ...none.timings, ...calls?.timings };
  return { ...none, ...calls, ...failures, timings, streams: streams ?? none.streams };
};

/** Locks the sums until the transaction ends. */
export async function lockCallSums(tx: Tx, { runId, instanceId, lost }: SumsOf): Promise<RunSums> {
  const { rows } = await sql<Stored>`
    select calls, failures, streams from call_sums
    where run_id = ${runId}::uuid and instance_id = ${instanceId}::uuid and lost = ${lost} for update`.execute(tx);
  return rows[0] ? sumsOf(rows[0]) : noCalls();
}

/** `changed`: the other parts stay as they are. */
export async function storeCallSums(
  tx: Tx,
  { runId, instanceId, lost }: SumsOf,
  { streams, failures, findings, ...calls }: RunSums,
  changed: ReadonlySet<SumsPart>,
): Promise<void> {
  const stored: Stored = { calls, failures: { failures, findings }, streams };
  const part = (name: SumsPart) => sql`${changed.has(name) ? JSON.stringify(stored[name]) : null}::json`;
  await sql`
    insert into call_sums as s (run_id, instance_id, lost, calls, failures, streams)
    values (${runId}::uuid, ${instanceId}::uuid, ${lost}, ${part('calls')}, ${part('failures')}, ${part('streams')})
    on conflict (run_id, instance_id, lost) do update set calls = coalesce(excluded.calls, s.calls),
      failures = coalesce(excluded.failures, s.failures), streams = coalesce(excluded.streams, s.streams)`.execute(tx);
}

/** The sums of calls of each instance that has any. */
export const callSumsOf = async (tx: Tx, runId: string): Promise<RunSums[]> =>
  (
    await sql<Stored>`select calls, failures, streams from call_sums where run_id = ${runId}::uuid`.execute(tx)
  ).rows.map(sumsOf);

const CLASSES = [0, 2, 3, 4, 5, 6] as const;
const COUNTED: StoredColumns<SecondSums> = {
  started: number('int', (s) => s.started),
  answered: number('int', (s) => s.answered),
  '"left"': number('int', (s) => s.left),
  ended: number('int', (s) => s.ended),
  successful: number('int', (s) => s.successful),
  failed: number('int', (s) => s.failed),
  ...Object.fromEntries(CLASSES.map((c) => [`class_${c}`, number('int', (s: SecondSums) => s.classes[c] as number)])),
};
const COLUMNS: StoredColumns<SecondSums> = {
  second: number('bigint', (s) => s.second),
  ...COUNTED,
  // unnest takes arrays of arrays apart.
  setup_buckets: text((s) => `{${[...s.setups.keys()].join()}}`),
  setup_counts: text((s) => `{${[...s.setups.values()].join()}}`),
};
const ADDED = sql.raw(
  Object.keys(COUNTED)
    .map((name) => `${name} = s.${name} + excluded.${name}`)
    .join(', '),
);

export async function addCallSeconds(tx: Tx, { runId, instanceId, lost }: SumsOf, seconds: CallSeconds): Promise<void> {
  if (seconds.size === 0) return;
  const rows = [...seconds.values()].sort((a, b) => a.second - b.second);
  await sql`
    insert into call_seconds as s (run_id, instance_id, lost, at, ${namesOf(COUNTED)}, setup_buckets, setup_counts)
    select ${runId}::uuid, ${instanceId}::uuid, ${lost}::boolean, to_timestamp(second), ${namesOf(COUNTED)}, setup_buckets::int[], setup_counts::int[]
    from ${unnested(COLUMNS, rows, 'f')}
    on conflict (run_id, instance_id, at, lost) do update set ${ADDED}, setup_buckets = s.setup_buckets || excluded.setup_buckets,
      setup_counts = s.setup_counts || excluded.setup_counts`.execute(tx);
}

type TakenSecond = Omit<SecondSums, 'classes' | 'setups'> & {
  readonly classes: readonly number[];
  readonly buckets: readonly number[];
  readonly counts: readonly number[];
};

/**
 * Takes out what has ended before: of each instance, and of the steps in which it is, of so many seconds. Later reports of calls that
 * began then add rows again. Sums of lost calls stay, because their worker may come back.
 */
export async function takeSeconds(tx: Tx, runId: string, before: Date, stepSeconds: number): Promise<SecondSums[]> {
  const step = sql`date_bin(make_interval(secs => ${stepSeconds}::int), at, 'epoch')`;
  const { rows } = await sql<TakenSecond>`
    with old as materialized (
      select ctid as place, ${step} as step from call_seconds
      where run_id = ${runId}::uuid and not lost and at < ${before} and (instance_id <> ${EVERY_INSTANCE}::uuid or at <> ${step})
      for update skip locked
    )
    delete from call_seconds where ctid = any (array(select place from old union all
      select ctid from call_seconds where run_id = ${runId}::uuid and instance_id = ${EVERY_INSTANCE}::uuid and not lost
        and at in (select step from old)))
    returning extract(epoch from at)::bigint as second, ${namesOf(COUNTED)},
      array[${sql.join(CLASSES.map((c) => sql.ref(`class_${c}`)))}] as classes, setup_buckets as buckets, setup_counts as counts`.execute(
    tx,
  );
  return rows.map(({ classes, buckets, counts, ...sums }) => {
    const ofClass = new Array<number>(Math.max(...CLASSES) + 1).fill(0);
    for (const [i, c] of CLASSES.entries()) ofClass[c] = classes[i] as number;
    const setups = new Map<number, number>();
    for (const [i, bucket] of buckets.entries()) setups.set(bucket, (setups.get(bucket) ?? 0) + (counts[i] as number));
    return { ...sums, classes: ofClass, setups };
  });
}

/** The worker is back, and reports these calls itself. */
export async function dropLostSums(tx: Tx, runId: string, instanceId: string): Promise<void> {
  for (const table of ['call_sums', 'call_seconds'] as const)
    await tx
      .deleteFrom(table)
      .where('run_id', '=', runId)
      .where('instance_id', '=', instanceId)
      .where('lost', '=', true)
      .execute();
}

/** Set-up times are stored by bucket, not by rank. */
export type CountedStep = Omit<CallStep, 'setup' | 'setups'>;

/** The counts in steps of this many seconds. */
export const countedSteps = async (tx: Tx, runId: string, seconds: number): Promise<CountedStep[]> =>
  (
    await sql<CountedStep>`
      select date_bin(make_interval(secs => ${seconds}::int), at, 'epoch') as at, sum(started)::int as started,
        sum(answered)::int as answered, sum("left")::int as "left", sum(ended)::int as ended, sum(failed)::int as failed,
        json_build_object(${sql.join(CLASSES.map((c) => sql`${sql.lit(String(c))}, sum(${sql.ref(`class_${c}`)})`))}) as classes
      from call_seconds where run_id = ${runId}::uuid group by 1 order by 1`.execute(tx)
  ).rows;

export type SetupStep = { readonly at: Date; readonly setups: number; readonly percentiles: readonly number[] };
export type SetupCount = { readonly second: number; readonly bucket: number; readonly count: number };

/** How often set-up times of each bucket occurred in calls that were answered from then on, and have ended. */
export const endedSetups = async (tx: Tx, runId: string, since: Date): Promise<Omit<SetupCount, 'second'>[]> =>
  (
    await sql<{ bucket: number; count: number }>`
      select bucket, sum(count)::float8 as count
      from call_seconds cross join lateral unnest(setup_buckets, setup_counts) as v (bucket, count)
      where run_id = ${runId}::uuid and at >= ${since} group by 1`.execute(tx)
  ).rows;

const RANKED = sql.join(
  PERCENTILES.map((q) => sql`min(bucket) filter (where upto >= ceil(${sql.lit(q)}::float8 * total::float8))`),
);

/** For steps with answered calls: the buckets of p50, p95, p99. `open`: the buckets of open calls. */
export const setupSteps = async (
  tx: Tx,
  runId: string,
  { seconds, since }: { readonly seconds: number; readonly since: Date },
  open: readonly SetupCount[],
): Promise<SetupStep[]> =>
  (
    await sql<SetupStep>`
      with told as (
        select at, bucket, count from call_seconds cross join lateral unnest(setup_buckets, setup_counts) as v (bucket, count)
        where run_id = ${runId}::uuid and at >= ${since}
        union all select to_timestamp(second), bucket, count from unnest(${numbers(open.map((o) => o.second))}::bigint[],
          ${numbers(open.map((o) => o.bucket))}::int[], ${numbers(open.map((o) => o.count))}::int[]) as o (second, bucket, count)
      ), counted as (
        select date_bin(make_interval(secs => ${seconds}::int), at, 'epoch') as at, bucket, sum(count)::float8 as n from told group by 1, 2
      ), ranked as (
        select at, bucket, sum(n) over (partition by at order by bucket) as upto, sum(n) over (partition by at) as total
        from counted
      )
      select at, max(total)::int as setups, array[${RANKED}] as percentiles from ranked group by at order by at`.execute(
      tx,
    )
  ).rows;
