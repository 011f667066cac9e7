/** Requests of the peer within a call's dialog (RFC 3261, 12.2.2, 14.2 and 15.1.2; UPDATE: RFC 3311, 5.2). */
import { answerAgain, offerAgain } from '@carillon/media/sdp/answer.ts';
import { recall } from '@carillon/media/sdp/recall.ts';
import { isSdpFault, type SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { AnswerRepeater } from './answer-repeater.ts';
import type { BaseCall } from './base-call.ts';
import { contactOf, type Dialog } from './dialog.ts';

/** Answers a request whose tags and Call-ID are the dialog's. ACK and CANCEL do not come here. */
export function answerInDialog(
  call: BaseCall,
  dialog: Dialog,
  transaction: ServerTransaction,
  request: SipMessage,
  atMs: number,
): void {
  const { response, answer } = call.agent.headers;
  if (dialog.remoteCseq >= 0 && request.cseq <= dialog.remoteCseq) {
    transaction.respond(500, 'Server Internal Error (CSeq out of order)', response, '');
    return;
  }
  dialog.remoteCseq = request.cseq;
  switch (request.method) {
    case 'BYE':
      transaction.respond(200, 'OK', response, '');
      call.receiveBye(atMs);
      break;
    case 'INVITE':
    case 'UPDATE':
      changeSession(call, dialog, transaction, request, atMs);
      break;
    case 'PRACK':
      call.receivePrack(transaction, request, atMs);
      break;
    case 'OPTIONS':
      transaction.respond(200, 'OK', `${answer}Accept: application/sdp\r\n`, '');
      break;
    default:
      transaction.respond(200, 'OK', response, '');
  }
}

/** A re-INVITE or UPDATE: target refresh, and a new description of the session if it carries one. */
function changeSession(
  call: BaseCall,
  dialog: Dialog,
  transaction: ServerTransaction,
  request: SipMessage,
  atMs: number,
): void {
  const { response, answer } = call.agent.headers;
  if (call.isEarly && (request.method === 'INVITE' || (request.body !== '' && !call.isEarlySessionSettled))) {
    const retryAfter = `Retry-After: ${Math.floor(Math.random() * 11)}\r\n`;
    transaction.respond(500, 'Server Internal Error (the first INVITE is not answered)', retryAfter + response, '');
    return;
  }
  if (dialog.unacknowledged !== null) {
    transaction.respond(491, 'Request Pending', response, '');
    return;
  }
  if (call.state !== 'CONFIRMED' && !call.isEarly) {
    transaction.respond(481, 'Call/Transaction Does Not Exist', response, '');
    return;
  }
  const offer = request.body;
  let body = '';
  if (offer !== '' || request.method === 'INVITE') {
    const described = describe(call, call.localSdp, offer);
    if (isSdpFault(described)) {
      // 304: media type not available, the nearest of RFC 3261's warnings (20.43).
      const warning = `Warning: 304 carillon "${described.reason.replace(/[^ !#-[\]-~]/g, ' ')}"\r\n`;
      transaction.respond(488, 'Not Acceptable Here', warning + response, '');
      return;
    }
    call.localSdp = described;
    body = described;
  }
  const contact = contactOf(request);
  if (contact !== null) dialog.retarget(contact);
  transaction.respond(200, 'OK', answer, body);
  if (request.method === 'INVITE') {
    dialog.unacknowledged = new AnswerRepeater(call.agent.layer, transaction, request.cseq, call);
    call.awaitsAnswer = offer === '';
  }
  if (offer !== '') call.events.onSessionChanged?.(call.localSdp, offer, 'REMOTE', atMs);
}

/** Our answer to an offer within the session whose description of ours is `local`; our own offer where `offer` is ''. */
export const describe = (call: BaseCall, local: string, offer: string): string | SdpFault =>
  call.events.onSessionOffer?.(local, offer) ?? describeAgain(local, offer);

function describeAgain(current: string, offer: string): string | SdpFault {
  const local = recall(current, 'sendrecv');
  if (isSdpFault(local)) return local;
  return offer === '' ? offerAgain(current, local) : answerAgain(current, offer, local);
}
