/** The peer's re-INVITE or UPDATE (RFC 3261, 14.2; RFC 3311, 5.2; RFC 4028, 9): target refresh, another session, more time. */
import { isSdpFault } from '@carillon/media/sdp/session-description.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import { AnswerRepeater } from '../answer-repeater.ts';
import type { BaseCall } from '../base-call.ts';
import type { Dialog } from '../dialog.ts';
import { EarlyDialog } from '../early-dialog.ts';
import { warningLine } from '../warning.ts';
import { describeSession } from './describe.ts';
import { isTooShort, type ServerTerms, serverLines, termsFor, tooShortLine } from './session-expires.ts';

export function answerSessionRequest(
  call: BaseCall,
  dialog: Dialog,
  transaction: ServerTransaction,
  request: SipMessage,
  atMs: number,
): void {
  const { response, answer } = call.agent.headers;
  const isInvite = request.method === 'INVITE';
  const offer = request.sdp;
  const refusal = refusalOf(call, dialog, isInvite, offer);
  if (refusal !== null) {
    transaction.respond(refusal.status, refusal.reason, refusal.lines + response, '');
    return;
  }
  // Before the answer there is no session with an interval: the 2xx decides.
  const terms = call.isEarly
    ? null
    : termsFor(request, call.within?.timer?.options ?? call.agent.signalling.sessionTimer);
  if (isTooShort(terms)) {
    transaction.respond(422, 'Session Interval Too Small', tooShortLine(terms) + response, '');
    return;
  }
  let body = '';
  if (offer !== '' || isInvite) {
    const session = call.sessionOf(dialog);
    const described = describeSession(call.events, session.localSdp, offer);
    if (isSdpFault(described)) {
      transaction.respond(488, 'Not Acceptable Here', `${warningLine(described)}\r\n${response}`, '');
      return;
    }
    if (session instanceof EarlyDialog) session.change(offer, described);
    else session.localSdp = described;
    body = described;
  }
  dialog.refresh(request);
  transaction.respond(200, 'OK', (terms === null ? '' : serverLines(terms)) + answer, body);
  if (isInvite) {
    dialog.unacknowledged = new AnswerRepeater(call.agent.layer, transaction, request.cseq, call);
    call.awaitsAnswer = offer === '';
  }
  if (terms !== null) refreshed(call, terms, atMs, offer === '' && !isInvite);
  if (offer !== '') call.events.onSessionChanged?.(body, offer, 'REMOTE', atMs, 'PEER');
}

type Refusal = { readonly status: number; readonly reason: string; readonly lines: string };

/** Why a change of the session cannot be handled now; null: no reason. */
function refusalOf(call: BaseCall, dialog: Dialog, isInvite: boolean, offer: string): Refusal | null {
  if (call.state === 'ENDING' || call.state === 'ENDED') {
    return { status: 481, reason: 'Call/Transaction Does Not Exist', lines: '' };
  }
  if (call.isEarly && (isInvite || (offer !== '' && !call.isEarlySessionSettled(dialog)))) {
    // A peer repeats its request after a random time, so that not all repeat at once (RFC 3261, 14.2).
    const seconds = Math.floor(call.agent.identifiers.random() * 11);
    const reason = 'Server Internal Error (the first INVITE is not answered)';
    return { status: 500, reason, lines: `Retry-After: ${seconds}\r\n` };
  }
  const blocked = isInvite ? call.hasInviteOpen || dialog.unacknowledged !== null : offer !== '' && call.hasOfferOpen;
  return blocked ? { status: 491, reason: 'Request Pending', lines: '' } : null;
}

function refreshed(call: BaseCall, { seconds, refresher }: ServerTerms, atMs: number, alone: boolean): void {
  call.opened.agree(seconds, refresher === 'UAS');
  call.events.onSessionRefreshed?.('REMOTE', atMs, alone);
}
