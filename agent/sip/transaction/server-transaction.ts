/**
 * A request we received and our responses to it (RFC 3261, 17.2; RFC 6026, 8): answers its repetitions with the last
 * response, re-sends 3xx to 6xx to INVITE until the ACK. A 2xx to INVITE is re-sent by the call (13.3.1.4).
 */
import type { SipTarget } from '../engine.ts';
import { bodyText, responseText } from '../message/build.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ServerTimer } from '../timers.ts';
import { Connection } from '../transport/connection.ts';
import { defaultPort } from '../transport/next-hop.ts';
import type { MessageOwner, SendQueue, SentResponse } from '../transport/send-queue.ts';
import { type Arrival, mergeKey } from './arrival.ts';
import { callAndSequence, responseTarget, viaToTo } from './response-head.ts';
import { SERVER_ROWS } from './rows.ts';
import type { ServerEvent, ServerState } from './tables.ts';
import { type Timekeeper, Transaction } from './transaction.ts';

/** Events of an INVITE's transaction for the call that answers it. */
export interface ServerUser {
  onCancel(cancel: SipMessage, atMs: number): void;
}

export interface ServerLayer extends Timekeeper {
  readonly sendQueue: SendQueue;
  /** It was answered: repetitions of its request are waited for, by as little as can be. */
  compactServer(transaction: ServerTransaction, text: string): void;
  /** It has ended. */
  forgetServer(transaction: ServerTransaction): void;
}

const NO_RESPONSE: SentResponse = { status: 0, reason: '', text: '' };

export class ServerTransaction extends Transaction<ServerState, ServerEvent, ServerTimer, ServerLayer> {
  readonly key: string;
  /** The hash of the key. */
  readonly hash: number;
  /** '' if merged requests are not looked for. */
  readonly mergeKey: string;
  readonly mergeHash: number;
  readonly method: string;
  readonly callId: string;
  target: SipTarget;
  /** The place where the peer listens, in case the connection of the request is lost (RFC 3261, 18.2.2). */
  readonly #sentByPort: number;
  /** Tag of our responses in To if the request had none. */
  readonly localTag: string;
  owner: MessageOwner;
  user: ServerUser | null = null;
  /** Via, From and To (our tag may follow), then Call-ID and CSeq. */
  #viaToTo: string;
  #callAndSequence: string;
  readonly #hadToTag: boolean;
  #last: SentResponse = NO_RESPONSE;

  constructor(layer: ServerLayer, arrival: Arrival, owner: MessageOwner, localTag: string, callId: string) {
    super(layer, arrival.request.method === 'INVITE' ? SERVER_ROWS.invite : SERVER_ROWS.other);
    const { request, via } = arrival;
    this.key = arrival.key;
    this.hash = arrival.hash;
    this.mergeKey = request.toTag === '' && request.method !== 'CANCEL' ? mergeKey(request) : '';
    this.mergeHash = request.mergeHash;
    this.method = request.method;
    // It waits for 32 s after its answer: the request must not wait with it.
    this.callId = callId;
    const { source } = arrival;
    this.#sentByPort = via.port;
    this.target = responseTarget(via, source);
    this.owner = owner;
    this.localTag = localTag;
    this.#viaToTo = viaToTo(request, via, source);
    this.#callAndSequence = callAndSequence(callId, request);
    this.#hadToTag = request.toTag !== '';
  }

  /** Any response was sent. */
  get hasResponded(): boolean {
    return this.#last.status > 0;
  }

  /** A final response was sent. */
  get answered(): boolean {
    return this.#last.status >= 200;
  }

  /** Sends a response, unless the machine refuses: a final response was sent before. `headers` are whole lines. */
  respond(status: number, reason: string, headers: string, body: string, contentType?: string): void {
    const event = status < 200 ? 'SEND_1XX' : status < 300 ? 'SEND_2XX' : 'SEND_3XX_6XX';
    if (this.answered || !this.knows(event)) return;
    // 100 Trying creates no dialog and needs no tag (RFC 3261, 8.2.6.2).
    const tag = this.#hadToTag || status === 100 ? '' : `;tag=${this.localTag}`;
    const head = `${this.#viaToTo}${tag}${this.#callAndSequence}`;
    const text = responseText(status, reason, head, headers, bodyText(body, contentType));
    this.#last = { status, reason, text };
    this.#send(false);
    this.move(event);
    if (status >= 200) {
      this.user = null;
      this.#viaToTo = '';
      this.#callAndSequence = '';
      // Over TCP and TLS timer J is 0.
      if (this.state === 'COMPLETED' && this.method !== 'INVITE' && this.target.transport === 'UDP')
        this.layer.compactServer(this, text);
    }
  }

  /** Our 2xx to INVITE was acknowledged: it will not be sent again. */
  forget2xx(): void {
    this.#last = { ...this.#last, text: '' };
    if (this.state === 'ACCEPTED') this.layer.compactServer(this, '');
  }

  /** Retransmits the last provisional response: a reliable one (RFC 3262, 3). */
  repeat1xx(): void {
    if (!this.answered && this.move('SEND_1XX')) this.#send(true);
  }

  /** The 2xx to INVITE once more. */
  repeat2xx(): void {
    if (this.move('SEND_2XX')) this.#send(true);
  }

  /** The request came again: so does the response (17.2.1, 17.2.2), but not a 2xx to INVITE (RFC 6026, 7.1). */
  receiveAgain(): void {
    if (this.move('REQUEST') && this.#last.text !== '' && this.state !== 'ACCEPTED' && this.state !== 'CONFIRMED')
      this.#send(true);
  }

  /** Takes an ACK to a 3xx to 6xx response; true if it is the first. */
  receiveAck(): boolean {
    const first = this.state === 'COMPLETED';
    this.move('ACK');
    if (this.state === 'CONFIRMED') this.#last = { ...this.#last, text: '' };
    return first;
  }

  protected override resend(): void {
    this.#send(true);
  }

  protected override onTimeout(timer: ServerTimer): void {
    this.move(timer);
  }

  protected override onTerminated(): void {
    this.layer.forgetServer(this);
  }

  #send(retransmission: boolean): void {
    this.target = answerable(this.target, this.#sentByPort);
    this.layer.sendQueue.sendResponse(this, this.method, this.#last, retransmission);
  }
}

/** Over the request's connection or, if it is closed, to the peer's listening address. */
function answerable(target: SipTarget, sentByPort: number): SipTarget {
  if (!(target instanceof Connection) || !target.isClosed) return target;
  const { transport, address } = target;
  return { transport, address, port: sentByPort || defaultPort(transport) };
}
