/**
 * A dialog that nobody wants: a 2xx of a second fork, a 2xx that crossed our CANCEL, a callee whose 2xx was never
 * acknowledged. It is hung up in silence (RFC 3261, 13.2.2.4 and 15); its 2xx goes on being acknowledged.
 */
import type { ClientUser } from '../transaction/client-transaction.ts';
import type { CallAgent } from './call-agent.ts';
import type { Dialog } from './dialog.ts';
import { sendInDialog } from './dialog-request.ts';

export class StrayDialog implements ClientUser {
  readonly dialog: Dialog;
  /** '' where there is nothing to acknowledge. */
  readonly ack: string;
  private readonly agent: CallAgent;

  constructor(agent: CallAgent, dialog: Dialog, ack: string) {
    this.agent = agent;
    this.dialog = dialog;
    this.ack = ack;
  }

  /** Sends the ACK and the BYE. */
  hangUp(): void {
    this.acknowledge(false);
    sendInDialog(this.agent, this.dialog, 'BYE', null, this);
  }

  acknowledge(repeated: boolean): void {
    if (this.ack !== '') this.agent.layer.failover.acknowledge(this.dialog, this.ack, repeated);
  }

  onRequestSent(): void {
    return;
  }

  onResponse(): void {
    return;
  }

  onNoResponse(): void {
    return;
  }
}
