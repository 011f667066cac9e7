/** Every message of one endpoint: counted by direction, method and status; kept, within bounds, until it is taken. */
import type { MessageRun, SipCount } from '../run/facts.ts';
import type { Traffic, TrafficObserver } from '../sip/engine.ts';
import { maskCredentials } from './mask.ts';

/** Counts of one share, and the increments since they were last taken. */
export class SipCounts {
  #rows = new Map<string, SipCount>();

  add(t: Readonly<Traffic>): void {
    const sent = t.direction === 'SENT';
    const key = `${sent ? '>' : '<'}${t.status}${t.method} ${t.reason}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { sent, method: t.method, status: t.status, reason: t.reason, count: 0, retransmissions: 0 };
      this.#rows.set(key, row);
    }
    if (t.retransmission) row.retransmissions++;
    else row.count++;
  }

  take(): SipCount[] {
    if (this.#rows.size === 0) return [];
    const taken = [...this.#rows.values()];
    this.#rows = new Map();
    return taken;
  }
}

/** A peer that never stops talking must not use up the host: beyond these, messages are counted and not kept. */
const MAX_MESSAGES = 500;
const MAX_BYTES = 512 * 1024;

export class EndpointTraffic implements TrafficObserver {
  readonly #endpoint: number;
  readonly #counts: SipCounts;
  readonly #keep: boolean;
  #kept: Traffic[] = [];
  #next = 0;
  #bytes = 0;

  constructor(endpoint: number, counts: SipCounts, keep: boolean) {
    this.#endpoint = endpoint;
    this.#counts = counts;
    this.#keep = keep;
  }

  onMessage(traffic: Readonly<Traffic>): void {
    this.#counts.add(traffic);
    if (!this.#keep || this.#next + this.#kept.length >= MAX_MESSAGES || this.#bytes >= MAX_BYTES) return;
    this.#bytes += traffic.text.length;
    // The engine uses its record again.
    this.#kept.push({ ...traffic });
  }

  /** Oldest kept message, NaN if there is none. */
  get sinceMs(): number {
    return this.#kept[0]?.atMs ?? Number.NaN;
  }

  take(): MessageRun | null {
    if (this.#kept.length === 0) return null;
    const kept = this.#kept;
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
    this.#kept = [];
    return run;
  }
}
