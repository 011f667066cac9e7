/** Every message of one endpoint: counted by direction, method and status; kept, within bounds, until it is taken. */
import type { MessageRun, SipCount } from '../run/facts.ts';
import type { Traffic, TrafficObserver } from '../sip/engine.ts';
import { boundedText, MAX_REASON, methodLabel } from './bounded-text.ts';
import { maskCredentials } from './mask.ts';

/** Kinds of messages that are told apart between two reports; reason phrases beyond are counted under none. */
const MAX_ROWS = 200;

/** Counts of one share, and the increments since they were last taken. */
export class SipCounts {
  /** By the words on the wire: those that mean the same to a report share one row. */
  #rows = new Map<string, SipCount>();

  add(t: Readonly<Traffic>): void {
    const row = this.#rows.get(keyOf(t.direction === 'SENT', t.status, t.method, t.reason)) ?? this.#reported(t);
    if (t.retransmission) row.retransmissions++;
    else row.count++;
  }

  /** Once for each kind of message, unless a peer makes up ever new ones. */
  #reported(t: Readonly<Traffic>): SipCount {
    const hasRoom = this.#rows.size < MAX_ROWS;
    const sent = t.direction === 'SENT';
    const method = methodLabel(t.method);
    const reason = hasRoom ? boundedText(t.reason, MAX_REASON) : '';
    const key = keyOf(sent, t.status, method, reason);
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { sent, method, status: t.status, reason, count: 0, retransmissions: 0 };
      this.#rows.set(key, row);
    }
    if (hasRoom) this.#rows.set(keyOf(sent, t.status, t.method, t.reason), row);
    return row;
  }

  take(): SipCount[] {
    if (this.#rows.size === 0) return [];
    const taken = [...new Set(this.#rows.values())];
    this.#rows = new Map();
    return taken;
  }
}

const keyOf = (sent: boolean, status: number, method: string, reason: string): string =>
  `${sent ? '>' : '<'}${status}${method} ${reason}`;

/** A peer that never stops talking must not use up the host: beyond these, messages are counted and not kept. */
const MAX_MESSAGES = 500;
const MAX_BYTES = 512 * 1024;

/** The engine uses its record again, and it holds more than Traffic says: copied whole, it would keep what must go. */
const copyOf = (t: Readonly<Traffic>): Traffic => ({
  direction: t.direction,
  atMs: t.atMs,
  method: t.method,
  status: t.status,
  reason: t.reason,
  retransmission: t.retransmission,
  callId: t.callId,
  transport: t.transport,
  peerAddress: t.peerAddress,
  peerPort: t.peerPort,
  text: t.text,
});

export class EndpointTraffic implements TrafficObserver {
  readonly #endpoint: number;
  readonly #counts: SipCounts;
  readonly #keep: boolean;
  /** Null while there are none: an array of before, once old, would hold the messages that were taken from it until a full collection. */
  #kept: Traffic[] | null = null;
  #next = 0;
  #bytes = 0;

  constructor(endpoint: number, counts: SipCounts, keep: boolean) {
    this.#endpoint = endpoint;
    this.#counts = counts;
    this.#keep = keep;
  }

  onMessage(traffic: Readonly<Traffic>): void {
    this.#counts.add(traffic);
    if (!this.#keep || this.#next + (this.#kept?.length ?? 0) >= MAX_MESSAGES || this.#bytes >= MAX_BYTES) return;
    this.#bytes += traffic.text.length;
    this.#kept ??= [];
    this.#kept.push(copyOf(traffic));
  }

  /** Oldest kept message, NaN if there is none. */
  get sinceMs(): number {
    return this.#kept?.[0]?.atMs ?? Number.NaN;
  }

  take(): MessageRun | null {
    const kept = this.#kept;
    if (kept === null) return null;
    const texts = kept.map((t) => maskCredentials(t.text));
    const run = {
      endpoint: this.#endpoint,
      first: this.#next,
      text: texts.join(''),
      atMs: kept.map((t) => t.atMs),
      sent: kept.map((t) => t.direction === 'SENT'),
      length: texts.map((text) => text.length),
      method: kept.map((t) => t.method),
      status: kept.map((t) => t.status),
      retransmission: kept.map((t) => t.retransmission),
      peer: kept.map((t) => `${t.peerAddress.includes(':') ? `[${t.peerAddress}]` : t.peerAddress}:${t.peerPort}`),
      callId: kept.map((t) => t.callId),
    };
    this.#next += kept.length;
    this.#kept = null;
    return run;
  }
}
