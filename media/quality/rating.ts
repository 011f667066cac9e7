/**
 * From what was counted to MOS and R. The delay is what a listener would have: half the round trip (RTCP), one packet of
 * audio that must be complete before it is sent, and the emulated playout buffer. See README.md for the case without RTT.
 */
import { PLAYOUT_BUFFER_MS } from '../rtp/arrival.ts';
import type { CodecImpairment } from './codec-impairments.ts';
import { mosOfR, rFactor } from './e-model.ts';

/** What the delay in a rating rests on. */
export type DelaySource = 'RTT' | 'RECEIVER_ONLY';

/** RTT: half of the round trip is the network's share. RECEIVER_ONLY: no report ever came, the network's share is unknown and left out. */
export const delaySourceOf = (rttMs: number): DelaySource => (Number.isNaN(rttMs) ? 'RECEIVER_ONLY' : 'RTT');

/** Absolute one-way delay Ta in ms; `rttMs` NaN where it is not known. */
export const mouthToEarMs = (rttMs: number, packetMs: number): number =>
  (Number.isNaN(rttMs) ? 0 : rttMs / 2) + packetMs + PLAYOUT_BUFFER_MS;

export type LossCounts = {
  readonly expected: number;
  readonly lost: number;
  readonly lateDiscarded: number;
  /** Trusted ratio (burst-ratio.ts), over the same packets or a longer stretch of the same stream. */
  readonly burstRatio: number;
};

/** Packets that a listener misses, percent of the expected: lost and late ones exclude each other. NaN when none was expected. */
export const pplPercent = (c: Pick<LossCounts, 'expected' | 'lost' | 'lateDiscarded'>): number =>
  c.expected > 0 ? Math.min(100, (100 * (Math.max(0, c.lost) + c.lateDiscarded)) / c.expected) : Number.NaN;

/** R with the delay that is known, NaN when nothing was expected. */
export function conversationalR(codec: CodecImpairment, c: LossCounts, rttMs: number, packetMs: number): number {
  const ppl = pplPercent(c);
  if (Number.isNaN(ppl)) return Number.NaN;
  const taMs = mouthToEarMs(rttMs, packetMs);
  return rFactor({ ie: codec.ie, bpl: codec.bpl, pplPercent: ppl, burstRatio: c.burstRatio, taMs });
}

/** R of listening alone: no delay at all. */
export function listeningR(codec: CodecImpairment, c: LossCounts): number {
  const ppl = pplPercent(c);
  if (Number.isNaN(ppl)) return Number.NaN;
  return rFactor({ ie: codec.ie, bpl: codec.bpl, pplPercent: ppl, burstRatio: c.burstRatio, taMs: 0 });
}

/** MOS of a rating, NaN of NaN. */
export const mosOrNaN = (r: number): number => (Number.isNaN(r) ? Number.NaN : mosOfR(r));
