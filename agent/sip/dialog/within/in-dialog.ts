/** Requests of the peer within a call's dialog (RFC 3261, 12.2.2 and 15.1.2); sessions change in session-request.ts. */
import { ACCEPTED_BODIES } from '../../message/build.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { ownText } from '../../message/own-text.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { parseUri } from '../../message/uri.ts';
import { uriHeaders } from '../../message/uri-headers.ts';
import type { ServerTransaction } from '../../transaction/server-transaction.ts';
import type { BaseCall } from '../base-call.ts';
import type { Dialog } from '../dialog.ts';
import { Referred } from './referred.ts';
import { answerSessionRequest } from './session-request.ts';
import { isWithoutSubscription, notifyRefusal, WITHOUT_SUBSCRIPTION } from './sipfrag.ts';

/** Taken by a dialog whose call has ended, while a subscription uses it (RFC 5057, 4.1). */
const BESIDE_CALLS: ReadonlySet<string> = new Set(['NOTIFY', 'OPTIONS']);

/** Answers a request whose tags and Call-ID are the dialog's. ACK and CANCEL do not come here. */
export function answerInDialog(
  call: BaseCall,
  dialog: Dialog,
  transaction: ServerTransaction,
  request: SipMessage,
  atMs: number,
): void {
  const { response } = call.agent.headers;
  if (dialog.remoteCseq >= 0 && request.cseq <= dialog.remoteCseq) {
    transaction.respond(500, 'Server Internal Error (CSeq out of order)', response, '');
    return;
  }
  dialog.remoteCseq = request.cseq;
  if (call.state === 'ENDED' && !BESIDE_CALLS.has(request.method)) {
    transaction.respond(481, 'Call/Transaction Does Not Exist', response, '');
    return;
  }
  switch (request.method) {
    case 'BYE':
      transaction.respond(200, 'OK', response, '');
      call.receiveBye(request, atMs);
      break;
    case 'INVITE':
    case 'UPDATE':
      answerSessionRequest(call, dialog, transaction, request, atMs);
      break;
    case 'PRACK':
      call.receivePrack(transaction, request, atMs);
      break;
    case 'OPTIONS':
      transaction.respond(200, 'OK', `${call.agent.headers.answer}Accept: ${ACCEPTED_BODIES}\r\n`, '');
      break;
    case 'INFO':
      answerInfo(call, transaction, request, atMs);
      break;
    case 'REFER':
      answerRefer(call, dialog, transaction, request, atMs);
      break;
    case 'NOTIFY':
      answerNotify(call, dialog, transaction, request, atMs);
      break;
    default:
      transaction.respond(200, 'OK', response, '');
  }
}

function answerInfo(call: BaseCall, transaction: ServerTransaction, request: SipMessage, atMs: number): void {
  const { response } = call.agent.headers;
  if (request.header('info-package') !== null) {
    // We have announced no INFO packages (RFC 6086, 4.2.2).
    transaction.respond(469, 'Bad Info Package', `Recv-Info:\r\n${response}`, '');
    return;
  }
  transaction.respond(200, 'OK', response, '');
  call.events.onInfo?.(mediaType(request), request.body, atMs);
}

/** The owner decides whether we call the target that the peer refers us to (RFC 3515, 2.4.2). */
function answerRefer(
  call: BaseCall,
  dialog: Dialog,
  transaction: ServerTransaction,
  request: SipMessage,
  atMs: number,
): void {
  const { response, contact } = call.agent.headers;
  const targets = request.headerMembers('refer-to');
  const target = parseNameAddress(targets[0] ?? '');
  if (targets.length !== 1 || target === null || parseUri(target.uri) === 'SYNTAX') {
    transaction.respond(400, 'Bad Request (Refer-To)', response, '');
    return;
  }
  const uri = parseUri(target.uri);
  if (typeof uri !== 'string' && uriHeaders(target.uri, uri) === null) {
    transaction.respond(400, 'Bad Request (headers of Refer-To)', response, '');
    return;
  }
  const isFree = call.state === 'CONFIRMED' && call.within?.referred?.isOver !== false;
  const isWanted = isFree && typeof uri !== 'string' && call.events.onRefer?.(ownText(target.uri), atMs);
  if (!isWanted) {
    transaction.respond(603, 'Decline', response, '');
    return;
  }
  dialog.refresh(request);
  const isSilent = isWithoutSubscription(request);
  const lines = isSilent ? `${WITHOUT_SUBSCRIPTION}\r\n` : '';
  transaction.respond(202, 'Accepted', `${lines}${contact}${response}`, '');
  if (!isSilent && call.state === 'CONFIRMED') call.opened.referred = new Referred(call, request.cseq);
}

/** Progress of the peer's call after our REFER. */
function answerNotify(
  call: BaseCall,
  dialog: Dialog,
  transaction: ServerTransaction,
  request: SipMessage,
  atMs: number,
): void {
  const { response, contact } = call.agent.headers;
  const referral = call.within?.referral ?? null;
  const refusal = notifyRefusal(request, referral);
  if (refusal !== null) {
    const lines = refusal.status === 489 ? 'Allow-Events: refer\r\n' : '';
    transaction.respond(refusal.status, refusal.reason, lines + response, '');
    return;
  }
  dialog.refresh(request);
  transaction.respond(200, 'OK', contact + response, '');
  referral?.onNotify(request, atMs);
}

const mediaType = (request: SipMessage): string =>
  ((request.header('content-type') ?? '').split(';')[0] as string).replace(/\s/g, '').toLowerCase();
