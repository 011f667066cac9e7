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

/** Messages that are kept, a column for each thing that is reported of them. */
type Kept = Omit<Writable<MessageRun>, 'text' | 'localAddress' | 'caller'> & { readonly texts: string[] };
type Writable<T> = { readonly [name in keyof T]: T[name] extends readonly (infer Item)[] ? Item[] : T[name] };

export class EndpointTraffic implements TrafficObserver {
  readonly #endpoint: number;
  readonly #counts: SipCounts;
  readonly #keep: boolean;
  readonly #localAddress: string;
  /** Number of the endpoint that placed the call; null: not known. */
  caller: number | null = null;
  /** Null while there are none: columns of before, once old, would hold the messages that were taken from them until a full collection. */
  #kept: Kept | null = null;
  #next = 0;
  #bytes = 0;

  /** `localAddress`: the engine's. */
  constructor(endpoint: number, counts: SipCounts, keep: boolean, localAddress = '') {
    this.#localAddress = localAddress;
    this.#endpoint = endpoint;
    this.#counts = counts;
    this.#keep = keep;
  }

  onMessage(traffic: Readonly<Traffic>): void {
    this.#counts.add(traffic);
    if (!this.#keep || this.#next + (this.#kept?.texts.length ?? 0) >= MAX_MESSAGES || this.#bytes >= MAX_BYTES) return;
    this.#bytes += traffic.text.length;
    this.#kept ??= noneOf(this.#endpoint, this.#next);
    // The engine uses its record again.
    const { atMs, direction, text, method, status, retransmission, callId, peerAddress, peerPort } = traffic;
    const { transport, localPort } = traffic;
    const kept = this.#kept;
    const masked = maskCredentials(text);
    kept.texts.push(masked);
    kept.atMs.push(atMs);
    kept.sent.push(direction === 'SENT');
    kept.length.push(masked.length);
    kept.method.push(method);
    kept.status.push(status);
    kept.retransmission.push(retransmission);
    kept.peer.push(peerOf(peerAddress, peerPort));
    kept.callId.push(callId);
    kept.transport.push(transport);
    kept.localPort.push(localPort);
  }

  /** Oldest kept message, NaN if there is none. */
  get sinceMs(): number {
    return this.#kept?.atMs[0] ?? Number.NaN;
  }

  take(): MessageRun | null {
    const kept = this.#kept;
    if (kept === null) return null;
    this.#kept = null;
    this.#next += kept.texts.length;
    return {
      endpoint: kept.endpoint,
      first: kept.first,
      text: kept.texts.join(''),
      atMs: kept.atMs,
      sent: kept.sent,
      length: kept.length,
      method: kept.method,
      status: kept.status,
      retransmission: kept.retransmission,
      peer: kept.peer,
      callId: kept.callId,
      localAddress: this.#localAddress,
      caller: this.caller,
      transport: kept.transport,
      localPort: kept.localPort,
    };
  }
}

/** As the one before, mostly. */
let lastPeer = { address: '', port: 0, text: '' };

function peerOf(address: string, port: number): string {
  if (lastPeer.port !== port || lastPeer.address !== address) {
    lastPeer = { address, port, text: `${address.includes(':') ? `[${address}]` : address}:${port}` };
  }
  return lastPeer.text;
}

const noneOf = (endpoint: number, first: number): Kept => ({
  endpoint,
  first,
  texts: [],
  atMs: [],
  sent: [],
  length: [],
  method: [],
  status: [],
  retransmission: [],
  peer: [],
  callId: [],
  transport: [],
  localPort: [],
});
