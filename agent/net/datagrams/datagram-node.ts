/**
 * The datagram port over node:dgram, for systems where libc cannot be used. Receive times are taken in user space, when
 * the event loop handles the datagram; `poll` delivers what the loop has collected since.
 */
import { createSocket, type Socket } from 'node:dgram';
import { nowMs } from '../../clock.ts';
import { C } from '../libc.ts';
import { procAddress, UdpDrops } from '../udp-drops.ts';
import {
  type DatagramCounters,
  type DatagramPort,
  type DatagramPortOptions,
  MAX_DATAGRAM_BYTES,
} from './datagram-port.ts';
import { latin1Buffer } from './latin1.ts';
import { familyOf } from './socket-address.ts';

const DEFAULT_BUFFER_BYTES = 8 << 20;

type Arrival = { readonly text: string; readonly atMs: number; readonly address: string; readonly port: number };

/** Binds the socket; rejects with the failed operation and the reason. */
export async function openNodePort(options: DatagramPortOptions, fallbackReason: string | null): Promise<DatagramPort> {
  const family = familyOf(options.address);
  if (family === 0) throw new Error(`cannot listen on "${options.address}": give a numeric IPv4 or IPv6 address`);
  const socket = createSocket({
    type: family === C.AF_INET6 ? 'udp6' : 'udp4',
    ipv6Only: family === C.AF_INET6,
    // Destinations are numeric: node's own look-up would cost a pass through the event loop for every datagram.
    lookup: (hostname, _options, done) => done(null, hostname, family === C.AF_INET6 ? 6 : 4),
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.close();
      reject(new Error(`cannot listen on ${options.address} port ${options.port}: ${error.message}`));
    };
    socket.once('error', fail);
    socket.bind(options.port, options.address, () => {
      socket.removeListener('error', fail);
      resolve();
    });
  });
  return new NodeDatagramPort(socket, options, fallbackReason);
}

class NodeDatagramPort implements DatagramPort {
  readonly adapter = 'dgram';
  readonly stamps = 'user';
  readonly fallbackReason: string | null;
  readonly address: string;
  readonly port: number;
  readonly counters: DatagramCounters = { receiveDrops: 0, truncated: 0, sendErrors: 0, unreachable: 0 };
  readonly #socket: Socket;
  readonly #options: DatagramPortOptions;
  readonly #drops = new UdpDrops();
  readonly #procAddress: string;
  #arrived: Arrival[] = [];
  #open = true;

  constructor(socket: Socket, options: DatagramPortOptions, fallbackReason: string | null) {
    this.#socket = socket;
    this.#options = options;
    this.fallbackReason = fallbackReason;
    const bound = socket.address();
    this.address = bound.address;
    this.port = bound.port;
    this.#procAddress = procAddress(bound.address, bound.port);
    try {
      socket.setRecvBufferSize(options.receiveBufferBytes ?? DEFAULT_BUFFER_BYTES);
      socket.setSendBufferSize(DEFAULT_BUFFER_BYTES);
    } catch {
      // A system that refuses the size keeps its own, with less space for bursts.
    }
    socket.on('error', () => this.counters.sendErrors++);
    socket.on('message', (data, from) => {
      const text = latin1Buffer(data).latin1Slice(0, data.length);
      this.#arrived.push({ text, atMs: nowMs(), address: from.address, port: from.port });
    });
  }

  send(text: string, address: string, port: number): boolean {
    if (text.length > MAX_DATAGRAM_BYTES || !this.#open || familyOf(address) === 0) return false;
    this.#socket.send(Buffer.from(text, 'latin1'), port, address, (error) => {
      if (error !== null) this.#refused(text, address, port, error);
    });
    return true;
  }

  poll(): number {
    this.counters.receiveDrops = this.#drops.look(nowMs())?.get(this.#procAddress) ?? this.counters.receiveDrops;
    if (this.#arrived.length === 0) return 0;
    const batch = this.#arrived;
    this.#arrived = [];
    for (const arrival of batch) {
      if (this.#open) this.#options.onDatagram(arrival.text, arrival.atMs, arrival.address, arrival.port);
    }
    return batch.length;
  }

  /** `node:dgram` passes each datagram to the kernel immediately. */
  flush(): void {
    return;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#socket.close();
  }

  #refused(text: string, address: string, port: number, error: Error): void {
    this.counters.sendErrors++;
    const code = 'code' in error ? error.code : '';
    if (code === 'ECONNREFUSED' || code === 'EAGAIN' || !this.#open) return;
    this.#options.onSendError?.(text, address, port, error.message);
  }
}
