/** What two ends agree on about a session's time (RFC 4028): header lines read, judged and written. */
import type { SignallingOptions } from '../../engine.ts';
import { digits, endOfParameter, parameter, trimEnd } from '../../message/scan.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { knowsOption, RELIABLE, requiresOption } from '../reliable-responses.ts';

export type SessionTimerOptions = NonNullable<SignallingOptions['sessionTimer']>;
/** The role of the refreshing side, in the request with the header or the answered one. */
export type Refresher = 'UAC' | 'UAS';
export type SessionExpires = { readonly seconds: number; readonly refresher: Refresher | null };

/** The agreement of a server; `peerKnows`: the client has the extension, too (9). */
export type ServerTerms = { readonly seconds: number; readonly refresher: Refresher; readonly peerKnows: boolean };

/** The peer's interval is too short: 422 (6). */
export type TooShort = { readonly minSeconds: number };

/** The minimum that may be requested (4), and the default (5). */
export const MIN_SESSION_SECONDS = 90;
const MAX_SECONDS = 2 ** 31;

/** Null: absent, or not to be understood. */
export function sessionExpiresOf(message: SipMessage): SessionExpires | null {
  const value = message.header('session-expires');
  if (value === null) return null;
  const end = endOfParameter(value, 0, value.length);
  const seconds = digits(value, 0, trimEnd(value, 0, end));
  if (seconds < 0 || seconds > MAX_SECONDS) return null;
  const refresher = parameter(value, end, value.length, 'refresher')?.toLowerCase();
  return { seconds, refresher: refresher === 'uac' ? 'UAC' : refresher === 'uas' ? 'UAS' : null };
}

/** Seconds of Min-SE; 90 where it is absent (5). */
export function minSeOf(message: SipMessage): number {
  const value = message.header('min-se') ?? '';
  const seconds = digits(value, 0, trimEnd(value, 0, endOfParameter(value, 0, value.length)));
  return seconds > MAX_SECONDS ? MAX_SECONDS : Math.max(seconds, MIN_SESSION_SECONDS);
}

/** The owner wants no session timers, but a peer requires them (RFC 3261, 8.2.2.3). */
const AS_REQUIRED: SessionTimerOptions = { expiresSeconds: 1800, minSeconds: MIN_SESSION_SECONDS, refresher: null };

/** The terms of the 2xx to an INVITE or UPDATE; null: no time is kept. */
export function termsFor(request: SipMessage, ours: SessionTimerOptions | null): ServerTerms | TooShort | null {
  if (ours !== null) return agreeAsServer(request, ours);
  return requiresOption(request, 'timer') ? agreeAsServer(request, AS_REQUIRED) : null;
}

/**
 * Our agreement, as server of `request` (9): the peer's interval if it is not longer than ours, never below its own
 * Min-SE; a client without the extension is not asked to refresh. TooShort: 422 with our Min-SE.
 */
function agreeAsServer(request: SipMessage, ours: SessionTimerOptions): ServerTerms | TooShort {
  const peerKnows = knowsOption(request, 'timer');
  const requested = sessionExpiresOf(request);
  if (peerKnows && requested !== null && requested.seconds < ours.minSeconds) return { minSeconds: ours.minSeconds };
  const wanted = Math.max(ours.expiresSeconds, minSeOf(request));
  return {
    seconds: requested === null ? wanted : Math.max(MIN_SESSION_SECONDS, Math.min(requested.seconds, wanted)),
    refresher: peerKnows ? (requested?.refresher ?? ours.refresher ?? 'UAC') : 'UAS',
    peerKnows,
  };
}

/** Lines of the 2xx (9). */
export const serverLines = ({ seconds, refresher, peerKnows }: ServerTerms): string =>
  `${peerKnows ? 'Require: timer\r\n' : ''}Session-Expires: ${seconds};refresher=${refresher.toLowerCase()}\r\n`;

/** Lines of a request that starts or refreshes a session (7.1, 7.4); `refresher` null: the server chooses. */
export const clientLines = (seconds: number, refresher: Refresher | null, minSeconds: number): string =>
  `Session-Expires: ${seconds}${refresher === null ? '' : `;refresher=${refresher.toLowerCase()}`}\r\nMin-SE: ${minSeconds}\r\n`;

/** Line of a 422 (6). */
export const tooShortLine = ({ minSeconds }: TooShort): string => `Min-SE: ${minSeconds}\r\n`;

export const isTooShort = (terms: ServerTerms | TooShort | null): terms is TooShort =>
  terms !== null && 'minSeconds' in terms;

/**
 * The header fields of an INVITE for the extensions in use. `minSeconds`: of the peer's 422, 0 before; `others`: the
 * lines without one.
 */
export function extensionLines(signalling: SignallingOptions, minSeconds: number, others: string): string {
  const { reliableProvisional, sessionTimer } = signalling;
  const lines = reliableProvisional === 'REQUIRED' ? `Require: ${RELIABLE}\r\n` : '';
  if (sessionTimer === null || minSeconds === 0) return lines + others;
  const least = Math.max(sessionTimer.minSeconds, minSeconds);
  return lines + clientLines(Math.max(sessionTimer.expiresSeconds, least), sessionTimer.refresher, least);
}
