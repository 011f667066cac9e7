/** Instants in fields and addresses: `2026-11-22T21:05`, UTC. Pure. */

const SHAPE = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The text of an instant in a date and time field. */
export const minuteOf = (at: string | number): string => new Date(at).toISOString().slice(0, 16);

/** ISO 8601; null: not a valid instant. */
export function instantOf(minute: string): string | null {
  const ms = SHAPE.test(minute) ? Date.parse(`${minute}Z`) : Number.NaN;
  // The parser would turn 30 February into 2 March.
  return Number.isNaN(ms) || minuteOf(ms) !== minute ? null : new Date(ms).toISOString();
}

/** `2026-11-22 21:05 UTC` */
export const minuteWords = (at: string): string => `${minuteOf(at).replace('T', ' ')} UTC`;
