/** The agents' own noise: as a run's verdict takes it, and as it is now. */
import type { Validity } from '../../contract/run/validity.ts';
import { addGathered } from '../../domain/figures/gathered-noise.ts';
import { addInterval, type NoiseInterval, type NoiseTally } from '../../domain/figures/noise-tally.ts';
import { judge } from '../../domain/figures/validity.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { noiseSumsOf } from '../../store/measured/gathered-noise.ts';
import { noiseOfRun, noiseOfWorkers } from '../../store/measured/noise.ts';

/** CPU is judged over 10 s, and agents report with a delay. */
const RECENT_SECONDS = 20;

type Row = Awaited<ReturnType<typeof noiseOfWorkers>>[number];

export const intervalOf = (n: Row, worker: string): NoiseInterval => ({
  worker,
  seconds: n.seconds,
  pacingError: n.pacing_error,
  slotsPlanned: n.slots_planned,
  slotsSkipped: n.slots_skipped,
  loopDelay: n.loop_delay,
  threadCpu: n.thread_cpu,
  steal: n.steal,
  receiveDrops: n.receive_drops,
  received: n.received,
  clockSteps: n.clock_steps,
  coldSeconds: n.cold_seconds,
});

/** The noise of all intervals of the run, gathered ones as well. */
export async function noiseOfIntervals(tx: Tx, runId: string): Promise<NoiseTally> {
  const tally: NoiseTally = new Map();
  for (const { name, noise } of await noiseSumsOf(tx, runId)) addGathered(tally, name, noise);
  for await (const n of noiseOfRun(tx, runId)) addInterval(tally, intervalOf(n, n.workerName));
  return tally;
}

type WorkerName = { readonly id: string; readonly name: string };

/** The noise by the worker's id; a worker that carries no run of the organization is missing. */
export async function noiseNow(
  ports: Ports,
  organizationId: string,
  workers: readonly WorkerName[],
): Promise<ReadonlyMap<string, Validity>> {
  const since = secondsAfter(ports.now(), -RECENT_SECONDS);
  const ids = workers.map((w) => w.id);
  const rows = await noiseOfWorkers(ports.database.db, organizationId, ids, since);
  return new Map(
    workers.flatMap(({ id, name }) => {
      const tally: NoiseTally = new Map();
      for (const row of rows) if (row.worker_id === id) addInterval(tally, intervalOf(row, name));
      return tally.size === 0 ? [] : [[id, judge(tally)]];
    }),
  );
}
