/** A media thread with the parts that a test needs. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { holds } from '../../../scripts/peers/process.ts';
import { nowMs } from '../../clock.ts';
import { loadLibc } from '../../net/libc.ts';
import { NoiseMeter } from '../../rtp/figures/noise-meter.ts';
import { Sampler } from '../../rtp/figures/sampler.ts';
import { ACTIVE } from '../../rtp/figures/stream-memory.ts';
import type { StreamRecord } from '../../rtp/figures/stream-record.ts';
import type { AudioFormat, MediaEngine, MediaStream } from '../../rtp/media-engine.ts';
import { createMediaEngine } from '../../rtp/threads/media-client.ts';
import { type MediaThread, type MediaThreadOptions, startMediaThread } from '../../rtp/threads/media-thread-host.ts';

export const HOST = '127.0.0.1';
export const PCMU: AudioFormat = {
  kind: 'AUDIO',
  codec: 'PCMU',
  sendPayloadType: 0,
  receivePayloadType: 0,
  packetMs: 20,
};
export const ffi = !(loadLibc() instanceof Error);
export const adapters = ffi ? (['ffi', 'dgram'] as const) : (['dgram'] as const);
export const noFfi = ffi ? false : 'no libc here';

/** A media thread with an engine in this thread, its sampler, and the records that the sampler has delivered so far. */
export class MediaSide {
  readonly thread: MediaThread;
  readonly engine: MediaEngine;
  readonly sampler: Sampler;
  readonly noise: NoiseMeter;
  readonly records: StreamRecord[] = [];

  constructor(thread: MediaThread) {
    this.thread = thread;
    this.engine = createMediaEngine(thread.connect());
    this.sampler = new Sampler(thread.memory);
    this.noise = new NoiseMeter(thread.memory);
  }

  /** The records so far, in the order of their endpoints: which stream ends first is chance. */
  collect(): number {
    this.records.push(...this.sampler.sample(nowMs()).records);
    this.records.sort((a, b) => a.endpointNumber - b.endpointNumber);
    return this.records.length;
  }

  readonly packetsOf = (stream: MediaStream): number => this.thread.memory.received.packets[stream.index]!;

  /** True as soon as the thread has started them all: earlier packets are not counted. */
  listens(streams: readonly MediaStream[]): Promise<boolean> {
    return holds(() => streams.every(({ index }) => this.thread.memory.streams.state[index] === ACTIVE));
  }
}

export async function side(options: MediaThreadOptions): Promise<MediaSide> {
  return new MediaSide(await startMediaThread({ rtcpMinimumMs: 400, ...options }));
}

export const remoteOf = ({ rtpPort, rtcpPort }: { rtpPort: number; rtcpPort: number }) => ({
  address: HOST,
  rtpPort,
  rtcpPort,
});
export const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
export const total = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0);

export async function socketOn(): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  return { socket, port: (socket.address() as AddressInfo).port };
}
