/** Decides whether two ends may belong to one call, by their instants and the calling party. Pure. */
import type { LooseEnd } from './loose-end.ts';

/** The threads of one agent share a clock, and get events a moment apart. */
const SAME_CLOCK_MS = 50;
/** Each agent knows the control plane's clock to half of its shortest round trip. */
const TWO_CLOCKS_MS = 500;
/** The longest delay of an answer and a BYE in a server between the ends. */
const RELAY_MS = 2000;
/** The tolerance of durations of both ends; other calls must differ by this much more to be distinguishable. */
const SAME_LENGTH_MS = 250;
const OTHER_LENGTH_MS = 1000;

/** The largest difference between the end times of both ends of one call. */
export const MAX_APART_MS = RELAY_MS + TWO_CLOCKS_MS;

const isAnswered = ({ answeredAtMs }: LooseEnd): boolean => !Number.isNaN(answeredAtMs);
const lengthOf = ({ answeredAtMs, endedAtMs }: LooseEnd): number => endedAtMs - answeredAtMs;
const apart = (one: number, other: number): number => Math.abs(one - other);

/**
 * True if the callee's INVITE arrived during the caller's call; both were answered, at about the same time unless a
 * server had answered the caller earlier; both ended together. Or neither was answered: both were cancelled, or both
 * refused.
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

/** Packets of one end reached the other, so the server passed them with their SSRC. */
export const isHeardBy = (one: LooseEnd, other: LooseEnd): boolean =>
  one.ssrcSent !== null && one.ssrcSent === other.ssrcReceived;

/**
 * Only times indicate one call: durations, which no clock affects, must agree, and so must answer times. A call that a
 * server answered itself and connected later cannot be distinguished from others.
 */
export const agreeInTime = (caller: LooseEnd, callee: LooseEnd): boolean =>
  isAnswered(callee) &&
  apart(lengthOf(caller), lengthOf(callee)) <= SAME_LENGTH_MS &&
  apart(caller.answeredAtMs, callee.answeredAtMs) <= RELAY_MS / 2;

/** The only one of several ends whose call was as long as this one; undefined: it is not certain. */
export function asLong(end: LooseEnd, others: readonly LooseEnd[]): LooseEnd | undefined {
  if (!isAnswered(end)) return undefined;
  const off = (other: LooseEnd): number => apart(lengthOf(end), lengthOf(other));
  const [first, second] = others.toSorted((a, b) => off(a) - off(b));
  const isClear = first && off(first) <= SAME_LENGTH_MS && (!second || off(second) > OTHER_LENGTH_MS);
  return isClear ? first : undefined;
}
