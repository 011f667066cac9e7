/**
 * An unwanted dialog: a 2xx of a second fork, a 2xx that crossed our CANCEL, a callee whose 2xx was never acknowledged.
 * It is ended without reports (RFC 3261, 13.2.2.4 and 15); its 2xx is still acknowledged.
 */
import { Authorization } from '../digest/authorization.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientUser, SentRequest } from '../transaction/client-user.ts';
import type { CallAgent } from './call-agent.ts';
import type { Dialog } from './dialog.ts';
import { sendInDialog } from './dialog-request.ts';

export class StrayDialog implements ClientUser {
  readonly dialog: Dialog;
  /** '' if there is nothing to acknowledge. */
  readonly ack: string;
  readonly #agent: CallAgent;
  #authorization: Authorization | null;
  #challenged = false;

  /** `authorization` is what the INVITE's call knows of challenges. */
  constructor(agent: CallAgent, dialog: Dialog, ack: string, authorization: Authorization | null) {
    this.#agent = agent;
    this.dialog = dialog;
    this.ack = ack;
    this.#authorization = authorization;
  }

  /** Sends the ACK and the BYE. */
  hangUp(): void {
    this.acknowledge(false);
    this.#sendBye();
  }

  acknowledge(repeated: boolean): void {
    if (this.ack !== '') this.#agent.layer.failover.acknowledge(this.dialog, this.ack, repeated);
  }

  onRequestSent(): void {
    return;
  }

  onResponse(_transaction: SentRequest, response: SipMessage): void {
    if (response.status !== 401 && response.status !== 407) return;
    this.#authorization ??= new Authorization(this.#agent.credentials);
    if (!this.#challenged) this.#authorization.begin();
    this.#challenged = true;
    if (this.#authorization.accept(response) === null) this.#sendBye();
  }

  /** Another server has its own challenges. */
  onFailover(): void {
    this.#challenged = false;
  }

  onNoResponse(): void {
    return;
  }

  #sendBye(): void {
    const { dialog } = this;
    const agent = this.#agent;
    const authorization = this.#authorization;
    sendInDialog(agent, dialog, this, { method: 'BYE', authorization, lines: agent.headers.plain });
  }
}
