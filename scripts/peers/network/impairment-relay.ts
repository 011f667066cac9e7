/**
 * A relay in front of an RTP echo. It loses and delays the returned packets with a seeded generator, and records what it
 * forwarded and when: the reference for a tester's figures. Packets of one stream do not overtake each other if they are
 * further apart than the longest delay.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { seeded } from '../seeded.ts';

export type RelayImpairment = {
  readonly seed: number;
  /** Probability that a packet is dropped. */
  readonly loss: number;
  /** Each packet is delayed by 0 to this, uniformly. */
  readonly maxDelayMs: number;
};

export type PassedDatagram = { readonly sequence: number; readonly timestamp: number; readonly atMs: number };

export type RelayedStream = {
  readonly port: number;
  readonly passed: PassedDatagram[];
  dropped: number;
};

export type ImpairmentRelay = {
  readonly address: string;
  readonly port: number;
  /** By the caller's port. */
  readonly streams: ReadonlyMap<number, RelayedStream>;
  close(): void;
};

const openSocket = async (address: string, port = 0): Promise<Socket> => {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
  socket.bind(port, address);
  await once(socket, 'listening');
  return socket;
};

/** @param echo where packets are echoed */
export async function openImpairmentRelay(
  address: string,
  echo: { readonly address: string; readonly port: number },
  { seed, loss, maxDelayMs }: RelayImpairment,
): Promise<ImpairmentRelay> {
  const front = await openSocket(address);
  const { port } = front.address();
  // Nothing reports on an echo; reports to it are dropped.
  const rtcp = await openSocket(address, port + 1);
  const streams = new Map<number, RelayedStream>();
  const backs = new Map<number, Promise<Socket>>();

  const openBack = async (callerPort: number, callerAddress: string): Promise<Socket> => {
    const back = await openSocket(address);
    // Each stream has its own random numbers, so that it does not depend on the others.
    const random = seeded(seed + streams.size);
    const stream: RelayedStream = { port: callerPort, passed: [], dropped: 0 };
    streams.set(callerPort, stream);
    const pass = (packet: Buffer): void => {
      const atMs = performance.now();
      front.send(packet, callerPort, callerAddress);
      stream.passed.push({ sequence: packet.readUInt16BE(2), timestamp: packet.readUInt32BE(4), atMs });
    };
    back.on('message', (packet) => {
      const lost = random() < loss;
      const delayMs = random() * maxDelayMs;
      if (lost) stream.dropped++;
      else setTimeout(pass, delayMs, packet);
    });
    return back;
  };
  front.on('message', (packet, from) => {
    let back = backs.get(from.port);
    if (!back) {
      back = openBack(from.port, from.address);
      backs.set(from.port, back);
    }
    void back.then((socket) => socket.send(packet, echo.port, echo.address));
  });
  return {
    address,
    port,
    streams,
    close() {
      front.close();
      rtcp.close();
      for (const back of backs.values()) void back.then((socket) => socket.close());
    },
  };
}

/** Packets missing between the first and the last of these, as a receiver can know them; sequence numbers may wrap. */
export function lostBetween(passed: readonly PassedDatagram[]): number {
  const first = passed[0]?.sequence ?? 0;
  const numbers = new Set(passed.map(({ sequence }) => ((sequence - first + 98_304) % 65_536) - 32_768));
  return passed.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers) + 1 - numbers.size;
}

/** Interarrival jitter of RFC 3550, 6.4.1, in milliseconds: its mean over the packets, from the instants of sending. */
export function meanJitterMs(passed: readonly PassedDatagram[], clockHz: number): number {
  let jitter = 0;
  let sum = 0;
  for (let i = 1; i < passed.length; i++) {
    const [before, now] = [passed[i - 1] as PassedDatagram, passed[i] as PassedDatagram];
    const mediaMs = (((now.timestamp - before.timestamp) | 0) * 1000) / clockHz;
    jitter += (Math.abs(now.atMs - before.atMs - mediaMs) - jitter) / 16;
    sum += jitter;
  }
  return sum / (passed.length - 1);
}
