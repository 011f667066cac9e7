/**
 * Many streams for a long time: memory, descriptors and clock drift every minute, and whether they stay flat.
 * node_modules/.bin/node scripts/bench/media/soak.ts [--minutes 60] [--streams 200]
 */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { nowMs } from '../../../agent/clock.ts';
import { NoiseMeter } from '../../../agent/rtp/figures/noise-meter.ts';
import { Sampler } from '../../../agent/rtp/figures/sampler.ts';
import type { MediaStream } from '../../../agent/rtp/media-engine.ts';
import { createMediaEngine } from '../../../agent/rtp/threads/media-client.ts';
import { type MediaThread, startMediaThread } from '../../../agent/rtp/threads/media-thread-host.ts';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { type CostTrend, trend } from './trend.ts';

export type SoakMinute = {
  readonly minute: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
  readonly descriptors: number;
  /** Drift of the peer's media clock from minimum transit times since the start: median and largest; NaN initially. */
  readonly driftPpm: number;
  readonly driftFarthestPpm: number;
  readonly packets: number;
  readonly lost: number;
  readonly skipped: number;
  readonly drops: number;
  /** Of one core, both ends and the sampling. */
  readonly cpu: number;
};
export type SoakReport = {
  readonly minutes: readonly SoakMinute[];
  /** MiB an hour, over everything but the first fifth. */
  readonly memory: CostTrend;
  readonly flat: boolean;
  readonly descriptorsFlat: boolean;
};

const SECOND_MS = 1000;
/** A slope counts as growth if its whole interval is above this share of the memory per hour. */
const GROWTH_AN_HOUR = 0.02;

class Side {
  readonly thread: MediaThread;
  readonly engine;
  readonly sampler: Sampler;
  readonly noise: NoiseMeter;
  streams: MediaStream[] = [];
  /** By row: least transit ms when it was first known, and when. */
  readonly first = new Map<number, { readonly ms: number; readonly atMs: number }>();

  constructor(thread: MediaThread) {
    this.thread = thread;
    this.engine = createMediaEngine(thread.connect());
    this.sampler = new Sampler(thread.memory);
    this.noise = new NoiseMeter(thread.memory);
  }

  /** Of every stream, ppm since it was first looked at. */
  drifts(atMs: number): number[] {
    const { received } = this.thread.memory;
    return this.streams.flatMap(({ index }) => {
      const ms =
        Math.min(received.leastTransit[index]!, received.leastTransitBefore[index]!) / received.unitsPerMs[index]!;
      const first = this.first.get(index);
      if (first) return [((ms - first.ms) / (atMs - first.atMs)) * 1e6];
      this.first.set(index, { ms, atMs });
      return [];
    });
  }
}

export async function soak(minutes: number, streams: number, tell: (minute: SoakMinute) => void): Promise<SoakReport> {
  const address = ownLoopback().address(1);
  const sides = await Promise.all([0, 1].map(async () => new Side(await startMediaThread({ capacity: streams + 16 }))));
  const numbers = Array.from({ length: streams }, (_, i) => i);
  for (const side of sides) side.streams = await side.engine.open(address, 0, numbers);
  const [here, there] = sides as [Side, Side];
  const format = { kind: 'AUDIO', codec: 'PCMU', sendPayloadType: 0, receivePayloadType: 0, packetMs: 20 } as const;
  const begin = (from: Side, to: Side): void => {
    for (const [i, stream] of from.streams.entries()) {
      const { rtpPort, rtcpPort } = to.streams[i]!;
      stream.start({ remote: { address, rtpPort, rtcpPort }, format, source: 'SPEECH', direction: 'BOTH' });
    }
  };
  begin(here, there);
  begin(there, here);

  const startMs = nowMs();
  const resident: [number, number][] = [];
  const told: SoakMinute[] = [];
  let sums = { packets: 0, lost: 0 };
  let cpuBefore = process.cpuUsage();
  for (let second = 1; second <= minutes * 60; second++) {
    await sleep(Math.max(0, startMs + second * SECOND_MS - nowMs()));
    for (const { sampler } of sides) {
      const { samples } = sampler.sample(nowMs());
      sums = {
        packets: sums.packets + total(samples.packetsReceived),
        lost: sums.lost + total(samples.lost),
      };
    }
    if (second % 5 === 0) resident.push([second / 3600, process.memoryUsage.rss() / 2 ** 20]);
    if (second % 60 !== 0) continue;
    const noise = sides.map((side) => side.noise.read());
    const drifts = sides.flatMap((side) => side.drifts(nowMs())).sort((a, b) => a - b);
    const cpu = process.cpuUsage(cpuBefore);
    cpuBefore = process.cpuUsage();
    const minute: SoakMinute = {
      minute: second / 60,
      residentMiB: process.memoryUsage.rss() / 2 ** 20,
      heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
      descriptors: readdirSync('/proc/self/fd').length,
      driftPpm: drifts[drifts.length >> 1] ?? Number.NaN,
      driftFarthestPpm: drifts.length > 0 ? Math.max(...drifts.map(Math.abs)) : Number.NaN,
      ...sums,
      skipped: total(noise.map((one) => one.slotsSkipped)),
      drops: total(noise.map((one) => one.receiveDrops)),
      cpu: (cpu.user + cpu.system) / 60e6,
    };
    sums = { packets: 0, lost: 0 };
    told.push(minute);
    tell(minute);
  }
  for (const side of sides) {
    await side.engine.close();
    await side.thread.close();
  }
  const memory = trend(resident.slice(Math.floor(resident.length / 5)));
  const mean = total(resident.map(([, mib]) => mib)) / resident.length;
  return {
    minutes: told,
    memory,
    flat: !(memory.low > mean * GROWTH_AN_HOUR),
    descriptorsFlat: new Set(told.map((minute) => minute.descriptors)).size <= 1,
  };
}

const total = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0);

if (import.meta.main) {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '60' }, streams: { type: 'string', default: '200' } },
  });
  const report = await soak(Number(values.minutes), Number(values.streams), (minute) =>
    console.log(
      Object.entries(minute)
        .map(([name, value]) => `${name} ${Number(value.toFixed(3))}`)
        .join(' · '),
    ),
  );
  const { slope, low, high } = report.memory;
  const of = [slope, low, high].map((value) => value.toFixed(1));
  console.log(
    `resident memory: ${of[0]} MiB an hour (95 % interval ${of[1]} to ${of[2]}): ${report.flat ? 'flat' : 'GROWS'}`,
  );
  console.log(`descriptors: ${report.descriptorsFlat ? 'flat' : 'CHANGE'}`);
  process.exit(report.flat && report.descriptorsFlat ? 0 : 1);
}
