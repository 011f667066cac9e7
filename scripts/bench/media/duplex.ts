/**
 * What RTP costs and how exact it is on this host: bidirectional G.711 streams, fully measured, against a peer process on loopback.
 * On its own: node_modules/.bin/node scripts/bench/media/duplex.ts [streams …]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { greatest, quantile } from '@carillon/media/quality/histogram.ts';
import { nowMs } from '../../../agent/clock.ts';
import { NoiseMeter } from '../../../agent/rtp/figures/noise-meter.ts';
import { Sampler } from '../../../agent/rtp/figures/sampler.ts';
import type { StreamRecord } from '../../../agent/rtp/figures/stream-record.ts';
import type { SrtpSuite } from '../../../agent/rtp/media-engine.ts';
import { createMediaEngine } from '../../../agent/rtp/threads/media-client.ts';
import { startMediaThread } from '../../../agent/rtp/threads/media-thread-host.ts';
import { benchKey, type PeerOrder, type PeerReport } from './peer.ts';

export type MediaBenchRow = {
  readonly adapter: 'ffi' | 'dgram';
  /** Plain, or a suite of SRTP by SDES and what encrypts. */
  readonly security: string;
  readonly streams: number;
  /** Of the whole process, sampling included, over the measured seconds. */
  readonly cpuSeconds: number;
  readonly usPerPacket: number;
  /** Bidirectional streams that one core could carry without other limits. */
  readonly streamsPerCpuSecond: number;
  /** Jitter of what left us, by the peer's kernel: mean over streams, and the stream at the 99th percentile. */
  readonly departureJitterMs: number;
  readonly departureJitterP99Ms: number;
  /** Our reported jitter of the peer's stream minus the peer's own: what we add, mean and 99th percentile. */
  readonly addedJitterUs: number;
  readonly addedJitterP99Us: number;
  readonly pacingErrorP99Ms: number;
  readonly pacingErrorMaxMs: number;
  readonly skipped: number;
  readonly lost: number;
  readonly lostByPeer: number;
};

type MediaBenchRun = {
  readonly adapter: 'ffi' | 'dgram';
  readonly streams: number;
  readonly suite?: SrtpSuite;
  readonly ciphers?: 'openssl' | 'node';
};

export type MediaBenchOptions = {
  readonly runs?: readonly MediaBenchRun[];
  readonly warmUpSeconds?: number;
  readonly seconds?: number;
  readonly realtime?: boolean;
};

const RUNS = [
  { adapter: 'ffi', streams: 500 },
  { adapter: 'ffi', streams: 1000 },
  { adapter: 'ffi', streams: 500, suite: 'AES_CM_128_HMAC_SHA1_80', ciphers: 'openssl' },
  { adapter: 'ffi', streams: 500, suite: 'AEAD_AES_128_GCM', ciphers: 'openssl' },
  { adapter: 'ffi', streams: 200, suite: 'AES_CM_128_HMAC_SHA1_80', ciphers: 'node' },
  { adapter: 'ffi', streams: 200, suite: 'AEAD_AES_128_GCM', ciphers: 'node' },
  { adapter: 'dgram', streams: 100 },
  { adapter: 'dgram', streams: 250 },
  { adapter: 'dgram', streams: 100, suite: 'AES_CM_128_HMAC_SHA1_80', ciphers: 'openssl' },
  { adapter: 'dgram', streams: 100, suite: 'AEAD_AES_128_GCM', ciphers: 'openssl' },
  { adapter: 'dgram', streams: 100, suite: 'AES_CM_128_HMAC_SHA1_80', ciphers: 'node' },
] as const satisfies readonly MediaBenchRun[];

const HOST = '127.0.0.1';
/** Below our own range and the system's. */
const PEER_PORT = 10_000;

/** A row a run. Rejects if FFI is not available: the peer needs it. */
export async function benchMedia(options: MediaBenchOptions = {}): Promise<MediaBenchRow[]> {
  const rows: MediaBenchRow[] = [];
  for (const run of options.runs ?? RUNS) rows.push(await measure(run, options));
  return rows;
}

async function measure(
  { adapter, streams, suite, ciphers = 'openssl' }: MediaBenchRun,
  { warmUpSeconds = 8, seconds = 6, realtime = false }: MediaBenchOptions,
): Promise<MediaBenchRow> {
  const thread = await startMediaThread({
    adapter,
    capacity: streams,
    realtime,
    srtpCiphers: suite ? ciphers : 'auto',
  });
  const engine = createMediaEngine(thread.connect());
  const opened = await engine.open(
    HOST,
    0,
    Array.from({ length: streams }, (_, i) => i),
  );
  const peer = fork(new URL('./peer.ts', import.meta.url));
  const order: PeerOrder = {
    remotePorts: opened.map((stream) => stream.rtpPort),
    firstPort: PEER_PORT,
    seconds: warmUpSeconds + seconds + 1,
    realtime,
    ...(suite && { suite }),
  };
  peer.send(order);
  await once(peer, 'message');
  const key = suite && { suite, keySalt: benchKey(suite) };
  const security = key ? ({ mode: 'SDES', send: key, receive: key } as const) : null;
  for (const [i, stream] of opened.entries()) {
    const rtpPort = PEER_PORT + 2 * i;
    // The peer has one socket a stream and uses RTP/RTCP multiplexing.
    const remote = { address: HOST, rtpPort, rtcpPort: rtpPort };
    const format = { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 } as const;
    stream.start({ remote, format, source: 'TONE', direction: 'BOTH', security });
  }
  const sampler = new Sampler(thread.memory);
  const noiseMeter = new NoiseMeter(thread.memory);
  const records: StreamRecord[] = [];
  const collect = (): void => void records.push(...sampler.sample(nowMs()).records);
  await sleep(warmUpSeconds * 1000);
  collect();
  noiseMeter.read();
  const before = process.cpuUsage();
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    collect();
  }
  const cpu = process.cpuUsage(before);
  const noise = noiseMeter.read();
  const [report] = (await once(peer, 'message')) as [PeerReport];
  await engine.close();
  while (records.length < streams) {
    await sleep(20);
    collect();
  }
  await thread.close();

  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const packets = noise.slotsSent + noise.received;
  const added = records.map(
    (record) => Math.abs(record.jitterMeanMs - report.sentJitterMs[record.endpointNumber]!) * 1000,
  );
  return {
    adapter,
    security: suite ? `${suite}, ${ciphers}` : 'plain',
    streams,
    cpuSeconds,
    usPerPacket: (cpuSeconds * 1e6) / packets,
    streamsPerCpuSecond: packets / 100 / cpuSeconds,
    departureJitterMs: mean(report.receivedJitterMs),
    departureJitterP99Ms: percentile(report.receivedJitterMs, 0.99),
    addedJitterUs: mean(added),
    addedJitterP99Us: percentile(added, 0.99),
    pacingErrorP99Ms: quantile(noise.pacingErrorMs, 0.99),
    pacingErrorMaxMs: greatest(noise.pacingErrorMs),
    skipped: noise.slotsSkipped,
    lost: records.reduce((sum, record) => sum + record.lost, 0),
    lostByPeer: report.lost,
  };
}

const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
const percentile = (list: readonly number[], q: number): number =>
  [...list].sort((a, b) => a - b)[Math.max(0, Math.ceil(q * list.length) - 1)]!;

if (import.meta.main) {
  const streams = process.argv.slice(2).map(Number).filter(Boolean);
  const options =
    streams.length > 0 ? { runs: streams.map((count) => ({ adapter: 'ffi' as const, streams: count })) } : {};
  console.table(await benchMedia({ ...options, realtime: process.argv.includes('--realtime') }));
}
