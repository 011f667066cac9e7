/**
 * 2xx responses to INVITE that no call needs (any more): another fork's, one that crossed our CANCEL, a repetition
 * after the call's end. Each is acknowledged, and each new dialog is ended with BYE (RFC 3261, 13.2.2.4 and 15). The
 * response has everything for the ACK, so nothing has to be kept for the 32 s in which they may come, except for calls
 * with credentials, which ACK and BYE need too (RFC 3261, 13.2.2.4 and 22.2). For a user agent that has closed, one
 * sends them that all closed ones share: 32 s of a load's user agents would be most of its memory.
 */

import { Authorization } from '../digest/authorization.ts';
import type { ConnectionOpened, Credentials, TlsSettings, TrafficObserver } from '../engine.ts';
import { parseNameAddress } from '../message/name-address.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientUser, SentRequest } from '../transaction/client-user.ts';
import type { Flow, MessageOwner } from '../transport/send-queue.ts';
import type { WebSocketLine } from '../transport/web-socket-line.ts';
import type { CallAgent } from './call-agent.ts';
import { Dialog } from './dialog.ts';
import { ackTo2xx } from './dialog-request.ts';
import { StrayDialog } from './stray-dialog.ts';

type Closed = {
  readonly tls: TlsSettings | null;
  readonly line: WebSocketLine | null;
  readonly credentials: Credentials | null;
};

export class LateAnswers implements ClientUser, MessageOwner {
  #agent: CallAgent;
  /** What is kept of a user agent that has closed. */
  #closed: Closed | null = null;
  readonly #authorization: Authorization | null;
  readonly #credentials: string;

  /** `credentials` are the INVITE's, as header lines. */
  constructor(agent: CallAgent, authorization: Authorization | null = null, credentials = '') {
    this.#agent = agent;
    this.#authorization = authorization;
    this.#credentials = credentials;
  }

  get traffic(): TrafficObserver {
    return this.#agent.traffic;
  }

  get tls(): TlsSettings | null {
    return (this.#closed ?? this.#agent).tls ?? null;
  }

  get line(): WebSocketLine | null {
    return (this.#closed ?? this.#agent).line ?? null;
  }

  onConnectionOpened(opened: ConnectionOpened): void {
    this.#agent.onConnectionOpened?.(opened);
  }

  onForbidden(method: string, status: number, address: string): void {
    this.#agent.onForbidden?.(method, status, address);
  }

  /** Its user agent has closed: `successor` takes its place. */
  retire(successor: CallAgent): void {
    const { tls = null, line = null, credentials } = this.#agent;
    if (tls !== null || line !== null || credentials !== null) this.#closed = { tls, line, credentials };
    this.#agent = successor;
  }

  onResponse(transaction: SentRequest, response: SipMessage, _atMs: number, repeated: boolean): void {
    if (response.status < 200 || response.status >= 300) return;
    if (repeated) this.#strayOf(transaction, response).acknowledge(true);
    else this.drop(transaction, response);
  }

  /** Acknowledges a 2xx and hangs its dialog up; `flow` is the INVITE's, `dialog` the fork's if it has one already. */
  drop(flow: Flow, response: SipMessage, dialog?: Dialog): void {
    this.#strayOf(flow, response, dialog).hangUp();
  }

  onRequestSent(): void {
    return;
  }

  onNoResponse(): void {
    return;
  }

  #strayOf(flow: Flow, response: SipMessage, dialog = dialogOf(flow, response)): StrayDialog {
    const ack = ackTo2xx(this.#agent, dialog, { cseq: response.cseq, credentials: this.#credentials });
    const credentials = this.#closed?.credentials ?? null;
    const authorization = credentials === null ? this.#authorization : new Authorization(credentials);
    return new StrayDialog(this.#agent, dialog, ack, authorization);
  }
}

function dialogOf(flow: Flow, response: SipMessage): Dialog {
  const local = { tag: response.fromTag, cseq: response.cseq };
  const invitedUri = parseNameAddress(response.to)?.uri ?? '';
  const own = { owner: flow.owner, callId: response.callId, from: `From: ${response.from}`, local };
  return Dialog.ofCaller(response, own, invitedUri, flow.target);
}
