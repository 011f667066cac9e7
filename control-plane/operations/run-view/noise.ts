/** The agents' own noise: as a run's verdict takes it, and as it is now. */
import type { Validity } from '../../contract/run/validity.ts';
import { addInterval, type NoiseInterval, type NoiseTally } from '../../domain/figures/noise-tally.ts';
import { judge } from '../../domain/figures/validity.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { noiseOfWorkers } from '../../store/measured/noise.ts';

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
