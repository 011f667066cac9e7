/** The intervals of one worker's noise, gathered as they are stored: adding later ones gives what adding all of them gives. Pure. */
import { type CpuWindow, mergePairs, type NoiseTally, pairsOf, type WorkerNoise, workerOf } from './noise-tally.ts';

const SUMS = [
  'intervals',
  'seconds',
  'coldSeconds',
  'slotsPlanned',
  'slotsSkipped',
  'stolenSeconds',
  'stealSeconds',
  'receiveDrops',
  'received',
  'clockSteps',
] as const;

/** Delays are [bucket, count, bucket, count …]. */
export type GatheredNoise = Readonly<Record<(typeof SUMS)[number], number>> & {
  readonly pacingError: readonly number[];
  readonly loopDelay: readonly number[];
  readonly cpu: CpuWindow;
};

export const gathered = (w: WorkerNoise): GatheredNoise => ({
  ...(Object.fromEntries(SUMS.map((name) => [name, w[name]])) as Record<(typeof SUMS)[number], number>),
  pacingError: pairsOf(w.pacingError),
  loopDelay: pairsOf(w.loopDelay),
  cpu: w.cpu,
});

/** Before the worker's other intervals. */
export function addGathered(tally: NoiseTally, worker: string, noise: GatheredNoise): void {
  const w = workerOf(tally, worker);
  for (const name of SUMS) w[name] += noise[name];
  mergePairs(w.pacingError, noise.pacingError);
  mergePairs(w.loopDelay, noise.loopDelay);
  w.cpu.rows.push(...noise.cpu.rows);
  if (noise.cpu.worst !== null) w.cpu.worst = Math.max(w.cpu.worst ?? 0, noise.cpu.worst);
}
