/**
 * Keys in INFO requests: `application/dtmf-relay` (lines `Signal=5` and `Duration=160`) and `application/dtmf` (just
 * the key, or the same lines). No RFC describes either; equipment sends them in these forms.
 */
import { DIGITS } from './event-payload.ts';

export const DTMF_RELAY = 'application/dtmf-relay';

export type SignalledDigit = {
  /** One of 0-9 * # A-D. */
  readonly digit: string;
  /** Null: not stated. */
  readonly durationMs: number | null;
};

/** `contentType` is in lower case, without parameters. Null: no key, or another kind of body. */
export function signalledDigit(contentType: string, body: string): SignalledDigit | null {
  if (contentType !== DTMF_RELAY && contentType !== 'application/dtmf') return null;
  const signal = /^[ \t]*Signal[ \t]*=[ \t]*(\S+)/im.exec(body)?.[1] ?? (contentType === DTMF_RELAY ? '' : body.trim());
  const digit = digitOf(signal.toUpperCase());
  if (digit === null) return null;
  const duration = /^[ \t]*Duration[ \t]*=[ \t]*(\d{1,6})[ \t]*$/im.exec(body)?.[1];
  return { digit, durationMs: duration === undefined ? null : Number(duration) };
}

/** The body that presses one key. */
export const signalledBody = (digit: string, durationMs: number): string =>
  `Signal=${digit}\r\nDuration=${durationMs}\r\n`;

/** Some peers write the event codes of RFC 4733: 10 is *, 11 is #. */
function digitOf(signal: string): string | null {
  if (/^[0-9*#A-D]$/.test(signal)) return signal;
  return /^1[0-5]$/.test(signal) ? (DIGITS[Number(signal)] as string) : null;
}
