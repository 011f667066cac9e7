/**
 * The agents' noise over time, of which a folded run keeps only what is gathered: by steps the worst interval of any worker, and by
 * worker the sum of its intervals (domain/figures/gathered-noise.ts).
 */
import { type RawBuilder, sql } from 'kysely';
import type { GatheredNoise } from '../../domain/figures/gathered-noise.ts';
import type { NoiseStep } from '../../domain/figures/time-steps.ts';
import type { Tx } from '../db.ts';
import { newId } from '../new-id.ts';

const FIGURES = ['loop_delay', 'pacing_error', 'skipped', 'cpu', 'steal', 'drops'] as const;
const NAMES = sql.raw(FIGURES.join(', '));
const HIGHEST = sql.raw(FIGURES.map((name) => `max(${name}) as ${name}`).join(', '));
const HIGHER = sql.raw(FIGURES.map((name) => `${name} = greatest(s.${name}, excluded.${name})`).join(', '));

const binned = (seconds: number) => sql`date_bin(make_interval(secs => ${seconds}::int), at, 'epoch')`;

/** The figures of intervals from then on. The load is a mean with the intervals before, gathered ones as well. */
const intervals = (runId: string, which: RawBuilder<unknown>, since: Date) => sql`
  select at, loop_delay_p99_ms::float8 as loop_delay, pacing_error_p99_ms::float8 as pacing_error,
    100 * slots_skipped::float8 / nullif(slots_planned, 0) as skipped, busy * 100 as cpu, steal::float8 * 100 as steal,
    100 * receive_drops::float8 / nullif(receive_drops + received, 0) as drops
  from (
    select *, avg(thread_cpu) over (partition by worker_id order by at range between interval '9 s' preceding and current row) as busy
    from noise where run_id = ${runId}::uuid and at >= ${since}::timestamptz - interval '10 s') told
  where at >= ${since} and ${which}`;

/** The worst interval of any worker in each step. `since`: the beginning of a step. */
export const noiseSteps = async (tx: Tx, runId: string, seconds: number, since: Date): Promise<NoiseStep[]> =>
  (
    await sql<NoiseStep>`
      select ${binned(seconds)} as at, max(loop_delay) as "loopDelay", max(pacing_error) as "pacingError", max(skipped) as skipped,
        max(cpu) as cpu, max(steal) as steal, max(drops) as drops
      from (
        ${intervals(runId, sql`gathering is null`, since)}
        union all select at, ${NAMES} from noise_steps where run_id = ${runId}::uuid and at >= ${since}) told
      group by 1 order by 1`.execute(tx)
  ).rows;

/** Marks the intervals before as gathered by what it returns, and adds them to steps of so many seconds, as it does shorter steps. */
export async function gatherNoiseSteps(tx: Tx, runId: string, before: Date, stepSeconds: number): Promise<string> {
  const gathering = newId();
  await sql`
    update noise set gathering = ${gathering}::uuid
    where run_id = ${runId}::uuid and gathering is null and at < ${before}`.execute(tx);
  const step = binned(stepSeconds);
  const shorter = sql`run_id = ${runId}::uuid and at <> ${step}`;
  const add = (told: RawBuilder<unknown>) => sql`
    insert into noise_steps as s (run_id, at, ${NAMES})
    select ${runId}::uuid, ${step}, ${HIGHEST} from (${told}) told group by 2
    on conflict (run_id, at) do update set ${HIGHER}`;
  await add(sql`select at, ${NAMES} from noise_steps where ${shorter}`).execute(tx);
  await sql`delete from noise_steps where ${shorter}`.execute(tx);
  await add(intervals(runId, sql`gathering = ${gathering}::uuid`, new Date(0))).execute(tx);
  return gathering;
}

/** What is gathered of each worker. */
export const noiseSumsOf = async (tx: Tx, runId: string) =>
  (
    await sql<{ readonly id: string; readonly name: string; readonly noise: GatheredNoise }>`
      select w.id, w.name, s.noise from noise_sums s join workers w on w.id = s.worker_id
      where s.run_id = ${runId}::uuid order by w.id`.execute(tx)
  ).rows;

export const storeNoiseSum = (tx: Tx, runId: string, workerId: string, noise: GatheredNoise): Promise<unknown> =>
  sql`
    insert into noise_sums (run_id, worker_id, noise) values (${runId}::uuid, ${workerId}::uuid, ${JSON.stringify(noise)}::json)
    on conflict (run_id, worker_id) do update set noise = excluded.noise`.execute(tx);

/** Deletes gathered intervals that neither the load of later ones needs nor what the noise is now. */
export const dropGatheredNoise = (tx: Tx, runId: string): Promise<unknown> =>
  sql`
    delete from noise n using (
      select worker_id, max(at) as last from noise where run_id = ${runId}::uuid and gathering is not null group by 1) w
    where n.run_id = ${runId}::uuid and n.worker_id = w.worker_id and n.gathering is not null
      and w.last - n.at > interval '20 s'`.execute(tx);
