/**
 * Asks a STUN server for the public addresses of sockets (RFC 8445, 5.1.1.2), all sockets of a request together. Uses
 * no socket and no clock.
 */
import { REQUEST, readStun, SUCCESS, writeStun } from '@carillon/media/ice/stun.ts';
import type { IceEvents } from './ice-agent.ts';

type Address = { readonly address: string; readonly port: number };
type Lookup = {
  readonly server: Address;
  readonly transaction: string;
  readonly done: (mapped: Address | null) => void;
  sends: number;
  dueAtMs: number;
};

/**
 * A call waits for the answer: requests are sent at 0, 0.5 and 1.5 s, and given up at 2.5 s (RFC 8489, 6.2.1, with
 * fewer repetitions).
 */
const RTO_MS = 500;
const WAITS_MS = [RTO_MS, 2 * RTO_MS, 2 * RTO_MS];

export class ReflexiveLookups {
  readonly #lookups = new Map<number, Lookup>();
  readonly #events: Pick<IceEvents, 'hmac' | 'random'>;
  readonly #send: (row: number, datagram: Uint8Array, to: Address) => void;

  constructor(
    events: Pick<IceEvents, 'hmac' | 'random'>,
    send: (row: number, datagram: Uint8Array, to: Address) => void,
  ) {
    this.#events = events;
    this.#send = send;
  }

  get isEmpty(): boolean {
    return this.#lookups.size === 0;
  }

  /** `done` is called once, with null if no answer arrived. */
  begin(row: number, server: Address, nowMs: number, done: Lookup['done']): void {
    const transaction = String.fromCharCode(
      ...Array.from({ length: 12 }, () => Math.floor(this.#events.random() * 256)),
    );
    this.#lookups.set(row, { server, transaction, done, sends: 0, dueAtMs: nowMs });
  }

  turn(nowMs: number): void {
    for (const [row, lookup] of this.#lookups) {
      if (nowMs < lookup.dueAtMs) continue;
      const wait = WAITS_MS[lookup.sends];
      if (wait === undefined) this.end(row, null);
      else {
        lookup.sends += 1;
        lookup.dueAtMs = nowMs + wait;
        const { transaction, server } = lookup;
        this.#send(row, writeStun({ type: REQUEST, transaction }, this.#events.hmac, null), server);
      }
    }
  }

  /** False: the datagram is not an expected answer. */
  take(row: number, datagram: Uint8Array, from: Address): boolean {
    const lookup = this.#lookups.get(row);
    const message = lookup === undefined ? null : readStun(datagram);
    if (lookup === undefined || message === null || message.transaction !== lookup.transaction) return false;
    if (from.address !== lookup.server.address || from.port !== lookup.server.port) return false;
    this.end(row, message.type === SUCCESS ? (message.mapped ?? null) : null);
    return true;
  }

  end(row: number, mapped: Address | null): void {
    const lookup = this.#lookups.get(row);
    this.#lookups.delete(row);
    lookup?.done(mapped);
  }
}
