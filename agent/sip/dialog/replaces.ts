/** An INVITE that is to take the place of a call (RFC 3891): which call it means, and whether it may. */
import { parameter, parametersOf, trimEnd } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { BaseCall } from './base-call.ts';

/** Option tag (RFC 3891, 7.2). */
export const REPLACES = 'replaces';

type Refusal = { readonly status: number; readonly reason: string };

const NO_SUCH_CALL: Refusal = { status: 481, reason: 'Call/Transaction Does Not Exist' };

/**
 * Null: the INVITE replaces nothing. Otherwise the call to be replaced, or the response (3). Tags and Call-ID work as a
 * password here: only the dialog's ends know them, so a third party got them from one of them (RFC 3891, 8).
 */
export function replacedCall(
  request: SipMessage,
  callWith: (localTag: string) => BaseCall | null,
): BaseCall | Refusal | null {
  const values = request.headerMembers('replaces');
  const value = values[0];
  if (value === undefined) return null;
  const at = parametersOf(value, 0, value.length);
  const toTag = parameter(value, at, value.length, 'to-tag') ?? '';
  const fromTag = parameter(value, at, value.length, 'from-tag') ?? '';
  const callId = value.slice(0, trimEnd(value, 0, value.indexOf(';')));
  const isOne = values.length === 1 && request.header('join') === null;
  if (!isOne || toTag === '' || fromTag === '' || callId === '')
    return { status: 400, reason: 'Bad Request (Replaces)' };
  const call = callWith(toTag);
  if (call === null || call.callId !== callId) return NO_SUCH_CALL;
  const dialog = call.dialogWith(fromTag);
  if (dialog === null) return NO_SUCH_CALL;
  if (call.isEarly) return call.direction === 'OUTGOING' ? ofEarly(call) : NO_SUCH_CALL;
  if (call.state !== 'CONFIRMED' && call.state !== 'ANSWERED') return { status: 603, reason: 'Decline' };
  const isEarlyOnly = parameter(value, at, value.length, 'early-only') !== null;
  return isEarlyOnly ? { status: 486, reason: 'Busy Here' } : call;
}

/** One that is being given up is over for the sender of the INVITE. */
const ofEarly = (call: BaseCall): BaseCall | Refusal =>
  call.state === 'PROCEEDING' ? call : { status: 603, reason: 'Decline' };
