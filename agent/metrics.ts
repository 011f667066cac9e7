/** The agent's figures for Prometheus. Counted when facts are gathered, never per packet or SIP message. */
import { fromSparse, quantile } from '@carillon/media/quality/histogram.ts';
import { FAULT_KINDS, FINDING_KINDS, type wire } from '@carillon/proto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { LINK_STATES, type LinkState } from './link/link-machine.ts';
import type { RecordingOrigin } from './playback/media-shelf.ts';
import type { StreamSamples } from './rtp/figures/sampler.ts';
import type { StreamRecord } from './rtp/figures/stream-record.ts';
import type { OutcomeFact, ShareFacts } from './run/report/facts.ts';
import { PhaseCount } from './run/report/phase-count.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** What the gauges ask when they are scraped. */
export type Readings = {
  readonly endpoints: () => number;
  readonly linkState: () => LinkState;
  readonly outboxDepth: () => number;
  readonly policy: () => {
    /** What is wrong in the file as it is now; null: nothing. */
    readonly fault: string | null;
    readonly taken: number;
    readonly refused: number;
    readonly minutesToday: number;
  };
  /** 0 while connected. */
  readonly linkOfflineMs: () => number;
  readonly outboxBytes: () => number;
  /** Batches that lost facts because it was full, or because the control plane would not have them. */
  readonly outboxDropped: () => { readonly full: number; readonly refused: number };
  /** Since the start. */
  readonly strays: () => { readonly malformed: number; readonly refusedByPolicy: number };
  readonly hep: () => { readonly sent: number; readonly dropped: number };
};

export type AgentMetrics = ReturnType<typeof createAgentMetrics>;

/** Gauges of prom-client that are named as counters: promtool does not accept them; the same by type stay. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Of datagrams, of streams, and what encrypts them. */
type Adapters = { readonly sip: string; readonly rtp: string; readonly srtp: string; readonly priority: string };

export function createAgentMetrics(readings: Readings, adapters: Adapters) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `carillon_agent_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []) =>
    new Histogram({ name: `carillon_agent_${name}`, help, buckets, labelNames: [...labelNames], registers });

  const phases = new PhaseCount();
  const calls = counter('calls_total', 'Calls that were attempted, by how they ended.', ['result']);
  const answered = counter('calls_answered_total', 'Calls that were answered, whatever was heard of them.');
  const findings = counter('findings_total', 'Calls with this finding, whether or not their group tolerates it.', [
    'finding',
  ]);
  const endpoints = counter('endpoints_closed_total', 'Endpoints that closed, by outcome and cause.', [
    'outcome',
    'cause',
  ]);
  const messages = counter('sip_messages_total', 'SIP messages, retransmissions apart.', [
    'direction',
    'method',
    'status',
  ]);
  const again = counter('sip_retransmissions_total', 'SIP messages sent or received again.', ['direction', 'method']);
  const packets = counter('rtp_packets_total', 'RTP packets.', ['direction']);
  const bytes = counter('rtp_payload_bytes_total', 'RTP payload bytes.', ['direction']);
  const unplayable = counter(
    'streams_unplayable_total',
    'Streams that sent nothing because what they play was not loaded in the agreed format.',
  );
  const lost = counter('rtp_packets_lost_total', 'RTP packets that were expected and never came.');
  const skipped = counter('rtp_slots_skipped_total', 'RTP packets not sent because their instant had passed.');
  const planned = counter('rtp_slots_planned_total', 'RTP packets that the timetable asked for.');
  const drops = counter(
    'receive_queue_drops_total',
    'Datagrams that the kernel dropped because a receive queue was full.',
  );
  const recordings = counter(
    'recordings_total',
    'Recordings that were to be played, by codec, and where each came from.',
    ['origin'],
  );
  const callSetup = histogram('call_setup_seconds', 'INVITE to 200 OK.', [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]);
  const registerRtt = histogram(
    'register_seconds',
    'REGISTER to 200 OK, authentication included.',
    [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  );
  const optionsRtt = histogram(
    'options_seconds',
    'OPTIONS to its final response, authentication included.',
    [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  );
  const registrations = counter('registrations_total', 'Registrations of endpoints that have closed: made, failed.', [
    'result',
  ]);
  const refreshes = counter(
    'registration_refreshes_total',
    'What became of registrations of endpoints that have closed: refreshes made, failed, recovered behind a failure; lapsed without one.',
    ['result'],
  );
  const connect = histogram(
    'sip_connect_seconds',
    'Opening a TCP connection for SIP, of endpoints that opened one.',
    [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  );
  const handshake = histogram(
    'sip_tls_handshake_seconds',
    'The TLS handshake on such a connection.',
    [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  );
  const jitter = histogram(
    'stream_jitter_seconds',
    'Mean jitter of a stream (RFC 3550).',
    [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1],
  );
  const loss = histogram(
    'stream_loss_ratio',
    'Packets lost of those expected, by stream.',
    [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1],
  );
  const mos = histogram(
    'stream_mos',
    'MOS of a stream, on the scale of its codec: nb, wb, fb (G.107, G.107.1, G.107.2).',
    [1.5, 2, 2.5, 3, 3.5, 3.8, 4, 4.2, 4.3, 4.4, 4.5],
    ['scale'],
  );
  const percentiles = (name: string, help: string) =>
    new Gauge({ name: `carillon_agent_${name}`, help, labelNames: ['percentile'], registers });
  const pacing = percentiles('pacing_error_seconds', 'How late RTP packets left, in the last interval.');
  const loop = percentiles('loop_delay_seconds', 'How late the signalling threads turned, in the last interval.');
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `carillon_agent_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('endpoints_active', 'Endpoints of allocations that have not ended.', readings.endpoints);
  gauge('policy_valid', "1 while the owner's policy file can be used; 0: the one before it holds.", () =>
    readings.policy().fault === null ? 1 : 0,
  );
  gauge(
    'call_today_seconds',
    "Time in calls since midnight UTC, as the owner's limit of minutes counts it.",
    () => readings.policy().minutesToday * 60,
  );
  gauge('link_up', '1 while connected to the control plane.', () => (readings.linkState() === 'ONLINE' ? 1 : 0));
  gauge('outbox_batches', 'Batches of facts that are not committed yet.', readings.outboxDepth);
  gauge('outbox_bytes', 'Bytes of these batches, compressed.', readings.outboxBytes);
  gauge(
    'link_offline_seconds',
    'Time without a control plane; 0 while connected.',
    () => readings.linkOfflineMs() / 1000,
  );
  const labelled = <L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Iterable<readonly [string, number]>,
  ) =>
    new Gauge({
      name: `carillon_agent_${name}`,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, n] of read()) this.set({ [label]: value } as Record<L, string>, n);
      },
    });
  labelled('endpoints', 'Endpoints that have not closed, by phase.', 'phase', () => phases.counts());
  labelled('link_state', '1 for the state that the link is in.', 'state', () =>
    LINK_STATES.map((state) => [state, readings.linkState() === state ? 1 : 0] as const),
  );
  const total = <L extends string>(
    name: string,
    help: string,
    label: L,
    read: () => Readonly<Record<string, number>>,
  ) =>
    new Counter({
      name: `carillon_agent_${name}`,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, n] of Object.entries(read())) this.inc({ [label]: value } as Record<L, string>, n);
      },
    });
  const read = (name: string, help: string, value: () => number) =>
    new Counter({
      name: `carillon_agent_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  read('sip_malformed_total', 'What came for SIP and was no SIP message.', () => readings.strays().malformed);
  read(
    'policy_refused_messages_total',
    "SIP messages that the owner's policy kept from leaving, or from being heard.",
    () => readings.strays().refusedByPolicy,
  );
  total(
    'outbox_dropped_batches_total',
    'Batches that lost facts: the outbox was full, or the control plane refused them.',
    'reason',
    readings.outboxDropped,
  );
  total(
    'policy_readings_total',
    "How often the owner's policy was read again, and whether it could be used.",
    'result',
    () => ({ taken: readings.policy().taken, refused: readings.policy().refused }),
  );
  total(
    'hep_messages_total',
    'SIP messages for the HEP collector: sent, or dropped because it did not take them.',
    'result',
    readings.hep,
  );
  // A series that begins with its first event has no rate at it.
  for (const result of ['SUCCESS', 'TIMEOUT', 'REJECTED', 'ERROR']) calls.inc({ result }, 0);
  for (const finding of FINDING_KINDS) findings.inc({ finding }, 0);
  for (const cause of FAULT_KINDS) endpoints.inc({ outcome: 'CALL_FAILED', cause }, 0);
  for (const result of ['made', 'failed']) registrations.inc({ result }, 0);
  for (const direction of ['sent', 'received']) for (const one of [packets, bytes]) one.inc({ direction }, 0);
  for (const scale of ['nb', 'wb', 'fb']) mos.zero({ scale });
  let busiest = 0;
  gauge('thread_cpu_ratio', 'Busiest thread in the last interval, of one core.', () => busiest);
  new Gauge({
    name: 'carillon_agent_io_info',
    help: 'I/O adapters in use, and the priority of media threads.',
    labelNames: ['sip', 'rtp', 'srtp', 'priority'],
    registers,
  }).set(adapters, 1);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    onOutcome(o: OutcomeFact) {
      endpoints.inc({ outcome: o.outcome, cause: o.cause ?? 'NONE' });
      if (o.callResult !== null) calls.inc({ result: o.callResult });
      if (o.attempted && o.finalStatus >= 200 && o.finalStatus < 300) answered.inc();
      for (const finding of new Set(o.findings.map(({ kind }) => kind))) findings.inc({ finding });
      if (!Number.isNaN(o.callSetupMs)) callSetup.observe(o.callSetupMs / 1000);
      if (o.outcome === 'REGISTRATION_FAILED') registrations.inc({ result: 'failed' });
      if (!Number.isNaN(o.registerRttMs)) registrations.inc({ result: 'made' });
      if (!Number.isNaN(o.registerRttMs)) registerRtt.observe(o.registerRttMs / 1000);
      if (!Number.isNaN(o.connectMs)) connect.observe(o.connectMs / 1000);
      if (!Number.isNaN(o.tlsMs)) handshake.observe(o.tlsMs / 1000);
      if (o.refreshes !== null) {
        refreshes.inc({ result: 'made' }, o.refreshes.granted);
        refreshes.inc({ result: 'failed' }, o.refreshes.failed);
        refreshes.inc({ result: 'lapsed' }, o.refreshes.lapsed);
        refreshes.inc({ result: 'recovered' }, o.refreshes.recovered);
      }
      if (!Number.isNaN(o.optionsRttMs)) optionsRtt.observe(o.optionsRttMs / 1000);
    },
    onSip(facts: ShareFacts) {
      phases.add(facts);
      const { sipCounts } = facts;
      for (const c of sipCounts) {
        const direction = c.sent ? 'sent' : 'received';
        if (c.count > 0) messages.inc({ direction, method: c.method, status: c.status || 'request' }, c.count);
        if (c.retransmissions > 0) again.inc({ direction, method: c.method }, c.retransmissions);
      }
    },
    onSamples(s: StreamSamples) {
      packets.inc({ direction: 'sent' }, sum(s.packetsSent));
      packets.inc({ direction: 'received' }, sum(s.packetsReceived));
      bytes.inc({ direction: 'sent' }, sum(s.octetsSent));
      bytes.inc({ direction: 'received' }, sum(s.octetsReceived));
    },
    onStream(r: StreamRecord) {
      lost.inc(Math.max(0, r.lost));
      if (r.unplayable) unplayable.inc();
      if (!Number.isNaN(r.jitterMeanMs)) jitter.observe(r.jitterMeanMs / 1000);
      if (r.expected > 0) loss.observe(Math.max(0, r.lost) / r.expected);
      if (!Number.isNaN(r.mos) && r.scale !== null) mos.observe({ scale: r.scale.toLowerCase() }, r.mos);
    },
    onRecording(origin: RecordingOrigin) {
      recordings.inc({ origin });
    },
    onNoise(n: wire.agent.v1.Noise.$Properties) {
      planned.inc(n.slotsPlanned ?? 0);
      skipped.inc(n.slotsSkipped ?? 0);
      drops.inc(n.receiveDrops ?? 0);
      busiest = n.threadCpu ?? 0;
      setPercentiles(pacing, n.pacingErrorMs);
      setPercentiles(loop, n.loopDelayMs);
    },
  };
}

/** `quantile` is a word of Prometheus' summaries alone. */
const PERCENTILES = [50, 99];

/** Nothing was measured: the gauge says nothing. */
function setPercentiles(into: Gauge, sparse: wire.agent.v1.Histogram.$Properties | null | undefined): void {
  into.reset();
  if (!sparse?.bucket?.length) return;
  const { bucket, count = [], sum = 0, min = 0, max = 0 } = sparse;
  const h = fromSparse({ bucket, count: count ?? [], sum: sum ?? 0, min: min ?? 0, max: max ?? 0 });
  for (const p of PERCENTILES) into.set({ percentile: p }, quantile(h, p / 100) / 1000);
}
