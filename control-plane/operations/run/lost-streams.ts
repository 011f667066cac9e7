/** Streams whose agent was lost: their figures, computed from the samples that arrived. */
import { G711, G722, OPUS } from '@carillon/media/codec/impairments.ts';
import { conversationalR, mosOf } from '@carillon/media/quality/rating.ts';
import { readStreamFigures, type StreamFigures } from '@carillon/proto/figures/stream-figures.ts';
import type { StreamFact } from '../../domain/run/facts.ts';
import type { Tx } from '../../store/db.ts';
import { insertStreams, unfinishedStreams } from '../../store/measured/streams.ts';
import type { LockedRun } from '../../store/run/locked-run.ts';
import { addToSums } from './fold.ts';

/**
 * Samples do not show the codec: there is one rated codec per scale, except for the two laws of G.711, which have the
 * same impairments.
 */
const RATED_AS = { nb: G711, wb: G722, fb: OPUS } as const;
const PACKET_MS = 20;
/** The number of an endpoint's audio stream. */
const AUDIO = 0;

export async function finishLostStreams(
  tx: Tx,
  { id: runId, isFolded }: Pick<LockedRun, 'id' | 'isFolded'>,
  lostIds: readonly string[],
): Promise<void> {
  if (lostIds.length === 0) return;
  const open = await unfinishedStreams(tx, runId, lostIds);
  if (open.length === 0) return;
  await insertStreams(tx, runId, open.map(finished));
  if (!isFolded) return;
  for (const [instanceId, streams = []] of Map.groupBy(open, (s) => s.instance_id))
    await addToSums(tx, { runId, instanceId, lost: true }, [], streams.map(finished));
}

type Unfinished = Awaited<ReturnType<typeof unfinishedStreams>>[number];

function finished(s: Unfinished): StreamFact {
  // Bursts were counted on the agent and are lost with it: random loss is assumed.
  const counts = {
    expected: s.expected - s.absent - s.paused,
    lost: s.lost,
    lateDiscarded: s.discarded,
    burstRatio: 1,
  };
  // Video has no playout buffer.
  const isAudio = s.stream === AUDIO;
  const impairment = s.scale ? RATED_AS[s.scale] : null;
  const rFactor = conversationalR(impairment, counts, s.rtt_mean_ms ?? Number.NaN, PACKET_MS);
  const known: Partial<StreamFigures> = {
    packetsSent: s.packets_sent,
    packetsReceived: s.packets_received,
    octetsReceived: s.octets_received,
    expected: s.expected,
    lost: s.lost,
    absent: s.absent,
    paused: s.paused,
    discarded: isAudio ? s.discarded : Number.NaN,
    duplicates: s.duplicates,
    reordered: s.reordered,
    plcEvents: isAudio ? s.plc_events : Number.NaN,
    jitterMeanMs: s.jitter_mean_ms ?? Number.NaN,
    jitterMaxMs: s.jitter_max_ms ?? Number.NaN,
    rttMeanMs: s.rtt_mean_ms ?? Number.NaN,
    rttMaxMs: s.rtt_max_ms ?? Number.NaN,
    rttCount: s.rtt_count,
    mos: mosOf(impairment, rFactor),
    rFactor,
    remoteLost: Number.NaN,
  };
  return {
    endpoint: s.endpoint_number,
    stream: s.stream,
    codec: '',
    remote: '',
    ...readStreamFigures((name) => known[name]),
    feedback: s.rtt_count > 0,
    scale: s.scale,
    details: null,
    figuresOnly: false,
  };
}
