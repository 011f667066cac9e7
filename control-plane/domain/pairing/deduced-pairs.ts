/**
 * Finds both ends of calls that a B2BUA split: by called party, calling party, and times. A wrong pair is worse than
 * none: two ends are a pair only if each is the only match of the other. Codecs are ignored, because such a server may
 * transcode. Pure; independent of the order of the ends.
 */
import type { PairGround } from '../../contract/run/words.ts';
import { countBelow } from '../count-below.ts';
import { agreeInTime, asLong, fitInTime, isHeardBy, MAX_APART_MS } from './fitting.ts';
import type { LooseEnd } from './loose-end.ts';

export type DeducedPair = {
  readonly caller: number;
  readonly callee: number;
  readonly grounds: readonly PairGround[];
};

export type Deduction = {
  /** The pairs, sorted by the callee's number. */
  readonly pairs: readonly DeducedPair[];
  /** The number of callees that more than one caller fits, or whose caller fits more than one. */
  readonly undecided: number;
};

/** With more matches the ends cannot be distinguished. */
const MAX_FITTING = 64;

/** Ends by key, each list in the order in which the calls ended. */
class Shelves {
  readonly #lists = new Map<string, LooseEnd[]>();

  constructor(ends: readonly LooseEnd[], keysOf: (end: LooseEnd) => Iterable<string>) {
    for (const end of ends.toSorted((a, b) => a.endedAtMs - b.endedAtMs || a.number - b.number))
      for (const key of keysOf(end)) {
        const list = this.#lists.get(key);
        if (list === undefined) this.#lists.set(key, [end]);
        else list.push(end);
      }
  }

  /** Adds the ends that ended together with `end` and match; false: too many. */
  find(key: string, end: LooseEnd, passes: (other: LooseEnd) => boolean, found: Set<LooseEnd>): boolean {
    const list = this.#lists.get(key) ?? [];
    let at = countBelow(list, end.endedAtMs - MAX_APART_MS, ({ endedAtMs }) => endedAtMs);
    for (let one = list[at]; one !== undefined && one.endedAtMs <= end.endedAtMs + MAX_APART_MS; one = list[++at]) {
      if (passes(one)) found.add(one);
      if (found.size > MAX_FITTING) return false;
    }
    return true;
  }
}

/** A name that no end has. */
const UNKNOWN = '';
const keyOf = (called: string, caller: string): string => `${called}\n${caller}`;

/**
 * `callersBy`: how many callers of the run have a name, including those with a known other end. A calling number seen
 * by a callee identifies the caller, and if callees see callers' numbers, an unknown number belongs to an outside
 * caller.
 */
export function deducePairs(
  callers: readonly LooseEnd[],
  callees: readonly LooseEnd[],
  callersBy: ReadonlyMap<string, number>,
): Deduction {
  const pairs: DeducedPair[] = [];
  const isPaired = new Set<LooseEnd>();
  const add = (caller: LooseEnd, callee: LooseEnd, grounds: readonly PairGround[]): void => {
    isPaired.add(caller).add(callee);
    pairs.push({ caller: caller.number, callee: callee.number, grounds });
  };
  for (const [caller, callee] of heardBothWays(callers, callees)) add(caller, callee, ['SSRC']);

  const looseCallers = callers.filter((end) => !isPaired.has(end));
  const looseCallees = callees.filter((end) => !isPaired.has(end));
  const seenBy = ({ other }: LooseEnd): string => (other !== null && callersBy.has(other) ? other : UNKNOWN);
  const callersByKey = new Shelves(looseCallers, ({ names, other }) =>
    other === null ? [] : [...new Set([...names, UNKNOWN])].map((name) => keyOf(other, name)),
  );
  const calleesByKey = new Shelves(looseCallees, (end) => end.names.map((name) => keyOf(name, seenBy(end))));
  /** Null: too many. */
  const calleesOf = (caller: LooseEnd): LooseEnd[] | null => {
    const found = new Set<LooseEnd>();
    const fits = (callee: LooseEnd): boolean => fitInTime(caller, callee);
    const called = caller.other;
    if (called === null) return [];
    const keys = [...new Set([...caller.names, UNKNOWN])].map((name) => keyOf(called, name));
    return keys.every((key) => calleesByKey.find(key, caller, fits, found)) ? [...found] : null;
  };
  const callersOf = (callee: LooseEnd): LooseEnd[] | null => {
    const found = new Set<LooseEnd>();
    const fits = (caller: LooseEnd): boolean => fitInTime(caller, callee);
    const keys = callee.names.map((name) => keyOf(name, seenBy(callee)));
    return keys.every((key) => callersByKey.find(key, callee, fits, found)) ? [...found] : null;
  };

  const areNumbersShown = callees.some((callee) => seenBy(callee) !== UNKNOWN);
  const isCertain = (caller: LooseEnd, callee: LooseEnd): boolean =>
    callersBy.get(seenBy(callee)) === 1 ||
    isHeardBy(caller, callee) ||
    isHeardBy(callee, caller) ||
    (!(areNumbersShown && seenBy(callee) === UNKNOWN) && agreeInTime(caller, callee));
  let undecided = 0;
  for (const callee of looseCallees) {
    const fitting = callersOf(callee);
    if (fitting?.length === 0) continue;
    const caller = fitting && chosen(callee, fitting);
    const back = caller && calleesOf(caller);
    if (fitting && caller && back && chosen(caller, back) === callee && isCertain(caller, callee))
      add(caller, callee, groundsOf(caller, callee, fitting.length > 1 || back.length > 1));
    else undecided += 1;
  }
  return { pairs: pairs.sort((a, b) => a.callee - b.callee), undecided };
}

/** Ends that receive each other's packets, even if another number was called. */
function heardBothWays(callers: readonly LooseEnd[], callees: readonly LooseEnd[]): [LooseEnd, LooseEnd][] {
  const bySsrc = Map.groupBy(callees, ({ ssrcReceived }) => ssrcReceived);
  const found = callers.flatMap((caller) => {
    if (caller.ssrcSent === null) return [];
    const heard = bySsrc.get(caller.ssrcSent) ?? [];
    const both = heard.filter((callee) => isHeardBy(callee, caller) && fitInTime(caller, callee));
    return both.length === 1 ? [[caller, both[0] as LooseEnd] as [LooseEnd, LooseEnd]] : [];
  });
  const taken = Map.groupBy(found, ([, callee]) => callee);
  return found.filter(([, callee]) => taken.get(callee)?.length === 1);
}

/**
 * Chooses among the matches: the only one, or the only one with media between the two ends, or the only one with the
 * same duration.
 */
function chosen(end: LooseEnd, fitting: readonly LooseEnd[]): LooseEnd | undefined {
  const heard = fitting.filter((other) => isHeardBy(end, other) || isHeardBy(other, end));
  const of = heard.length > 0 ? heard : fitting;
  return of.length === 1 ? of[0] : asLong(end, of);
}

function groundsOf(caller: LooseEnd, callee: LooseEnd, isAmong: boolean): PairGround[] {
  const isHeard = isHeardBy(caller, callee) || isHeardBy(callee, caller);
  const grounds: PairGround[] = [];
  if (isHeard) grounds.push('SSRC');
  grounds.push('CALLED_NUMBER');
  if (callee.other !== null && caller.names.includes(callee.other)) grounds.push('CALLER_NUMBER');
  grounds.push('TIME');
  if (isAmong && !isHeard) grounds.push('LENGTH');
  return grounds;
}
