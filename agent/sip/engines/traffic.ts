/** The messages of a user agent, both ways, for observers. */
import type { SipTarget, Traffic, TrafficObserver } from '../engine.ts';
import { ownText } from '../message/own-text.ts';
import type { SipMessage } from '../message/sip-message.ts';

const REMEMBERED = 64;

export class WatchedTraffic {
  readonly #observer: TrafficObserver;
  #isSilent = false;
  /** Recent messages on the line, to recognize a peer's retransmissions. */
  readonly #recent = new Set<string>();
  readonly #record: Traffic = {
    direction: 'SENT',
    atMs: 0,
    method: '',
    status: 0,
    reason: '',
    retransmission: false,
    callId: '',
    transport: 'WS',
    peerAddress: '',
    peerPort: 0,
    // A WebSocket does not say it.
    localPort: 0,
    text: '',
  };

  constructor(observer: TrafficObserver) {
    this.#observer = observer;
  }

  /** No more events: the user agent is closed. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Throws what the observer throws. */
  note(direction: Traffic['direction'], message: SipMessage, atMs: number, target: SipTarget): void {
    if (this.#isSilent) return;
    const key = `${direction}${message.branch}${message.status}${message.cseqText}${message.header('rseq') ?? ''}`;
    const record = this.#record;
    record.direction = direction;
    record.atMs = atMs;
    record.method = message.method;
    record.status = message.status;
    record.reason = message.reason;
    record.retransmission = this.#recent.has(key) && message.status !== 100;
    record.callId = ownText(message.callId);
    record.transport = target.transport;
    record.peerAddress = target.address;
    record.peerPort = target.port;
    record.text = message.text;
    this.#recent.add(key);
    if (this.#recent.size > REMEMBERED) this.#recent.delete(this.#recent.values().next().value as string);
    this.#observer.onMessage(record);
  }
}
