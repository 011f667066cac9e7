/**
 * Computes MOS and R from counts. The delay is that of a listener: half the round trip (RTCP), one packet of audio that
 * must be complete before it is sent, and the emulated playout buffer. README.md describes the case without RTT.
 */

import type { CodecImpairment } from '../codec/impairments.ts';
import { PLAYOUT_BUFFER_MS } from '../rtp/arrival.ts';
import { MODELS, mosOn } from './scales.ts';

export type DelaySource = 'RTT' | 'RECEIVER_ONLY';

/**
 * RTT: half of the round trip is the network's share. RECEIVER_ONLY: no report arrived, and the network's share is
 * unknown and left out.
 */
export const delaySourceOf = (rttMs: number): DelaySource => (Number.isNaN(rttMs) ? 'RECEIVER_ONLY' : 'RTT');

/**
 * Absolute one-way delay Ta in ms; `rttMs` NaN if it is not known, `bufferMs` the mean delay of the emulated playout
 * buffer.
 */
export const mouthToEarMs = (rttMs: number, packetMs: number, lookAheadMs = 0, bufferMs = PLAYOUT_BUFFER_MS): number =>
  (Number.isNaN(rttMs) ? 0 : rttMs / 2) + packetMs + lookAheadMs + bufferMs;

export type LossCounts = {
  readonly expected: number;
  readonly lost: number;
  readonly lateDiscarded: number;
  /** The trusted ratio (burst-ratio.ts), over the same packets or a longer stretch of the same stream. */
  readonly burstRatio: number;
};

/**
 * The packets that are missing for the listener, in percent of those expected; a packet is either lost or late. NaN if
 * none was expected.
 */
export const pplPercent = (c: Pick<LossCounts, 'expected' | 'lost' | 'lateDiscarded'>): number =>
  c.expected > 0 ? Math.min(100, (100 * (Math.max(0, c.lost) + c.lateDiscarded)) / c.expected) : Number.NaN;

/**
 * R on the codec's own scale with the known delay; NaN if nothing was expected, and for media that are not rated
 * (null).
 */
export function conversationalR(
  codec: CodecImpairment | null,
  c: LossCounts,
  rttMs: number,
  packetMs: number,
  bufferMs = PLAYOUT_BUFFER_MS,
): number {
  return rated(codec, c, codec ? mouthToEarMs(rttMs, packetMs, codec.lookAheadMs, bufferMs) : 0);
}

/** R for listening only, without delay. */
export const listeningR = (codec: CodecImpairment | null, c: LossCounts): number => rated(codec, c, 0);

function rated(codec: CodecImpairment | null, c: LossCounts, taMs: number): number {
  const ppl = pplPercent(c);
  if (codec === null || Number.isNaN(ppl)) return Number.NaN;
  const { ie, bpl, scale } = codec;
  return MODELS[scale].rFactor({ ie, bpl, pplPercent: ppl, burstRatio: c.burstRatio, taMs });
}

/** MOS for a rating of this codec, on its scale; NaN for NaN. */
export const mosOf = (codec: CodecImpairment | null, r: number): number =>
  codec === null ? Number.NaN : mosOn(codec.scale, r);
