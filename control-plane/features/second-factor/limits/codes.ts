/** The limit on guesses of codes. */
import { LogInAttempt } from '../../../limits/attempts.ts';
import { LIMITS, shared } from '../../../limits/limits.ts';
import type { Ports } from '../../../ports.ts';

const PER = 'account; account and known browser or session';

export const CODES = {
  /** A guess succeeds once in 333,333. */
  codes: shared(10, LIMITS.network.withinMs, 'wrong codes of a second factor', PER, '429, `Retry-After`'),
};

/**
 * An attempt at a code after the right password. `place`: a known browser or session of the user has a separate limit;
 * null: unknown.
 * @throws ApiError RATE_LIMITED
 */
export function beginCode(ports: Ports, email: string, place: string | null): Promise<LogInAttempt> {
  const subject = place === null ? `codes of ${email}` : `codes of ${email} by ${place}`;
  return new LogInAttempt(ports).forgiving(subject).require(subject, CODES.codes);
}
