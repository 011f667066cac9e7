/** Whether two ends may be of one call, by their instants and by who is said to call. Pure. */
import type { LooseEnd } from './loose-end.ts';

/** Threads of one agent have one clock, and are told of a message a moment apart. */
const SAME_CLOCK_MS = 50;
/** Each agent knows the control plane's clock to half of its shortest round trip there. */
const TWO_CLOCKS_MS = 500;
/** What stands between the ends passes on an answer and a BYE within this. */
const RELAY_MS = 2000;
/** Ends of one call last equally long to this; to be told apart by their lengths, others must differ by so much more. */
const SAME_LENGTH_MS = 250;
const OTHER_LENGTH_MS = 1000;

/** Of two ends of one call, the instants of their ends differ by no more. */
export const MOST_APART_MS = RELAY_MS + TWO_CLOCKS_MS;

const isAnswered = ({ answeredAtMs }: LooseEnd): boolean => !Number.isNaN(answeredAtMs);
const lengthOf = ({ answeredAtMs, endedAtMs }: LooseEnd): number => endedAtMs - answeredAtMs;
const apart = (one: number, other: number): number => Math.abs(one - other);

/**
 * The callee's INVITE came while the caller's call was there; both were answered, and about when the other was unless something between them
 * had answered the caller before; both ended together. Neither was answered: both were cancelled, or both refused.
 */
export function fitInTime(caller: LooseEnd, callee: LooseEnd): boolean {
  const clockMs = caller.workerId === callee.workerId ? SAME_CLOCK_MS : TWO_CLOCKS_MS;
  if (callee.beganAtMs < caller.beganAtMs - clockMs || callee.beganAtMs > caller.endedAtMs + clockMs) return false;
  if (!(apart(caller.endedAtMs, callee.endedAtMs) <= RELAY_MS + clockMs)) return false;
  if (isAnswered(caller) !== isAnswered(callee)) return false;
  if (!isAnswered(caller)) return caller.isCancelled === callee.isCancelled;
  if (callee.beganAtMs >= caller.answeredAtMs - clockMs) return true;
  return apart(caller.answeredAtMs, callee.answeredAtMs) <= RELAY_MS + clockMs;
}

/** What one sent came to the other: the packets passed what is between them under their own SSRC. */
export const isHeardBy = (one: LooseEnd, other: LooseEnd): boolean =>
  one.ssrcSent !== null && one.ssrcSent === other.ssrcReceived;

/**
 * Nothing but instants tells that they are of one call: so they have to agree in length, which no clock falsifies, and in their answers. What
 * a server answered by itself, and connected later, is not told from another's call so.
 */
export const agreeInTime = (caller: LooseEnd, callee: LooseEnd): boolean =>
  isAnswered(callee) &&
  apart(lengthOf(caller), lengthOf(callee)) <= SAME_LENGTH_MS &&
  apart(caller.answeredAtMs, callee.answeredAtMs) <= RELAY_MS / 2;

/** The only one of several whose call was as long as this one; undefined: it is not certain. */
export function asLong(end: LooseEnd, others: readonly LooseEnd[]): LooseEnd | undefined {
  if (!isAnswered(end)) return undefined;
  const off = (other: LooseEnd): number => apart(lengthOf(end), lengthOf(other));
  const [first, second] = others.toSorted((a, b) => off(a) - off(b));
  const isClear = first && off(first) <= SAME_LENGTH_MS && (!second || off(second) > OTHER_LENGTH_MS);
  return isClear ? first : undefined;
}
