/** Whole streams, added up as they end: the same as store/measured/streams.ts computes from their rows. Pure. */
import type { MosScale } from '../../contract/run/measured-words.ts';
import type { RunTotals, ScaleFigures } from '../figures/figures.ts';
import type { StreamFact } from '../run/facts.ts';

const COUNTED = {
  packetsSent: 'packetsSent',
  skipped: 'sendsSkipped',
  packetsReceived: 'packetsReceived',
  expected: 'expected',
  lost: 'lost',
  absent: 'absent',
  paused: 'paused',
  discarded: 'discarded',
  plcEvents: 'plcEvents',
  nack: 'nackCount',
  pli: 'pliCount',
  fir: 'firCount',
} as const satisfies Partial<Record<keyof RunTotals | 'skipped', keyof StreamFact>>;
const NAMES = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

type Mean = { count: number; sum: number; max: number | null };
type Rated = { streams: number; mosSum: number; minMos: number; rSum: number; minR: number };
/** Plain data, as it is stored. */
export type StreamSums = Record<keyof typeof COUNTED | 'streams' | 'withFeedback' | 'lossStreams', number> & {
  jitter: Mean;
  rtt: Mean;
  scales: Partial<Record<MosScale, Rated>>;
};

const noMean = (): Mean => ({ count: 0, sum: 0, max: null });

export const noStreams = (): StreamSums => ({
  streams: 0,
  withFeedback: 0,
  lossStreams: 0,
  packetsSent: 0,
  skipped: 0,
  packetsReceived: 0,
  expected: 0,
  lost: 0,
  absent: 0,
  paused: 0,
  discarded: 0,
  plcEvents: 0,
  nack: 0,
  pli: 0,
  fir: 0,
  jitter: noMean(),
  rtt: noMean(),
  scales: {},
});

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);
const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

export function addStream(sums: StreamSums, f: StreamFact): void {
  sums.streams += 1;
  sums.withFeedback += Number(f.feedback);
  sums.lossStreams += Number(f.expected > f.absent + f.paused);
  for (const name of NAMES) sums[name] += orZero(f[COUNTED[name]]);
  addMean(sums.jitter, Number(!Number.isNaN(f.jitterMeanMs)), orZero(f.jitterMeanMs), orNull(f.jitterMaxMs));
  addMean(sums.rtt, Number(!Number.isNaN(f.rttMeanMs)), orZero(f.rttMeanMs), orNull(f.rttMaxMs));
  if (f.scale === null || Number.isNaN(f.mos)) return;
  addRated(sums.scales, f.scale, { streams: 1, mosSum: f.mos, minMos: f.mos, rSum: f.rFactor, minR: f.rFactor });
}

export function addStreams(sums: StreamSums, from: StreamSums): void {
  sums.streams += from.streams;
  sums.withFeedback += from.withFeedback;
  sums.lossStreams += from.lossStreams;
  // The sums of older control planes lack some names.
  for (const name of NAMES) sums[name] = (sums[name] ?? 0) + (from[name] ?? 0);
  for (const mean of ['jitter', 'rtt'] as const) {
    const { count, sum, max } = from[mean];
    addMean(sums[mean], count, sum, max);
  }
  for (const [scale, rated] of Object.entries(from.scales)) addRated(sums.scales, scale as MosScale, rated);
}

function addMean(mean: Mean, count: number, sum: number, max: number | null): void {
  mean.count += count;
  mean.sum += sum;
  if (max !== null) mean.max = Math.max(mean.max ?? max, max);
}

function addRated(scales: StreamSums['scales'], scale: MosScale, one: Rated): void {
  const known = scales[scale];
  scales[scale] =
    known === undefined
      ? { ...one }
      : {
          streams: known.streams + one.streams,
          mosSum: known.mosSum + one.mosSum,
          minMos: Math.min(known.minMos, one.minMos),
          rSum: known.rSum + one.rSum,
          minR: Math.min(known.minR, one.minR),
        };
}

const meanOf = ({ count, sum }: Mean): number | null => (count === 0 ? null : sum / count);

export const totalsOf = ({ jitter, rtt, scales: _, ...counts }: StreamSums): RunTotals => ({
  ...counts,
  jitterStreams: jitter.count,
  jitterAvg: meanOf(jitter),
  jitterMax: jitter.max,
  rttStreams: rtt.count,
  rttAvg: meanOf(rtt),
  rttMax: rtt.max,
});

export const scaleFigures = ({ scales }: StreamSums): ScaleFigures[] =>
  Object.entries(scales).map(([scale, { streams, mosSum, minMos, rSum, minR }]) => ({
    scale: scale as MosScale,
    streams,
    avgMos: mosSum / streams,
    minMos,
    avgRFactor: rSum / streams,
    minRFactor: minR,
  }));
