/** Fragments of SIP messages as bodies (RFC 3420): the status lines that report a referred call (RFC 3515, 2.4.5). */
import { contentOf } from '../../message/body-parts.ts';
import { explainedReason } from '../../message/explanation.ts';
import { parseMessage } from '../../message/parse.ts';
import { digits, endOfParameter, isWord, parameter, trimEnd } from '../../message/scan.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { headerText } from '../../message/wire-text.ts';

export const SIPFRAG = 'message/sipfrag;version=2.0';

export const statusFragment = (status: number, reason: string): string => `SIP/2.0 ${status} ${headerText(reason)}\r\n`;

const FRAGMENT = 'message/sipfrag';

/** Status 0: it does not start with a status line. Its reason with what explains it. */
function statusOf(fragment: string): { readonly status: number; readonly reason: string } {
  const line = /^[\r\n]*SIP\/2\.0 +([1-6]\d\d)(?: +([^ \r\n][^\r\n]*)?)?(?:\r?\n|$)/i.exec(fragment);
  if (line === null) return { status: 0, reason: '' };
  const [whole, status, reason = ''] = line;
  const said = parseMessage(`SIP/2.0 ${status} ${reason}\r\n${fragment.slice(whole.length)}\r\n\r\n`);
  return { status: Number(status), reason: said === null ? reason : explainedReason(said) };
}

/** Status 0: no status line; of the last one, the subscription ended without a result. `expires`: of Subscription-State, '' if absent. */
type Report = {
  readonly status: number;
  readonly reason: string;
  /** No other result will follow. */
  readonly isResult: boolean;
  /** The subscription has ended. */
  readonly isLast: boolean;
  readonly expires: string;
};

/** A subscription without `expires`, plus a margin at its end. */
const SUBSCRIBED_SECONDS = 180;
const MARGIN_SECONDS = 32;
const MAX_SECONDS = 86_400;

/** Milliseconds within which a subscription with this `expires` sends its next NOTIFY, or has ended. */
export function subscribedMs(expires: string): number {
  const seconds = digits(expires, 0, expires.length);
  return ((seconds < 0 ? SUBSCRIBED_SECONDS : Math.min(seconds, MAX_SECONDS)) + MARGIN_SECONDS) * 1000;
}

type NotifyRefusal = { readonly status: number; readonly reason: string };
const BAD_EVENT: NotifyRefusal = { status: 489, reason: 'Bad Event' };
const NO_SUBSCRIPTION: NotifyRefusal = { status: 481, reason: 'Subscription Does Not Exist' };

/** How a NOTIFY is refused that is not for `referral`; null: it is. We have no other subscriptions (RFC 6665, 4.1.3). */
export function notifyRefusal(
  notify: SipMessage,
  referral: { isFor(id: string | null): boolean } | null,
): NotifyRefusal | null {
  const event = notify.header('event') ?? '';
  if (!/^refer\s*(?:;|$)/i.test(event)) return BAD_EVENT;
  return referral?.isFor(parameter(event, 0, event.length, 'id')) ? null : NO_SUBSCRIPTION;
}

/** Does its sender want no NOTIFYs, or will it send none (RFC 4488, 4)? */
export const isWithoutSubscription = (refer: SipMessage): boolean => /^false/i.test(refer.header('refer-sub') ?? '');
export const WITHOUT_SUBSCRIPTION = 'Refer-Sub: false';

/** What a NOTIFY reports of the call that we asked for (RFC 3515, 2.4.5). */
export function reportOf(notify: SipMessage): Report {
  const state = notify.header('subscription-state') ?? '';
  const end = endOfParameter(state, 0, state.length);
  const { status, reason } = statusOf(contentOf(notify.body, notify.contentType, FRAGMENT));
  // If it has no state, nothing else will say that it has ended.
  const isLast = isWord(state, 0, trimEnd(state, 0, end), 'terminated') || (status >= 200 && state === '');
  const isResult = isLast || status >= 200;
  const expires = parameter(state, end, state.length, 'expires') ?? '';
  if (!isLast || status >= 200) return { status, reason, isResult, isLast, expires };
  const why = parameter(state, end, state.length, 'reason');
  const ended = `the far end ended the subscription without a result${why === null ? '' : ` (${why})`}`;
  return { status: 0, reason: status === 0 ? ended : `${ended}, after ${status} ${reason}`, isResult, isLast, expires };
}
