/** Every message of one endpoint: counted by direction, method and status; kept, within bounds, until it is taken. */
import type { MessageRun, SipCount } from '../run/facts.ts';
import type { Traffic, TrafficObserver } from '../sip/engine.ts';
import { ownText } from '../sip/message/own-text.ts';
import { boundedText, MAX_REASON, methodLabel } from './bounded-text.ts';
import { maskCredentials } from './mask.ts';
import { MessageStore, NO_RECORD } from './message-store.ts';

/** Kinds of messages that are told apart between two reports; reason phrases beyond are counted under none. */
const MAX_ROWS = 200;

/** A kind of message by the words on the wire; those that mean the same to a report share one row. */
type Kind = {
  readonly method: string;
  readonly reason: string;
  readonly row: SipCount;
  /** Another with the same status and direction. */
  readonly next: Kind | null;
};

/** Counts of one share, and the increments since they were last taken. */
export class SipCounts {
  /** By status and direction: numbers are found sooner than texts that would have to be put together first. */
  #kinds = new Map<number, Kind>();
  #rows: SipCount[] = [];
  #known = 0;

  add(t: Readonly<Traffic>): void {
    const { status, method, reason } = t;
    const key = status * 2 + (t.direction === 'SENT' ? 1 : 0);
    let kind = this.#kinds.get(key) ?? null;
    while (kind !== null && (kind.method !== method || kind.reason !== reason)) kind = kind.next;
    const row = kind === null ? this.#reported(t, key) : kind.row;
    if (t.retransmission) row.retransmissions++;
    else row.count++;
  }

  /** Once for each kind of message, unless a peer makes up ever new ones. */
  #reported(t: Readonly<Traffic>, key: number): SipCount {
    const hasRoom = this.#known < MAX_ROWS;
    const sent = t.direction === 'SENT';
    const { status } = t;
    const method = methodLabel(t.method);
    const reason = hasRoom ? boundedText(t.reason, MAX_REASON) : '';
    const isIt = (r: SipCount): boolean =>
      r.status === status && r.sent === sent && r.method === method && r.reason === reason;
    let row = this.#rows.find(isIt);
    if (row === undefined) {
      row = { sent, method, status, reason, count: 0, retransmissions: 0 };
      this.#rows.push(row);
    }
    if (hasRoom) {
      // Text of the message: it would be kept behind a slice of it.
      const kind = { method: ownText(t.method), reason: ownText(t.reason), row, next: this.#kinds.get(key) ?? null };
      this.#kinds.set(key, kind);
      this.#known++;
    }
    return row;
  }

  take(): SipCount[] {
    const taken = this.#rows;
    if (taken.length === 0) return taken;
    this.#kinds = new Map();
    this.#rows = [];
    this.#known = 0;
    return taken;
  }
}

/** A peer that never stops talking must not use up the host: beyond these, messages are counted and not kept. */
const MAX_MESSAGES = 500;
const MAX_BYTES = 512 * 1024;

/** What of messages may be kept, by the owner's policy and the order. */
export type Keep = { readonly keepMessages: boolean; readonly keepBodies: boolean };

/** Of all endpoints of the thread. */
const store = new MessageStore();

export class EndpointTraffic implements TrafficObserver {
  readonly #endpoint: number;
  readonly #counts: SipCounts;
  readonly #keep: Keep;
  readonly #localAddress: string;
  /** Number of the endpoint that placed the call; null: not known. */
  caller: number | null = null;
  /** Records of the store: the oldest and the newest. */
  #first = NO_RECORD;
  #last = NO_RECORD;
  /** Messages so far. */
  #number = 0;
  /** The oldest one's number. */
  #firstNumber = 0;
  #bytes = 0;
  /** Of the newest. */
  #callId = '';
  #peerAddress = '';
  /** Whom the last message came from or went to; '' before the first. */
  peerAddress = '';

  /** `localAddress`: the engine's. */
  constructor(endpoint: number, counts: SipCounts, keep: Keep, localAddress = '') {
    this.#localAddress = localAddress;
    this.#endpoint = endpoint;
    this.#counts = counts;
    this.#keep = keep;
  }

  onMessage(traffic: Readonly<Traffic>): void {
    this.#counts.add(traffic);
    this.peerAddress = traffic.peerAddress;
    if (!this.#keep.keepMessages || this.#number >= MAX_MESSAGES || this.#bytes >= MAX_BYTES) return;
    const text = this.#keep.keepBodies ? traffic.text : headersOf(traffic.text);
    this.#bytes += text.length;
    this.#number++;
    // The engine uses its record again; a Call-ID may be a slice, and would keep the text that it was cut from.
    const isNewCall = traffic.callId !== this.#callId;
    if (isNewCall) this.#callId = ownText(traffic.callId);
    const isNewPeer = traffic.peerAddress !== this.#peerAddress;
    if (isNewPeer) this.#peerAddress = traffic.peerAddress;
    const callId = isNewCall ? this.#callId : '';
    const peerAddress = isNewPeer ? this.#peerAddress : '';
    this.#last = store.add(this.#last, traffic, maskCredentials(text), callId, peerAddress);
    if (this.#first === NO_RECORD) this.#first = this.#last;
  }

  /** Oldest kept message, NaN if there is none. */
  get sinceMs(): number {
    return this.#first === NO_RECORD ? Number.NaN : store.atMs(this.#first);
  }

  /** What is kept and not told yet is not wanted any more. */
  forget(): void {
    this.take();
  }

  take(): MessageRun | null {
    if (this.#first === NO_RECORD) return null;
    const run: MessageRun = {
      endpoint: this.#endpoint,
      first: this.#firstNumber,
      localAddress: this.#localAddress,
      caller: this.caller,
      ...store.take(this.#first),
    };
    this.#first = NO_RECORD;
    this.#last = NO_RECORD;
    this.#callId = '';
    this.#peerAddress = '';
    this.#firstNumber = this.#number;
    return run;
  }
}

/** Its Content-Length goes on telling what was there. */
function headersOf(text: string): string {
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? text : text.slice(0, end + 4);
}
