/** VoIP metrics (RFC 3611, 4.7): ours about the far end's stream, and the far end's about ours. */

import { impairmentOf } from '@carillon/media/codec/audio-codecs.ts';
import { trustedBurstRatio } from '@carillon/media/quality/burst-ratio.ts';
import { fractionByte, gapBurst } from '@carillon/media/quality/gap-burst.ts';
import { conversationalR, listeningR, mosOf, mouthToEarMs } from '@carillon/media/quality/rating.ts';
import { UNAVAILABLE, type VoipMetrics } from '@carillon/media/rtcp/extended-report.ts';
import { PLAYOUT_BUFFER_MS } from '@carillon/media/rtp/arrival.ts';
import { GMIN } from '@carillon/media/rtp/missing-clusters.ts';
import { numberedPackets } from '@carillon/media/rtp/receive-columns.ts';
import { farEndPacketMs } from '../figures/far-end-packets.ts';
import { CODECS, type MediaMemory, type StreamMemoryColumns } from '../figures/stream-memory.ts';

/** Standard concealment, non-adaptive buffer (4.7.6): the basis of our figures. */
const CONCEALING_FIXED_BUFFER = 0xe0;

const milliseconds = (ms: number): number => (ms > 0 ? Math.min(0xffff, Math.round(ms)) : 0);
const tenths = (mos: number): number => (Number.isNaN(mos) ? UNAVAILABLE : Math.round(mos * 10));

/**
 * Null before the first packet, and for media that are not rated. R and MOS are set only for narrowband, because the
 * block names no scale.
 */
export function voipMetrics(memory: MediaMemory, row: number): VoipMetrics | null {
  const { streams: s, received: r } = memory;
  const codec = impairmentOf(CODECS[s.codec[row]!]!);
  // Only streams that RTCP can number are reported.
  const expected = numberedPackets(r, row);
  if (codec === null || r.known[row] === 0 || expected <= 0) return null;
  const packetMs = farEndPacketMs(memory, row);
  const burstRatio = trustedBurstRatio(r.missing[row]!, r.missingRuns[row]!, expected);
  const losses = { expected, lost: expected - r.unique[row]!, lateDiscarded: r.lateDiscarded[row]!, burstRatio };
  const rttMs = s.rttCount[row]! > 0 ? s.rttLastMs[row]! : Number.NaN;
  const clusters = gapBurst(r, row, expected, r.missing[row]!);
  const rFactor = conversationalR(codec, losses, rttMs, packetMs);
  const rated = codec.scale === 'NB';
  return {
    kind: 'VOIP_METRICS',
    ssrc: r.ssrc[row]!,
    lossRate: fractionByte(Math.max(0, losses.lost) / expected),
    discardRate: fractionByte(losses.lateDiscarded / expected),
    burstDensity: fractionByte(clusters.burstDensity),
    gapDensity: fractionByte(clusters.gapDensity),
    burstMs: milliseconds(clusters.meanBurstPackets * packetMs),
    gapMs: milliseconds(clusters.meanGapPackets * packetMs),
    roundTripMs: milliseconds(rttMs),
    endSystemMs: milliseconds(mouthToEarMs(0, packetMs, codec.lookAheadMs)),
    signalLevel: UNAVAILABLE,
    noiseLevel: UNAVAILABLE,
    echoReturnLoss: UNAVAILABLE,
    gmin: GMIN,
    rFactor: rated ? Math.round(rFactor) : UNAVAILABLE,
    externalRFactor: UNAVAILABLE,
    mosLq10: rated ? tenths(mosOf(codec, listeningR(codec, losses))) : UNAVAILABLE,
    mosCq10: rated ? tenths(mosOf(codec, rFactor)) : UNAVAILABLE,
    receiverConfiguration: CONCEALING_FIXED_BUFFER,
    bufferNominalMs: PLAYOUT_BUFFER_MS,
    bufferMaximumMs: PLAYOUT_BUFFER_MS,
    bufferAbsoluteMaximumMs: PLAYOUT_BUFFER_MS,
  };
}

/** The far end's metrics about our stream: the last block counts. */
export function noteVoipMetrics(c: StreamMemoryColumns, row: number, m: VoipMetrics): void {
  c.xrReports[row]! += 1;
  c.xrLossRate[row] = m.lossRate;
  c.xrDiscardRate[row] = m.discardRate;
  c.xrBurstDensity[row] = m.burstDensity;
  c.xrGapDensity[row] = m.gapDensity;
  c.xrBurstMs[row] = m.burstMs;
  c.xrGapMs[row] = m.gapMs;
  c.xrEndSystemMs[row] = m.endSystemMs;
  c.xrRFactor[row] = m.rFactor;
  c.xrMosLq10[row] = m.mosLq10;
  c.xrMosCq10[row] = m.mosCq10;
}
