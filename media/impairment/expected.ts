/**
 * The figures that streams after an impairment must report, each with an interval that it misses once in several
 * thousand runs. They are computed from the model, not simulated. Shares are in percent.
 */

import type { CodecImpairment } from '../codec/impairments.ts';
import { BURST_RATIO_MAX, BURST_RATIO_MIN_RUNS } from '../quality/burst-ratio.ts';
import { listeningR, mosOf } from '../quality/rating.ts';
import { delayDistribution } from './delay-distribution.ts';
import { type DelayChange, delayChange, lateShare } from './delay-expected.ts';
import type { Impairment } from './impairment.ts';
import { DISTURBED_MS, LATE_AFTER_MS } from './injected.ts';
import { OVERTAKEN_AFTER } from './model.ts';

/** Deviations of a normal figure that one in 10,000 misses. */
export const ONE_IN_10_000 = 3.891;

export type Interval = { readonly nominal: number; readonly low: number; readonly high: number };

/** The observations that the figures rest on. */
export type Observation = {
  readonly streams: number;
  /** Packets of one stream that reached the impairment. */
  readonly packets: number;
  readonly packetMs: number;
  /** The mean of J before the impairment, ms: the jitter of the host itself. */
  readonly noiseMs: number;
  /** The share that reached the impairment more than `DISTURBED_MS` late, percent; the host also causes this. */
  readonly disturbedPercent: number;
  /** The share of packets that the sender left out, percent: a packet that is not sent overtakes none. */
  readonly skippedPercent: number;
  readonly codec: CodecImpairment;
  /** Half an interval in standard deviations. */
  readonly deviations: number;
};

export type Expected = {
  readonly lossPercent: Interval;
  /** Includes late packets; null: too few packets are missing, or lateness decides. */
  readonly burstRatio: Interval | null;
  /**
   * The mean of J over the packets of a stream. Null: no closed form exists (jitter as long as half a packet time, and
   * reordering).
   */
  readonly jitterMs: Interval | null;
  /** The packets that the playout buffer discarded, as a share of the expected packets. */
  readonly latePercent: Interval;
  /** The share of the packets that arrived at least once. */
  readonly duplicatePercent: Interval;
  readonly reorderedPercent: Interval | null;
  /** The mean MOS-LQ of the streams. */
  readonly mosLq: Interval;
};

/** J gives recent changes the most weight: means over nearly the same changes differ little. */
const NOISE_SPREAD = 1.05;

/**
 * Late packets are missing too, each as a run of its own. They are few compared with lost ones, so the mean length
 * hardly changes.
 */
const NEGLIGIBLE = 0.02;

const NOTHING: Interval = { nominal: 0, low: 0, high: 0 };

/** The interval in which a share of `p` may lie among `n`; wider than a normal interval for small counts. */
function shareInterval(p: number, n: number, { deviations: z }: Observation): Interval {
  const half = z * Math.sqrt((p * (1 - p)) / n) + z ** 2 / (2 * n);
  return { nominal: 100 * p, low: 100 * Math.max(0, p - half), high: 100 * Math.min(1, p + half) };
}

/**
 * RFC 3550's J starts at 0 and covers a sixteenth of the remaining distance with each packet. This is the mean of J
 * over `n` packets, as a share of its final value.
 */
const meanOfJ = (n: number): number => (n > 0 ? 1 - (15 * (1 - (15 / 16) ** n)) / n : 0);

export function expectedFigures(impairment: Impairment, seen: Observation): Expected {
  const loss = impairment.lossPercent / 100;
  const all = seen.streams * seen.packets;
  const arrived = all * (1 - loss);
  const lossPercent = lossInterval(impairment, seen);
  const latePercent = lateInterval(impairment, seen);
  const delayedByHost = seen.disturbedPercent > impairment.lossPercent * NEGLIGIBLE;
  const burstRatio = latePercent.nominal > 0 || delayedByHost ? null : burstInterval(impairment, seen);
  const duplicated = impairment.duplicatePercent / 100;
  // If the next packet is lost, no packet overtakes.
  const reordered = (impairment.reorderPercent / 100) * (1 - loss / impairment.burstRatio);
  const tangled = impairment.reorderPercent > 0 && widthMs(impairment) > seen.packetMs / 2;
  return {
    lossPercent,
    burstRatio,
    jitterMs: tangled ? null : jitterInterval(impairment, seen),
    latePercent,
    duplicatePercent: duplicated === 0 ? NOTHING : shareInterval(duplicated, arrived, seen),
    reorderedPercent: reordered === 0 ? NOTHING : tangled ? null : overtakenInterval(reordered, arrived, seen),
    mosLq: mosInterval(impairment, seen, lossPercent, latePercent, burstRatio),
  };
}

function overtakenInterval(p: number, n: number, seen: Observation): Interval {
  const interval = shareInterval(p, n, seen);
  const { low } = shareInterval(p * (1 - Math.min(1, (seen.skippedPercent + seen.disturbedPercent) / 100)), n, seen);
  return { ...interval, low };
}

const widthMs = ({ jitterDistribution, jitterMs }: Impairment): number =>
  delayDistribution(jitterDistribution).greatest * jitterMs;

function lossInterval({ lossPercent, burstRatio }: Impairment, seen: Observation): Interval {
  if (lossPercent === 0) return NOTHING;
  const p = lossPercent / 100;
  // Gilbert's chain has a memory: it takes (1 + r) / (1 - r) times as many packets for the same information, with r = 1 - 1 / B.
  const interval = shareInterval(p, (seen.streams * seen.packets) / (2 * burstRatio - 1), seen);
  // Losses before the first packet and after the last cannot be detected.
  const unseen = (100 * 2 * p * burstRatio) / (1 - p) / seen.packets;
  return { ...interval, low: Math.max(0, interval.low - unseen) };
}

function burstInterval({ lossPercent, burstRatio }: Impairment, seen: Observation): Interval | null {
  const p = lossPercent / 100;
  const toGood = (1 - p) / burstRatio;
  const runs = seen.streams * seen.packets * p * toGood;
  if (runs < BURST_RATIO_MIN_RUNS) return null;
  const ofLoss = (p * (2 * burstRatio - 1)) / (1 - p) / (seen.streams * seen.packets);
  const half = seen.deviations * burstRatio * Math.sqrt((1 - toGood) / runs + ofLoss);
  return {
    nominal: burstRatio,
    low: Math.max(1, burstRatio - half),
    high: Math.min(BURST_RATIO_MAX, burstRatio + half),
  };
}

function lateInterval(impairment: Impairment, seen: Observation): Interval {
  const width = widthMs(impairment);
  const leap = impairment.reorderPercent > 0 ? OVERTAKEN_AFTER * seen.packetMs : 0;
  const disturbed = seen.disturbedPercent;
  if (width + leap + DISTURBED_MS <= LATE_AFTER_MS) return { ...NOTHING, high: disturbed };
  const p = impairment.lossPercent / 100;
  const packets = Math.round(seen.packets * (1 - p));
  const shareAfter = (ms: number): number => lateShare(impairment, seen.packetMs, packets, ms);
  const nominal = shareAfter(LATE_AFTER_MS);
  const noise = 2 * seen.noiseMs;
  // One spike also makes the following packets late: late packets come in clusters, and the number of clusters counts.
  // The minimum of each stream adds to it.
  const cluster = 2 + Math.max(0, Math.floor((width - LATE_AFTER_MS) / seen.packetMs));
  const of = (share: number): Interval => shareInterval(share * (1 - p), (seen.streams * packets) / cluster, seen);
  return {
    nominal: 100 * nominal * (1 - p),
    low: Math.max(0, of(shareAfter(LATE_AFTER_MS + noise)).low - disturbed),
    high: Math.min(100, of(shareAfter(Math.max(0, LATE_AFTER_MS - noise))).high + disturbed),
  };
}

function jitterInterval(impairment: Impairment, seen: Observation): Interval {
  const reorder = impairment.reorderPercent / 100;
  const received = seen.packets * (1 - impairment.lossPercent / 100);
  const { mean, meanSquare }: DelayChange =
    impairment.jitterMs > 0 ? delayChange(impairment, seen.packetMs) : { mean: 0, meanSquare: 0 };
  // The values change on entry to a reordered packet and on exit.
  const leap = OVERTAKEN_AFTER * seen.packetMs;
  const change = (1 - 2 * reorder) * mean + 2 * reorder * leap;
  const variance = (1 - 2 * reorder) * meanSquare + 2 * reorder * (leap ** 2 + meanSquare) - change ** 2;
  // Neighbours share a delay, and a queue keeps its delay as long as it is full.
  const dependent = 3 + 2 * Math.floor(widthMs(impairment) / seen.packetMs);
  const half = seen.deviations * Math.sqrt((Math.max(0, variance) * dependent) / (seen.streams * received));
  // A lost packet turns two changes into one, which is at most their sum.
  const noise = (NOISE_SPREAD * seen.noiseMs) / (1 - impairment.lossPercent / 100);
  const goal = meanOfJ(received - 1);
  return {
    nominal: goal * change,
    low: Math.max(0, goal * (change - half) - noise),
    high: goal * (change + half) + noise,
  };
}

function mosInterval(
  impairment: Impairment,
  seen: Observation,
  loss: Interval,
  late: Interval,
  burst: Interval | null,
): Interval {
  const runs = (seen.packets * (loss.nominal / 100) * (1 - loss.nominal / 100)) / impairment.burstRatio;
  // Single streams have their own ratio, and no ratio while they have too few runs.
  const trusted = runs > BURST_RATIO_MIN_RUNS + seen.deviations * Math.sqrt(runs);
  const spread = 1 + 1 / Math.sqrt(Math.max(1, runs));
  const highest = burst === null ? (late.high > 0 ? 2 : 1) : Math.min(BURST_RATIO_MAX, burst.high * spread);
  const mosAt = (losses: number, lates: number, burstRatio: number): number => {
    const counts = { expected: 100, lost: losses, lateDiscarded: lates, burstRatio };
    return mosOf(seen.codec, listeningR(seen.codec, counts));
  };
  return {
    nominal: mosAt(loss.nominal, late.nominal, runs > BURST_RATIO_MIN_RUNS ? impairment.burstRatio : 1),
    low: mosAt(loss.high, late.high, highest),
    high: mosAt(loss.low, late.low, trusted ? (burst?.low ?? 1) : 1),
  };
}
