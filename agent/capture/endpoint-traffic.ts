/** All messages of one endpoint: counted by direction, method and status, and kept within limits until reported. */
import type { Traffic, TrafficObserver } from '../sip/engine.ts';
import { ownText } from '../sip/message/own-text.ts';
import { boundedText, MAX_IDENTIFIER, MAX_REASON, methodLabel } from './bounded-text.ts';
import type { MessageStore } from './message-store.ts';

/** Messages of one kind: one method and status, sent or received. */
export type SipCount = {
  readonly sent: boolean;
  readonly method: string;
  readonly status: number;
  readonly reason: string;
  count: number;
  retransmissions: number;
};

/** The maximum number of kinds between two reports; further reason phrases are counted without a phrase. */
const MAX_ROWS = 200;

/** A kind by the words on the wire; kinds that are equal in a report share one row. */
type Kind = {
  readonly method: string;
  readonly reason: string;
  readonly row: SipCount;
  /** Another kind with the same status and direction. */
  readonly next: Kind | null;
};

/** Counts of one share, and the increments since the last reading. */
export class SipCounts {
  /** The kinds by status and direction: numbers are found faster than texts, which would have to be composed first. */
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

  /** Called once per kind, unless a peer keeps inventing new ones. */
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
      // The texts are copied, because a slice would keep the message's whole text.
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

/** A peer that never stops sending must not use up the host: beyond this number, messages are counted and not kept. */
const MAX_MESSAGES = 500;
const MAX_BYTES = 512 * 1024;

/** The parts of messages that the policy and the order allow to be kept. */
export type Keep = { readonly keepMessages: boolean; readonly keepBodies: boolean };

export class EndpointTraffic implements TrafficObserver {
  readonly #endpoint: number;
  readonly #counts: SipCounts;
  readonly #store: MessageStore;
  readonly #keep: Keep;
  /** The number of the endpoint that placed the call; its own until that is known. */
  #caller: number;
  /** The number of messages so far. */
  #number = 0;
  #bytes = 0;
  /** The Call-ID and peer of the newest message, and their words in the store's block with this number. */
  #serial = -1;
  #callId = '';
  #callIdWord = 0;
  #peerWord = 0;
  #peerPort = 0;
  #row = 0;
  /** The address that the last message came from or was sent to; '' before the first. */
  peerAddress = '';
  /** The number of retransmissions, sent and received. */
  sentAgain = 0;
  cameAgain = 0;
  /** The status of the last 2xx to INVITE without an ACK; negative: the peer's; 0: none. */
  unacknowledged = 0;

  /** The counts and the store belong to the endpoint's share. */
  constructor(endpoint: number, counts: SipCounts, store: MessageStore, keep: Keep) {
    this.#endpoint = endpoint;
    this.#caller = endpoint;
    this.#counts = counts;
    this.#store = store;
    this.#keep = keep;
  }

  /** The caller of the INVITE that was the last message; null: not known. */
  set caller(endpoint: number | null) {
    this.#caller = endpoint ?? this.#endpoint;
    if (this.#serial === this.#store.serial) this.#store.setCaller(this.#row, this.#caller);
  }

  onMessage(traffic: Readonly<Traffic>): void {
    this.#counts.add(traffic);
    const { peerAddress, peerPort } = traffic;
    const isNewPeer = peerAddress !== this.peerAddress || peerPort !== this.#peerPort;
    this.peerAddress = peerAddress;
    this.#peerPort = peerPort;
    this.#follow(traffic);
    if (!this.#keep.keepMessages || this.#number >= MAX_MESSAGES || this.#bytes >= MAX_BYTES) return;
    const store = this.#store;
    const bytes = this.#keep.keepBodies ? traffic.text.length : headerBytes(traffic.text);
    store.makeRoom(bytes);
    const isNewBlock = this.#serial !== store.serial;
    this.#serial = store.serial;
    if (isNewBlock || isNewPeer) this.#peerWord = store.peerWord(peerAddress, peerPort);
    // It is usually the same string as before, so that no letters are compared.
    const isNewCall = traffic.callId !== this.#callId;
    if (isNewCall) this.#callId = keptCallId(traffic.callId);
    if (isNewBlock || isNewCall) this.#callIdWord = store.word(boundedText(this.#callId, MAX_IDENTIFIER));
    this.#row = store.add(this.#endpoint, this.#number, this.#caller, traffic, bytes);
    store.setWords(this.#row, this.#callIdWord, this.#peerWord);
    this.#bytes += bytes;
    this.#number++;
  }

  /** Tracks retransmissions, and the response that waits for its ACK (RFC 3261, 13.2.2.4 and 13.3.1.4). */
  #follow({ direction, method, status, retransmission }: Readonly<Traffic>): void {
    const isSent = direction === 'SENT';
    if (retransmission) {
      if (isSent) this.sentAgain++;
      else this.cameAgain++;
    } else if (status >= 200 && status < 300 && method === 'INVITE') this.unacknowledged = isSent ? status : -status;
    else if (method === 'ACK' && isSent === this.unacknowledged < 0) this.unacknowledged = 0;
  }
}

/** The same string is kept, so that the next message shares it; a foreign Call-ID may be as long as its message, however. */
const keptCallId = (text: string): string =>
  text.length <= MAX_IDENTIFIER ? text : ownText(boundedText(text, MAX_IDENTIFIER));

/** Marks a text whose body was removed. Its Content-Length still shows the original length. */
function headerBytes(text: string): number {
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? text.length : end + 4;
}
