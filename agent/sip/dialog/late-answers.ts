/**
 * 2xx responses to INVITE that no call wants (any more): another fork's, one that crossed our CANCEL, a repetition that
 * comes behind the call's end. Each is acknowledged, each dialog that is new is hung up (RFC 3261, 13.2.2.4 and 15).
 * All that the ACK needs stands in the response, so nothing has to be kept for the 32 s in which they may come.
 */

import { parseNameAddress } from '../message/name-address.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ClientTransaction, ClientUser } from '../transaction/client-transaction.ts';
import type { Flow } from '../transport/outbox.ts';
import type { CallAgent } from './call-agent.ts';
import { Dialog } from './dialog.ts';
import { ackTo2xx } from './dialog-request.ts';
import { StrayDialog } from './stray-dialog.ts';

export class LateAnswers implements ClientUser {
  private readonly agent: CallAgent;

  constructor(agent: CallAgent) {
    this.agent = agent;
  }

  onResponse(transaction: ClientTransaction, response: SipMessage, _atMs: number, repeated: boolean): void {
    if (response.status < 200 || response.status >= 300) return;
    if (repeated) this.strayOf(transaction, response).acknowledge(true);
    else this.drop(transaction, response);
  }

  /** Acknowledges a 2xx and hangs its dialog up; `flow` is the INVITE's, `cseq` that of our last request in the dialog. */
  drop(flow: Flow, response: SipMessage, cseq = response.cseq): void {
    this.strayOf(flow, response, cseq).hangUp();
  }

  onRequestSent(): void {
    return;
  }

  onNoResponse(): void {
    return;
  }

  private strayOf(flow: Flow, response: SipMessage, cseq = response.cseq): StrayDialog {
    const local = { tag: response.fromTag, cseq };
    const invitedUri = parseNameAddress(response.to)?.uri ?? '';
    const dialog = Dialog.ofCaller(
      response,
      flow.party,
      response.callId,
      response.from,
      local,
      invitedUri,
      flow.target,
    );
    return new StrayDialog(this.agent, dialog, ackTo2xx(this.agent, dialog, response.cseq, ''));
  }
}
