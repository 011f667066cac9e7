/** A relay between two media engines on loopback that loses and delays packets as told, and records what it forwarded. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Delays in ms of the copies of the n-th packet; none: it is lost. */
export type Fate = (n: number) => readonly number[];

export type Relay = {
  /** The address to which the sender sends, and from which the receiver sees the stream. */
  readonly port: number;
  /** Sequence numbers in the order in which they were forwarded. */
  readonly passed: number[];
  /** When each was forwarded, ms on `performance.now`, and its RTP timestamp. */
  readonly passedAtMs: number[];
  readonly timestamps: number[];
  received: number;
  /** Copies that are being delayed. */
  waiting: number;
  aim(port: number): void;
  close(): void;
};

const HOST = '127.0.0.1';

/** Opens a relay; packets that arrive before its target is set are dropped and not counted. */
export async function openRelay(fate: Fate): Promise<Relay> {
  const socket: Socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  let target = 0;
  const relay: Relay = {
    port: (socket.address() as AddressInfo).port,
    passed: [],
    passedAtMs: [],
    timestamps: [],
    received: 0,
    waiting: 0,
    aim(port) {
      target = port;
    },
    close() {
      socket.close();
    },
  };
  const pass = (packet: Buffer): void => {
    relay.waiting -= 1;
    relay.passed.push(packet.readUInt16BE(2));
    relay.timestamps.push(packet.readUInt32BE(4));
    relay.passedAtMs.push(performance.now());
    socket.send(packet, target, HOST);
  };
  socket.on('message', (packet, from) => {
    // Packets from the receiver (it sends only ICMP) and early packets are not of this stream.
    if (target === 0 || from.port === target) return;
    for (const delayMs of fate(relay.received)) {
      relay.waiting += 1;
      if (delayMs === 0) pass(packet);
      else setTimeout(pass, delayMs, packet);
    }
    relay.received += 1;
  });
  return relay;
}

/** The mean of the interarrival jitter (RFC 3550, 6.4.1) after each packet but the first, by the relay's own times; ms. */
export function meanJitterMs({ passedAtMs, timestamps }: Relay, unitsPerMs: number): number {
  let [jitter, sum] = [0, 0];
  for (let i = 1; i < passedAtMs.length; i++) {
    const units = (timestamps[i]! - timestamps[i - 1]!) | 0;
    const transit = Math.abs(passedAtMs[i]! - passedAtMs[i - 1]! - units / unitsPerMs);
    jitter += (transit - jitter) / 16;
    sum += jitter;
  }
  return sum / (passedAtMs.length - 1);
}

/** Sequence numbers relative to the first, across the wrap. */
const unwrapped = (passed: readonly number[]): number[] =>
  passed.map((sequence) => ((sequence - passed[0]! + 98_304) % 65_536) - 32_768);

/** Packets lost between the lowest and the highest that were forwarded, as a receiver can know them. */
export function lostBetween(passed: readonly number[]): number {
  const numbers = new Set(unwrapped(passed));
  return Math.max(...numbers) - Math.min(...numbers) + 1 - numbers.size;
}

/** Distance of the last packet from the highest number, in packets. */
export function overtakenAtEnd(passed: readonly number[]): number {
  const numbers = unwrapped(passed);
  return Math.max(...numbers) - numbers.at(-1)!;
}

/** True when every sent packet was forwarded or lost, and all forwarded ones have arrived. */
export const isSettled = (relay: Relay, sent: number, arrived: number): boolean =>
  relay.waiting === 0 && relay.received === sent && relay.passed.length === arrived;
