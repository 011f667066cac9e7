/** Round-trip time from LSR and DLSR (RFC 3550, 6.4.1). */

const UNITS_PER_MS = 65.536;

/** Longer than any round trip of a call: the report refers to another clock or another sender report. */
const MAX_ROUND_TRIP_MS = 30_000;

/** The far end's rounding and the stamps of two clock readings can make a short round trip negative by this much. */
const MAX_ROUNDING_MS = 5;

/** A delay in milliseconds as DLSR, in units of 1/65536 s; at least one, because 0 says that there was no sender report. */
export const toDlsr = (delayMs: number): number =>
  Math.min(0xffffffff, Math.max(1, Math.round(delayMs * UNITS_PER_MS))) >>> 0;

/**
 * Milliseconds; NaN if the report allows no result: the far end had no sender report (LSR 0) or does not say how long
 * it held it (DLSR 0: the unit is 15 us, and no answer is that fast), it names an instant in the future, or the result
 * exceeds 30 s. `arrivalMiddle` is the middle 32 bits of our NTP time at the report's arrival, on the clock that
 * stamped the sender report. A difference that is negative by rounding counts as 0.
 */
export function roundTripMs(arrivalMiddle: number, lsr: number, dlsr: number): number {
  if (lsr === 0 || dlsr === 0) return Number.NaN;
  const ms = ((arrivalMiddle - lsr - dlsr) | 0) / UNITS_PER_MS;
  if (ms > MAX_ROUND_TRIP_MS || ms < -MAX_ROUNDING_MS) return Number.NaN;
  return Math.max(0, ms);
}
