/**
 * Figures of the received stream from a row's columns, beyond its counts: delay variation, bursts, and the two emulated
 * buffers.
 */

import { impairmentOf } from '@carillon/media/codec/audio-codecs.ts';
import { trustedBurstRatio } from '@carillon/media/quality/burst-ratio.ts';
import { gapBurst } from '@carillon/media/quality/gap-burst.ts';
import { conversationalR, mosOf } from '@carillon/media/quality/rating.ts';
import { adaptiveSumMs } from '@carillon/media/rtp/adaptive-playout.ts';
import { PLAYOUT_BUFFER_MS } from '@carillon/media/rtp/arrival.ts';
import { variationCount, variationMs } from '@carillon/media/rtp/delay-variation.ts';
import { lostPackets, numberedPackets } from '@carillon/media/rtp/receive-columns.ts';
import { farEndPacketMs } from './far-end-packets.ts';
import { CODECS, type MediaMemory } from './stream-memory.ts';

/** RFC 5481: delay above the smallest one. `maxMs` is that of RFC 3393, from one packet to the next. NaN: not measured. */
export type DelayVariation = {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

/** RFC 3611, 4.7.2, with Gmin 16. Densities 0 to 1. */
export type BurstFigures = {
  readonly bursts: number;
  readonly burstDensity: number;
  readonly gapDensity: number;
  readonly burstMs: number;
  readonly gapMs: number;
};

export type PlayoutFigures = {
  readonly discarded: number;
  readonly plcEvents: number;
  readonly plcMs: number;
  readonly plcMaxMs: number;
  /** The mean length of the buffer, above the fastest packet. */
  readonly bufferMs: number;
  /** Rating by a listener after this buffer, on the stream's scale. */
  readonly mos: number;
};

export type ReceivedFigures = {
  readonly delayVariation: DelayVariation;
  readonly bursts: BurstFigures;
  readonly fixed: PlayoutFigures;
  readonly adaptive: PlayoutFigures;
};

/** Video: frames wait for one another, not for a listener's clock. */
const NO_PLAYOUT: PlayoutFigures = {
  discarded: Number.NaN,
  plcEvents: Number.NaN,
  plcMs: Number.NaN,
  plcMaxMs: Number.NaN,
  bufferMs: Number.NaN,
  mos: Number.NaN,
};

/** What a playout buffer did: packets that came too late, and missing ones, their runs and the longest run. */
type Playout = {
  readonly discarded: number;
  readonly missing: number;
  readonly runs: number;
  readonly longest: number;
  readonly bufferMs: number;
};

export function receivedFigures(memory: MediaMemory, row: number, rttMs: number): ReceivedFigures {
  const { streams: s, received: r } = memory;
  const isVideo = r.frameTimed[row] !== 0;
  // Video packets have no duration.
  const packetMs = isVideo ? Number.NaN : farEndPacketMs(memory, row);
  // The rating covers what was sent: time without sent packets is no loss.
  const expected = numberedPackets(r, row);
  const lost = lostPackets(r, row);
  const codec = impairmentOf(CODECS[s.codec[row]!]!);
  const clusters = gapBurst(r, row, expected, r.missing[row]!);
  const heard = variationCount(r, row);
  const playout = ({ discarded, missing, runs, longest, bufferMs }: Playout): PlayoutFigures => {
    if (isVideo) return NO_PLAYOUT;
    const burstRatio = trustedBurstRatio(missing, runs, expected);
    const rFactor = conversationalR(
      codec,
      { expected, lost, lateDiscarded: discarded, burstRatio },
      rttMs,
      packetMs,
      bufferMs,
    );
    return {
      discarded,
      plcEvents: runs,
      plcMs: missing * packetMs,
      plcMaxMs: longest * packetMs,
      bufferMs,
      mos: mosOf(codec, rFactor),
    };
  };
  return {
    delayVariation: {
      p50Ms: variationMs(r, row, 0.5),
      p95Ms: variationMs(r, row, 0.95),
      p99Ms: variationMs(r, row, 0.99),
      maxMs: heard > 0 ? r.variationMax[row]! / r.unitsPerMs[row]! : Number.NaN,
    },
    bursts: {
      bursts: clusters.bursts,
      burstDensity: clusters.burstDensity,
      gapDensity: clusters.gapDensity,
      burstMs: clusters.meanBurstPackets * packetMs,
      gapMs: clusters.meanGapPackets * packetMs,
    },
    fixed: playout({
      discarded: r.lateDiscarded[row]!,
      missing: r.missing[row]!,
      runs: r.missingRuns[row]!,
      longest: r.longestMissingRun[row]!,
      bufferMs: PLAYOUT_BUFFER_MS,
    }),
    adaptive: playout({
      discarded: r.adaptiveLate[row]!,
      missing: r.adaptiveMissing[row]!,
      runs: r.adaptiveMissingRuns[row]!,
      longest: r.adaptiveLongestMissingRun[row]!,
      bufferMs: heard > 0 ? adaptiveSumMs(r, row) / heard : Number.NaN,
    }),
  };
}
