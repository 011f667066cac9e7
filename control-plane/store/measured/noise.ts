/** The agents' own noise: the base of a run's verdict. */
import { sql } from 'kysely';
import { p99Of } from '../../domain/figures/noise-tally.ts';
import { EVERY_INSTANCE, GATHERED, type StartReport } from '../../domain/figures/start-reports.ts';
import type { NoiseFact, StartNoiseFact } from '../../domain/run/facts.ts';
import { OPEN_INSTANCE_STATUSES } from '../../domain/run/instance-machine.ts';
import { numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { NIL } from '../new-id.ts';

/** A worker's noise belongs to every run that it carried at the time. */
export async function insertNoise(
  tx: Tx,
  runIds: readonly string[],
  workerId: string,
  rows: readonly NoiseFact[],
): Promise<void> {
  for (const r of rows) {
    await sql`
      insert into noise (run_id, worker_id, at, seconds, pacing_error, slots_planned, slots_skipped, loop_delay, thread_cpu,
        steal, receive_drops, received, clock_steps, stamps, cold_seconds, loop_delay_p99_ms, pacing_error_p99_ms)
      select run_id, ${workerId}::uuid, to_timestamp(${r.unixMs}::float8 / 1000), ${r.seconds}, ${numbers(r.pacingError)}::int[],
        ${r.slotsPlanned}, ${r.slotsSkipped}, ${numbers(r.loopDelay)}::int[], ${r.threadCpu},
        ${Number.isNaN(r.steal) ? null : r.steal}::real, ${r.receiveDrops}, ${r.received}, ${r.clockSteps}, ${r.stamps}, ${r.coldSeconds},
        ${p99Of(r.loopDelay)}::real, ${p99Of(r.pacingError)}::real
      from unnest(${texts(runIds)}::uuid[]) as run_id
      on conflict do nothing`.execute(tx);
  }
}

export const insertStartNoise = (
  tx: Tx,
  runId: string,
  instanceId: string,
  batch: number,
  n: StartNoiseFact,
): Promise<unknown> =>
  tx
    .insertInto('start_noise')
    .values({
      run_id: runId,
      instance_id: instanceId,
      batch,
      at: n.unixMs === null ? null : new Date(n.unixMs),
      invite_late: sql`${numbers(n.inviteLate)}::int[]`,
      action_late: sql`${numbers(n.actionLate)}::int[]`,
      planned: n.planned,
      started: n.started,
      not_started: n.notStarted,
      held_back: n.heldBack,
      no_free_endpoint: n.noFreeEndpoint,
    })
    .onConflict((c) => c.doNothing())
    .execute();

/**
 * Takes out what instances reported before, with what was gathered of them and of steps of so many seconds until then. Citus returns from a
 * write only what is immutable: parts of an interval are, unlike those of an instant.
 */
export async function takeStartNoise(tx: Tx, runId: string, before: Date, stepSeconds: number): Promise<StartReport[]> {
  const step = sql`date_bin(make_interval(secs => ${stepSeconds}::int), at, 'epoch')`;
  const old = sql`run_id = ${runId}::uuid and coalesce(at < ${before}, batch > ${GATHERED})
    and (instance_id <> ${EVERY_INSTANCE}::uuid or at <> ${step})`;
  const { rows } = await sql<StartReport>`
    delete from start_noise where run_id = ${runId}::uuid and (${old}
      or instance_id = ${EVERY_INSTANCE}::uuid and at in (select ${step} from start_noise where ${old})
      or batch = ${GATHERED} and instance_id in (select instance_id from start_noise where ${old}))
    returning instance_id as "instanceId", (extract(epoch from at - timestamptz 'epoch') * 1000)::float8 as "unixMs",
      invite_late as "inviteLate", action_late as "actionLate", planned, started, not_started as "notStarted",
      held_back as "heldBack", no_free_endpoint as "noFreeEndpoint"`.execute(tx);
  return rows;
}

/** The number of rows in memory at a time. */
const CHUNK = 500;

/**
 * Yields rows by worker and time, chunk by chunk: a long run has more than fits into memory. `gathering`: what gathered them; null: nothing
 * did yet.
 */
export async function* noiseOfRun(tx: Tx, runId: string, gathering: string | null = null, chunk = CHUNK) {
  let after: { worker: string; at: string } = { worker: NIL, at: '-infinity' };
  for (;;) {
    const rows = await tx
      .selectFrom('noise as n')
      .innerJoin('workers as w', 'w.id', 'n.worker_id')
      .where('n.run_id', '=', runId)
      .where('n.gathering', 'is not distinct from', gathering)
      .where(sql<boolean>`(n.worker_id, n.at) > (${after.worker}::uuid, ${after.at}::timestamptz)`)
      .selectAll('n')
      // The cursor is text because a Date has no microseconds.
      .select(['w.name as workerName', sql<string>`n.at::text`.as('cursor')])
      .orderBy('n.worker_id')
      .orderBy('n.at')
      .limit(chunk)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunk) return;
    after = { worker: last.worker_id, at: last.cursor };
  }
}

export async function* startNoiseOfRun(tx: Tx, runId: string, chunk = CHUNK) {
  let after: { instance: string; batch: number } = { instance: NIL, batch: 0 };
  for (;;) {
    const rows = await tx
      .selectFrom('start_noise as s')
      .innerJoin('sub_population_instances as i', (join) =>
        join.onRef('i.run_id', '=', 's.run_id').onRef('i.id', '=', 's.instance_id'),
      )
      .innerJoin('workers as w', 'w.id', 'i.worker_id')
      .where('s.run_id', '=', runId)
      .where(sql<boolean>`(s.instance_id, s.batch) > (${after.instance}::uuid, ${after.batch})`)
      .selectAll('s')
      .select('w.name as workerName')
      .orderBy('s.instance_id')
      .orderBy('s.batch')
      .limit(chunk)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < chunk) return;
    after = { instance: last.instance_id, batch: last.batch };
  }
}

export type StreamNoise = { readonly worker: string; readonly skipped: number; readonly planned: number };

/** The packets that the run's ended streams did not send because they were too late, out of those planned, by worker. */
export const skippedOfRun = async (
  tx: Tx,
  { id: runId, isFolded }: { readonly id: string; readonly isFolded: boolean },
): Promise<StreamNoise[]> => {
  const ofStreams = isFolded
    ? sql`select i.worker_id, coalesce((c.streams ->> 'skipped')::float8, 0) as skipped, (c.streams ->> 'packetsSent')::float8 as sent
        from call_sums c join sub_population_instances i on i.run_id = c.run_id and i.id = c.instance_id
        where c.run_id = ${runId}::uuid and c.streams is not null`
    : sql`select e.worker_id, s.sends_skipped as skipped, s.packets_sent as sent
        from streams s join endpoints e on e.run_id = s.run_id and e.number = s.endpoint_number
        where s.run_id = ${runId}::uuid`;
  const { rows } = await sql<StreamNoise>`
    select w.name as worker, sum(skipped)::float8 as skipped, sum(sent + skipped)::float8 as planned
    from (${ofStreams}) as s join workers w on w.id = s.worker_id group by w.name`.execute(tx);
  return rows;
};

/** The noise of these workers since then, in the organization's runs: by worker and time, each interval once. */
export const noiseOfWorkers = (tx: Tx, organizationId: string, workerIds: readonly string[], since: Date) =>
  tx
    .selectFrom('sub_population_instances as i')
    .innerJoin('test_runs as r', 'r.id', 'i.run_id')
    .innerJoin('noise as n', (join) => join.onRef('n.run_id', '=', 'i.run_id').onRef('n.worker_id', '=', 'i.worker_id'))
    .where(sql<boolean>`i.worker_id = any (${texts(workerIds)}::uuid[])`)
    .where('i.status', 'in', OPEN_INSTANCE_STATUSES)
    .where('r.organization_id', '=', organizationId)
    .where('n.at', '>', since)
    .distinctOn(['n.worker_id', 'n.at'])
    .selectAll('n')
    .orderBy('n.worker_id')
    .orderBy('n.at')
    .execute();
