/**
 * The agents' noise of a run, per worker, summed as it is read: the base of a verdict (validity.ts), for runs of any
 * length. Reducers; the intervals of a worker arrive in order.
 */
import {
  BUCKETS,
  count,
  createHistogram,
  fromSparse,
  type Histogram,
  merge,
  quantile,
} from '@carillon/media/quality/histogram.ts';

/** The number of buckets of the histograms below: indices are less. */
export const HISTOGRAM_BUCKETS = BUCKETS;

/** One interval of one worker's noise. */
export type NoiseInterval = {
  readonly worker: string;
  readonly seconds: number;
  readonly pacingError: readonly number[];
  readonly slotsPlanned: number;
  readonly slotsSkipped: number;
  readonly loopDelay: readonly number[];
  /** The load of the busiest thread, from 0 to 1. */
  readonly threadCpu: number;
  /** The share of time that the hypervisor took, 0 to 1; null: the host does not report it. */
  readonly steal: number | null;
  readonly receiveDrops: number;
  readonly received: number;
  /** How often the host's clock was set. */
  readonly clockSteps: number;
  /** The seconds of it in the first minute of the agent's process. */
  readonly coldSeconds: number;
};

export type WorkerStartNoise = {
  readonly worker: string;
  readonly inviteLate: readonly number[];
  readonly actionLate: readonly number[];
  readonly planned: number;
  readonly notStarted: number;
};

/** A thread's load over the last seconds, and the highest mean over any 10 consecutive seconds. */
export type CpuWindow = { readonly rows: { seconds: number; busy: number }[]; worst: number | null };

export type WorkerNoise = {
  intervals: number;
  seconds: number;
  coldSeconds: number;
  readonly pacingError: Histogram;
  slotsPlanned: number;
  slotsSkipped: number;
  /** The same counts, from the run's own streams. */
  streamsPlanned: number;
  streamsSkipped: number;
  readonly loopDelay: Histogram;
  readonly cpu: CpuWindow;
  /** The seconds with a report of steal time. */
  stolenSeconds: number;
  stealSeconds: number;
  receiveDrops: number;
  received: number;
  clockSteps: number;
  readonly inviteLate: Histogram;
  readonly actionLate: Histogram;
  planned: number;
  notStarted: number;
};

export type NoiseTally = Map<string, WorkerNoise>;

export function addInterval(tally: NoiseTally, n: NoiseInterval): void {
  const w = workerOf(tally, n.worker);
  w.intervals++;
  w.seconds += n.seconds;
  w.coldSeconds += n.coldSeconds;
  mergePairs(w.pacingError, n.pacingError);
  w.slotsPlanned += n.slotsPlanned;
  w.slotsSkipped += n.slotsSkipped;
  mergePairs(w.loopDelay, n.loopDelay);
  w.cpu.rows.push({ seconds: n.seconds, busy: n.threadCpu * n.seconds });
  takeWindows(w.cpu, CPU_WINDOW_SECONDS);
  if (n.steal !== null) {
    w.stolenSeconds += n.steal * n.seconds;
    w.stealSeconds += n.seconds;
  }
  w.receiveDrops += n.receiveDrops;
  w.received += n.received;
  w.clockSteps += n.clockSteps;
}

export function addStart(tally: NoiseTally, s: WorkerStartNoise): void {
  const w = workerOf(tally, s.worker);
  mergePairs(w.inviteLate, s.inviteLate);
  mergePairs(w.actionLate, s.actionLate);
  w.planned += s.planned;
  w.notStarted += s.notStarted;
}

export function addSkipped(
  tally: NoiseTally,
  { worker, planned, skipped }: { readonly worker: string; readonly planned: number; readonly skipped: number },
): void {
  const w = workerOf(tally, worker);
  w.streamsPlanned += planned;
  w.streamsSkipped += skipped;
}

/** A CPU load counts when it stays high for this long. */
const CPU_WINDOW_SECONDS = 10;
/** The intervals are not exact to the millisecond. */
const NEARLY = 0.95;

/** The highest mean over any 10 consecutive seconds, in percent; for a shorter record its mean; null without any. */
export function busiest({ rows, worst }: CpuWindow): number | null {
  const rest: CpuWindow = { rows: [...rows], worst };
  if (worst === null) takeWindow(rest, 0);
  takeWindows(rest, CPU_WINDOW_SECONDS * NEARLY);
  return rest.worst;
}

function takeWindows(cpu: CpuWindow, enough: number): void {
  while (takeWindow(cpu, enough));
}

/** Evaluates the window, if it is full, and drops the first interval. */
function takeWindow(cpu: CpuWindow, enough: number): boolean {
  let seconds = 0;
  let busy = 0;
  for (const row of cpu.rows) {
    seconds += row.seconds;
    busy += row.busy;
  }
  if (seconds < enough || seconds === 0) return false;
  cpu.worst = Math.max(cpu.worst ?? 0, (busy / seconds) * 100);
  cpu.rows.shift();
  return true;
}

export function workerOf(tally: NoiseTally, worker: string): WorkerNoise {
  let found = tally.get(worker);
  if (!found) {
    found = {
      intervals: 0,
      seconds: 0,
      coldSeconds: 0,
      pacingError: createHistogram(),
      slotsPlanned: 0,
      slotsSkipped: 0,
      streamsPlanned: 0,
      streamsSkipped: 0,
      loopDelay: createHistogram(),
      cpu: { rows: [], worst: null },
      stolenSeconds: 0,
      stealSeconds: 0,
      receiveDrops: 0,
      received: 0,
      clockSteps: 0,
      inviteLate: createHistogram(),
      actionLate: createHistogram(),
      planned: 0,
      notStarted: 0,
    };
    tally.set(worker, found);
  }
  return found;
}

/** The p99 in milliseconds of a stored histogram; null: nothing was counted. */
export function p99Of(pairs: readonly number[]): number | null {
  const histogram = fromPairs(pairs);
  return count(histogram) === 0 ? null : quantile(histogram, 0.99);
}

/** Adds what is stored as pairs. */
export const mergePairs = (into: Histogram, pairs: readonly number[]): void => merge(into, fromPairs(pairs));

export const pairsOf = (h: Histogram): number[] => [...h.counts].flatMap((n, bucket) => (n === 0 ? [] : [bucket, n]));

/** The stored format is [bucket, count, bucket, count …]. */
function fromPairs(pairs: readonly number[]): Histogram {
  const bucket = pairs.filter((_, i) => i % 2 === 0);
  const counts = pairs.filter((_, i) => i % 2 === 1);
  return fromSparse({ bucket, count: counts, sum: 0, min: 0, max: Number.MAX_VALUE });
}
