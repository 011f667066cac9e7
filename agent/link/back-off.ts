/** The times at which a lost link is tried again. Pure; the random number is an argument. */

const FIRST_MS = 200;
const MAX_MS = 5000;

/**
 * The milliseconds before attempt number `attempt` (0: the first after a loss); `random` is within [0, 1). They double
 * up to 5 s; half of it is random, so that agents do not all reconnect at the same time.
 */
export const backOffMs = (attempt: number, random: number): number =>
  Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 30)) * (0.5 + random / 2);
