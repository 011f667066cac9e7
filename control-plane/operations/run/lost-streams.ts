/** Streams whose agent was lost: their figures, drawn from the samples that came in. */
import { CODEC_IMPAIRMENTS } from '@carillon/media/quality/codec-impairments.ts';
import { conversationalR, mosOf } from '@carillon/media/quality/rating.ts';
import type { Tx } from '../../store/db.ts';
import { insertStreams, unfinishedStreams } from '../../store/streams.ts';

/** The samples do not say which codec audio had; both G.711 laws have the same impairments, and the same packets. */
const CODEC = 'PCMU';
const PACKET_MS = 20;
/** Of an endpoint's streams the one that is rated: the other is video. */
const AUDIO = 0;

export async function finishLostStreams(tx: Tx, runId: string, lostIds: readonly string[]): Promise<void> {
  if (lostIds.length === 0) return;
  const open = await unfinishedStreams(tx, runId, lostIds);
  if (open.length === 0) return;
  await insertStreams(
    tx,
    runId,
    open.map((s) => {
      // Bursts were counted on the agent and are gone with it: random loss is assumed.
      const counts = { expected: s.expected, lost: s.lost, lateDiscarded: s.discarded, burstRatio: 1 };
      const impairment = s.stream === AUDIO ? CODEC_IMPAIRMENTS[CODEC] : null;
      const rFactor = conversationalR(impairment, counts, s.rtt_mean_ms ?? Number.NaN, PACKET_MS);
      return {
        endpoint: s.endpoint_number,
        stream: s.stream,
        codec: '',
        remote: '',
        localPort: 0,
        ssrcSent: 0,
        ssrcReceived: 0,
        packetsSent: s.packets_sent,
        octetsSent: 0,
        packetsReceived: s.packets_received,
        octetsReceived: s.octets_received,
        expected: s.expected,
        lost: s.lost,
        discarded: s.discarded,
        duplicates: s.duplicates,
        reordered: s.reordered,
        ssrcChanges: 0,
        plcEvents: s.plc_events,
        plcMs: 0,
        jitterMeanMs: s.jitter_mean_ms ?? Number.NaN,
        jitterMaxMs: s.jitter_max_ms ?? Number.NaN,
        rttMeanMs: s.rtt_mean_ms ?? Number.NaN,
        rttMaxMs: s.rtt_max_ms ?? Number.NaN,
        rttCount: s.rtt_count,
        mos: mosOf(impairment, rFactor),
        rFactor,
        burstRatio: Number.NaN,
        feedback: s.rtt_count > 0,
        remoteLost: 0,
        remoteJitterMs: Number.NaN,
        nackCount: 0,
        pliCount: 0,
        firCount: 0,
        sendsSkipped: 0,
      };
    }),
  );
}
