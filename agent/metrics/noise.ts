/** Metrics of the agent's own noise: its lateness, and the adapters of its packets. */
import { fromSparse, quantile } from '@carillon/media/quality/histogram.ts';
import type { wire } from '@carillon/proto';
import type { Gauge } from 'prom-client';
import type { AgentRegistry } from './registry.ts';

/** The adapters for datagrams and streams, and the cipher library. */
export type Adapters = { readonly sip: string; readonly rtp: string; readonly srtp: string; readonly priority: string };

export function noiseMetrics(registry: AgentRegistry, adapters: Adapters) {
  const skipped = registry.counter(
    'rtp_slots_skipped_total',
    'RTP packets not sent because their send time had passed.',
  );
  const planned = registry.counter('rtp_slots_planned_total', 'RTP packets that were due.');
  const drops = registry.counter(
    'receive_queue_drops_total',
    'Datagrams that the kernel dropped because a receive queue was full.',
  );
  const pacing = registry.gauge('pacing_error_seconds', 'Lateness of sent RTP packets, in the last interval.', [
    'percentile',
  ]);
  const loop = registry.gauge(
    'loop_delay_seconds',
    'Event-loop delay of the signalling threads, in the last interval.',
    ['percentile'],
  );
  let busiest = 0;
  registry.readGauge('thread_cpu_ratio', 'Busiest thread in the last interval, of one core.', () => busiest);
  registry
    .gauge('io_info', 'I/O adapters in use, and the priority of media threads.', ['sip', 'rtp', 'srtp', 'priority'])
    .set(adapters, 1);
  return {
    onNoise(n: wire.agent.v1.Noise.$Properties): void {
      planned.inc(n.slotsPlanned ?? 0);
      skipped.inc(n.slotsSkipped ?? 0);
      drops.inc(n.receiveDrops ?? 0);
      busiest = n.threadCpu ?? 0;
      setPercentiles(pacing, n.pacingErrorMs);
      setPercentiles(loop, n.loopDelayMs);
    },
  };
}

/** Prometheus reserves the label `quantile` for summaries. */
const PERCENTILES = [50, 99];

/** If nothing was measured, the gauge has no value. */
function setPercentiles(
  into: Gauge<'percentile'>,
  sparse: wire.agent.v1.Histogram.$Properties | null | undefined,
): void {
  into.reset();
  if (!sparse?.bucket?.length) return;
  const { bucket, count = [], sum = 0, min = 0, max = 0 } = sparse;
  const h = fromSparse({ bucket, count: count ?? [], sum: sum ?? 0, min: min ?? 0, max: max ?? 0 });
  for (const p of PERCENTILES) into.set({ percentile: p }, quantile(h, p / 100) / 1000);
}
