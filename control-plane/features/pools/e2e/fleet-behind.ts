/** Who falls behind on a host that does not bear the rate of a proof, and waits for a fleet that end. */
import { n } from '../../../../scripts/measure/table.ts';

/** The agents place so many of the calls that are due at least. */
const BORNE = 0.95;
/** Calls that the control plane does not have yet: agents report once a second. */
const LATE_SECONDS = 10;

/** What agents have placed in so many seconds, and what of all their calls waits for the control plane at their end. */
type Progress = { readonly rate: number; readonly seconds: number; readonly placed: number; readonly waiting: number };

/** Null: nobody is. */
export function shortfallOf({ rate, seconds, placed, waiting }: Progress): string | null {
  const due = rate * seconds;
  if (placed < BORNE * due)
    return `the agents fell behind: they placed ${n(placed)} of ${n(due)} calls that were due in ${n(seconds)} s: ${n((100 * placed) / due)} %`;
  return waiting <= LATE_SECONDS * rate
    ? null
    : `the control plane fell behind: ${n(waiting)} calls that agents have placed wait for it, those of ${n(waiting / rate)} s`;
}

/**
 * The condition of a wait that ends after so many seconds, counted from now.
 * @throws Error with what is missing then, when the condition is asked
 */
export function inTime<Now>(
  seconds: number,
  condition: (now: Now) => boolean,
  missing: (now: Now) => string,
  clockMs: () => number = () => performance.now(),
): (now: Now) => boolean {
  const untilMs = clockMs() + seconds * 1000;
  return (now) => {
    if (condition(now)) return true;
    if (clockMs() > untilMs) throw new Error(`${missing(now)} after ${n(seconds)} s`);
    return false;
  };
}
