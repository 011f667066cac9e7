/** When a REGISTER that failed is tried again (RFC 3261, 21.5 and 20.33; the back-off of refreshes is RFC 5626's, 4.5). */

import type { RegisterRetry, SipFailure } from '../engine.ts';
import { digits } from '../message/scan.ts';
import type { SipMessage } from '../message/sip-message.ts';

const BASE_MS = 30_000;
const MAX_MS = 1_800_000;
/** If less than this is left, a repetition would come after the end of the binding. */
const MIN_LEFT_MS = 2000;

/** Temporary responses of a registrar to REGISTER: the fault is its state, not our request. */
export const maySucceedLater = (status: number): boolean =>
  status === 408 || status === 430 || status === 480 || status === 500 || (status >= 502 && status <= 504);

/** Milliseconds that the response asks to wait, NaN if it does not say. */
export function retryAfterMs(response: SipMessage): number {
  // A comment and parameters may follow (20.33).
  const value = response.header('retry-after')?.split(/[\s;(]/, 1)[0] ?? '';
  const seconds = digits(value, 0, value.length);
  return seconds < 0 ? Number.NaN : seconds * 1000;
}

/**
 * Milliseconds until the next attempt of a refresh, null: none before the binding's end. `askedMs`: the registrar's
 * Retry-After, NaN without one, null if another attempt is useless; `leftMs` of the binding; `setbacks`: consecutive
 * failures; `random`: 0 to 1; `retry`: the setting, instead of the back-off.
 */
export function retryDelayMs(
  askedMs: number | null,
  leftMs: number,
  setbacks: number,
  random: number,
  retry: RegisterRetry | null = null,
): number | null {
  if (askedMs === null || leftMs < MIN_LEFT_MS || askedMs >= leftMs) return null;
  if (retry !== null) {
    const delayMs = longerMs(retry, askedMs);
    return delayMs < leftMs ? delayMs : null;
  }
  if (!Number.isNaN(askedMs)) return askedMs;
  const most = Math.min(BASE_MS * 2 ** setbacks, MAX_MS, leftMs);
  return most * (0.5 + random / 2) * (most === leftMs ? 0.5 : 1);
}

/**
 * Milliseconds until the next attempt for which the setting has time, null: none. `sinceMs`: since the first of the attempts
 * that failed.
 */
export function delayWithinMs(retry: RegisterRetry | null, askedMs: number | null, sinceMs: number): number | null {
  if (retry === null || askedMs === null) return null;
  const delayMs = longerMs(retry, askedMs);
  return sinceMs + delayMs <= retry.withinMs ? delayMs : null;
}

/** A registrar that asks for more time gets it (20.33). */
const longerMs = ({ afterMs }: RegisterRetry, askedMs: number): number =>
  Number.isNaN(askedMs) ? afterMs : Math.max(afterMs, askedMs);

/** Reported when no attempt is left. */
export const afterAttempts = (failure: SipFailure, attempts: number, sinceMs: number): SipFailure =>
  attempts === 1
    ? failure
    : {
        ...failure,
        reason: `${failure.reason} (attempt ${attempts}, ${Math.round(sinceMs / 1000)} s after the first failed)`,
      };
