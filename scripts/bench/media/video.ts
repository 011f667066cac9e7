/**
 * Cost of video on this host: bidirectional streams of the pattern, measured, between two media threads of this
 * process; the CPU is that of both ends. Standalone: node_modules/.bin/node scripts/bench/media/video.ts [streams …]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '../../../agent/clock.ts';
import { NoiseMeter } from '../../../agent/rtp/figures/noise-meter.ts';
import { Sampler } from '../../../agent/rtp/figures/sampler.ts';
import type { StreamRecord } from '../../../agent/rtp/figures/stream-record.ts';
import type { VideoFormat } from '../../../agent/rtp/media-engine.ts';
import { createMediaEngine } from '../../../agent/rtp/threads/media-client.ts';
import { startMediaThread } from '../../../agent/rtp/threads/media-thread-host.ts';

export type VideoBenchRow = {
  readonly codec: 'VP8' | 'H264';
  /** At each end, bidirectional: 15 frames a second. */
  readonly streams: number;
  /** Sent, both ends. */
  readonly packetsPerSecond: number;
  /** Of the process, sampling included; a packet is sent or received. */
  readonly usPerPacket: number;
  readonly streamsPerCpuSecond: number;
  readonly skipped: number;
  readonly lost: number;
  readonly framesLost: number;
};

const HOST = '127.0.0.1';
const FEEDBACK = { nack: true, pli: true, fir: true };

const openEnd = async (streams: number, firstPort: number) => {
  const thread = await startMediaThread({ adapter: 'ffi', capacity: streams, firstPort, lastPort: firstPort + 9999 });
  const engine = createMediaEngine(thread.connect());
  const numbers = Array.from({ length: streams }, (_, i) => i);
  const opened = await engine.open(HOST, 0, numbers, { stream: 1 });
  return { thread, engine, opened, sampler: new Sampler(thread.memory), noise: new NoiseMeter(thread.memory) };
};

export async function benchVideo(
  codec: 'VP8' | 'H264',
  streams: number,
  { warmUpSeconds = 2, seconds = 6 } = {},
): Promise<VideoBenchRow> {
  const ends = await Promise.all([openEnd(streams, 20_000), openEnd(streams, 40_000)]);
  const format: VideoFormat = {
    ...{ kind: 'VIDEO', codec, sendPayloadType: 96, receivePayloadType: 96, feedback: FEEDBACK },
    packetizationMode: 1,
  };
  for (const [i, { opened }] of ends.entries())
    for (const [k, stream] of opened.entries()) {
      const { rtpPort, rtcpPort } = ends[1 - i]!.opened[k]!;
      stream.start({ remote: { address: HOST, rtpPort, rtcpPort }, format, source: 'PATTERN', direction: 'BOTH' });
    }
  const records: StreamRecord[] = [];
  const collect = (): void => {
    for (const { sampler } of ends) records.push(...sampler.sample(nowMs()).records);
  };
  await sleep(warmUpSeconds * 1000);
  collect();
  for (const { noise } of ends) noise.read();
  const before = process.cpuUsage();
  for (let second = 0; second < seconds; second++) {
    await sleep(1000);
    collect();
  }
  const cpu = process.cpuUsage(before);
  const noises = ends.map(({ noise }) => noise.read());
  await Promise.all(ends.map(({ engine }) => engine.close()));
  while (records.length < 2 * streams) {
    await sleep(20);
    collect();
  }
  await Promise.all(ends.map(({ thread }) => thread.close()));
  const sum = <T>(list: readonly T[], pick: (one: T) => number): number => list.reduce((n, one) => n + pick(one), 0);
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const sent = sum(noises, (noise) => noise.slotsSent);
  return {
    codec,
    streams,
    packetsPerSecond: sent / seconds,
    usPerPacket: (cpuSeconds * 1e6) / (sent + sum(noises, (noise) => noise.received)),
    streamsPerCpuSecond: (2 * streams * seconds) / cpuSeconds,
    skipped: sum(noises, (noise) => noise.slotsSkipped),
    lost: sum(records, (record) => record.lost),
    framesLost: sum(records, (record) => record.video?.framesLost ?? 0),
  };
}

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number).filter(Boolean);
  const rows: VideoBenchRow[] = [];
  for (const streams of counts.length > 0 ? counts : [100, 300])
    for (const codec of ['VP8', 'H264'] as const) rows.push(await benchVideo(codec, streams));
  console.table(rows);
}
