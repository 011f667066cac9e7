/** Metrics of RTP streams and their media. */
import type { RecordingOrigin } from '../playback/media-library.ts';
import type { StreamRecord } from '../rtp/figures/stream-record.ts';
import type { StreamSamples } from '../rtp/figures/stream-samples.ts';
import type { AgentRegistry } from './registry.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

export function streamMetrics(registry: AgentRegistry) {
  const packets = registry.counter('rtp_packets_total', 'RTP packets.', ['direction']);
  const bytes = registry.counter('rtp_payload_bytes_total', 'RTP payload bytes.', ['direction']);
  const unplayable = registry.counter(
    'streams_unplayable_total',
    'Streams that sent nothing because their recording was not loaded in the agreed format.',
  );
  const lost = registry.counter('rtp_packets_lost_total', 'RTP packets whose sequence numbers never came.');
  const recordings = registry.counter('recordings_total', 'Recordings to be played, by codec and source.', ['origin']);
  const jitter = registry.histogram(
    'stream_jitter_seconds',
    'Mean jitter of a stream (RFC 3550).',
    [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1],
  );
  const loss = registry.histogram(
    'stream_loss_ratio',
    'Packets lost of those that were sent, by stream.',
    [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1],
  );
  const mos = registry.histogram(
    'stream_mos',
    'MOS of a stream, on the scale of its codec: nb, wb, fb (G.107, G.107.1, G.107.2).',
    [1.5, 2, 2.5, 3, 3.5, 3.8, 4, 4.2, 4.3, 4.4, 4.5],
    ['scale'],
  );
  // A series that starts with its first event has no rate for that event.
  for (const direction of ['sent', 'received']) for (const one of [packets, bytes]) one.inc({ direction }, 0);
  for (const scale of ['nb', 'wb', 'fb']) mos.zero({ scale });
  return {
    onSamples(s: StreamSamples): void {
      packets.inc({ direction: 'sent' }, sum(s.packetsSent));
      packets.inc({ direction: 'received' }, sum(s.packetsReceived));
      bytes.inc({ direction: 'sent' }, sum(s.octetsSent));
      bytes.inc({ direction: 'received' }, sum(s.octetsReceived));
    },
    onStream(r: StreamRecord): void {
      lost.inc(Math.max(0, r.lost));
      if (r.unplayable) unplayable.inc();
      if (!Number.isNaN(r.jitterMeanMs)) jitter.observe(r.jitterMeanMs / 1000);
      if (r.numbered > 0) loss.observe(Math.max(0, r.lost) / r.numbered);
      if (!Number.isNaN(r.mos) && r.scale !== null) mos.observe({ scale: r.scale.toLowerCase() }, r.mos);
    },
    onRecording(origin: RecordingOrigin): void {
      recordings.inc({ origin });
    },
  };
}
