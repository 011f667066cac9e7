/** Fragments of SIP messages as bodies (RFC 3420): the status lines that report a referred call (RFC 3515, 2.4.5). */
import { endOfParameter, isWord, parameter, trimEnd } from '../../message/scan.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { headerText } from '../../message/wire-text.ts';

export const SIPFRAG = 'message/sipfrag;version=2.0';

export const statusFragment = (status: number, reason: string): string => `SIP/2.0 ${status} ${headerText(reason)}\r\n`;

/** Null: it does not start with a status line. */
function statusOf(fragment: string): { readonly status: number; readonly reason: string } | null {
  const line = /^SIP\/2\.0 +([1-6]\d\d)(?: +([^ \r\n][^\r\n]*)?)?(?:\r?\n|$)/i.exec(fragment);
  return line === null ? null : { status: Number(line[1]), reason: line[2] ?? '' };
}

/** Status 0: no status line; of the last one, the subscription ended without a result. `expires`: of Subscription-State, '' if absent. */
type Report = {
  readonly status: number;
  readonly reason: string;
  readonly isLast: boolean;
  readonly expires: string;
};

/** What a NOTIFY reports of the call that we asked for (RFC 3515, 2.4.5). */
export function reportOf(notify: SipMessage): Report {
  const state = notify.header('subscription-state') ?? '';
  const end = endOfParameter(state, 0, state.length);
  const { status, reason } = statusOf(notify.body) ?? { status: 0, reason: '' };
  const isLast = status >= 200 || isWord(state, 0, trimEnd(state, 0, end), 'terminated');
  const expires = parameter(state, end, state.length, 'expires') ?? '';
  if (!isLast || status >= 200) return { status, reason, isLast, expires };
  const why = parameter(state, end, state.length, 'reason');
  const ended = `the far end ended the subscription without a result${why === null ? '' : ` (${why})`}`;
  return { status: 0, reason: status === 0 ? ended : `${ended}, after ${status} ${reason}`, isLast, expires };
}
