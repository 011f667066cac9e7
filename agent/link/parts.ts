/**
 * Splits facts that are too large for one batch: halves them until each part fits. States go last, in their own part,
 * because an allocation that is DONE must not report anything after it, nor noise that disturbed it. Also shrinks facts.
 */
import { factsBytes, type wire } from '@carillon/proto';

type Facts = wire.agent.v1.Facts.$Properties;
type AllocationFacts = wire.agent.v1.AllocationFacts.$Properties;

/** `thinned`: something was dropped, because it could not be divided. */
export type FactsPart = { readonly bytes: Uint8Array; readonly thinned: boolean };

/** The limit before compression, so that the result fits MAX_FRAME_BYTES in any case. */
export const MAX_PART_BYTES = 3 * 1024 * 1024;

export function inParts(facts: Facts, most = MAX_PART_BYTES): FactsPart[] {
  const bytes = factsBytes(facts);
  if (bytes.length <= most) return [{ bytes, thinned: false }];
  const bulk = (facts.allocations ?? []).map(({ state: _, reasonCode: __, reason: ___, ...rest }) => rest);
  return [...halved({ allocations: bulk, noise: facts.noise ?? [] }, most), ...halved(onlyStates(facts), most)];
}

/** The facts without large, expendable data; phases, outcomes, counts and states stay. */
export const thin = (facts: Facts): Facts => ({
  ...facts,
  allocations: (facts.allocations ?? []).map(
    ({
      samples: _,
      summedSamples: _s,
      storedSamples: _t,
      messages: __,
      messageBlocks: ___,
      rtpHeaders: ____,
      ...rest
    }) => rest,
  ),
});

/** Whether `thin` would remove nothing. */
export const isThin = (facts: Facts): boolean =>
  (facts.allocations ?? []).every(
    (a) =>
      !a.samples &&
      !a.summedSamples &&
      !a.storedSamples &&
      !a.messages?.length &&
      !a.messageBlocks?.length &&
      !a.rtpHeaders?.length,
  );

/** Only the facts that change the states of allocations. */
export const onlyStates = (facts: Facts): Facts => ({
  allocations: (facts.allocations ?? [])
    .filter((a) => a.state)
    .map(({ state = null, reasonCode = '', reason = '', ...a }) => ({ ...named(a), state, reasonCode, reason })),
});

const named = ({ allocationId = null, baseUnixMs = 0 }: AllocationFacts): AllocationFacts => ({
  allocationId,
  baseUnixMs,
});

function halved(facts: Facts, most: number): FactsPart[] {
  const bytes = factsBytes(facts);
  if (bytes.length <= most) return [{ bytes, thinned: false }];
  const all = facts.allocations ?? [];
  const [first, rest] = all.length > 1 ? halfOf(all) : halfOfOne(all[0] ?? {});
  if (first.length > 0)
    return [...halved({ allocations: first }, most), ...halved({ ...facts, allocations: rest }, most)];
  const least = factsBytes(thin(facts));
  return [{ bytes: least.length <= most ? least : factsBytes(onlyStates(facts)), thinned: true }];
}

const halfOf = <T>(list: readonly T[]): [T[], T[]] => [list.slice(0, list.length >> 1), list.slice(list.length >> 1)];

const LISTS = ['outcomes', 'messages', 'messageBlocks', 'streams', 'rtpHeaders'] as const;
const COLUMNS = ['phases', 'progress', 'sipCounts', 'samples', 'summedSamples', 'storedSamples', 'actions'] as const;

/** Splits every list and table in half; the first half is empty if nothing can be split. */
function halfOfOne(facts: AllocationFacts): [AllocationFacts[], AllocationFacts[]] {
  const first: Record<string, unknown> = {};
  const rest: Record<string, unknown> = { ...facts };
  for (const name of LISTS) {
    const list = facts[name] ?? [];
    if (list.length < 2) continue;
    [first[name], rest[name]] = halfOf<unknown>(list);
  }
  for (const name of COLUMNS) {
    const columns = Object.entries(facts[name] ?? {}).map(([key, list]) => [key, halfOf(list as unknown[])] as const);
    if (!columns.some(([, [half]]) => half.length > 0)) continue;
    first[name] = Object.fromEntries(columns.map(([key, [half]]) => [key, half]));
    rest[name] = Object.fromEntries(columns.map(([key, [, half]]) => [key, half]));
  }
  if (Object.keys(first).length === 0) return [[], []];
  return [[{ ...named(facts), ...first }], [rest]];
}
