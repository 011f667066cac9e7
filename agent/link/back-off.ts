/** When a link that was lost is tried again. Pure; chance is an argument. */

const FIRST_MS = 200;
const LONGEST_MS = 5000;

/**
 * Milliseconds before attempt number `attempt` (0: the first after a loss), `random` within [0, 1). Doubles up to 5 s;
 * half of it is random, so that agents do not all reconnect at the same time.
 */
export const backOffMs = (attempt: number, random: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 30)) * (0.5 + random / 2);
