/**
 * Answers of limited size for assistants: long ones are cut at the longest list, and a sentence says what was cut and
 * how to request less. Pure.
 */
import { printPath, readPath } from '../contract/errors.ts';

/** The maximum of a whole answer: 8,000 tokens of 4 bytes, minus the envelope. */
export const MAX_BYTES = 31_000;

export type Fitted = { readonly data: unknown; readonly cuts: readonly string[] };

type Path = readonly (string | number)[];

/** These results of a run are cut only as a last resort. */
const LAST: readonly string[] = ['findings', 'thresholds'];
/** The last of these clusters is cut before the results above, because findings have the same causes. */
const CLUSTERS = 'failureClusters';

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** @param data plain JSON; it is not changed. @param size the bytes of an answer that contains it */
export function fit(data: unknown, size: (data: unknown) => number = bytes, maxBytes = MAX_BYTES): Fitted {
  if (size(data) <= maxBytes) return { data, cuts: [] };
  const copy = structuredClone(data);
  const whole = new Map<string, number>();
  const others: string[] = [];
  for (let now = size(copy); now > maxBytes; now = size(copy)) {
    const first = longestList(copy, [], LAST) ?? lastCluster(copy);
    if (!first && leaveOutExamples(copy)) {
      others.push(`${LAST[0]}: one example each`);
      continue;
    }
    const longest = first ?? longestList(copy, [], []);
    if (!longest) break;
    const name = printPath(longest.path);
    if (!whole.has(name)) whole.set(name, longest.list.length);
    // Cuts the list by the excess size, as if the answer had only this list.
    const length = Math.floor(longest.list.length * (maxBytes / now));
    longest.list.length = Math.min(longest.list.length - 1, Math.max(1, length));
  }
  const cuts = [...whole].flatMap<string>(([name, length]) => {
    const left = at(copy, name);
    // The item that contained the list may have been cut afterwards.
    return left === null ? [] : [`${name || 'the list'}: the first ${left} of ${length}`];
  });
  return { data: copy, cuts: [...cuts, ...others] };
}

/** The list with the most bytes and more than one item, except lists with these names. */
function longestList(
  value: unknown,
  path: Path,
  spared: readonly string[],
): { path: Path; list: unknown[]; bytes: number } | null {
  if (value === null || typeof value !== 'object') return null;
  let best: { path: Path; list: unknown[]; bytes: number } | null = null;
  if (Array.isArray(value) && value.length > 1) best = { path, list: value, bytes: bytes(value) };
  for (const [key, item] of Object.entries(value)) {
    if (spared.includes(key)) continue;
    const below = longestList(item, [...path, Array.isArray(value) ? Number(key) : key], spared);
    // A list with most of its parent's bytes is the better place to cut.
    if (below && (!best || below.bytes > best.bytes * 0.8)) best = below;
  }
  return best;
}

function lastCluster(data: unknown): { path: Path; list: unknown[] } | null {
  const list = (data as { readonly [CLUSTERS]?: unknown } | null)?.[CLUSTERS];
  return Array.isArray(list) && list.length === 1 ? { path: [CLUSTERS], list } : null;
}

/** Rows of results name several examples each, and one is enough. False: no further examples. */
function leaveOutExamples(data: unknown): boolean {
  const rows = (data as Readonly<Record<string, unknown>> | null)?.[LAST[0] as string];
  let isAny = false;
  for (const row of Array.isArray(rows) ? rows : [])
    for (const list of Object.values(row as object)) {
      if (!Array.isArray(list) || list.length < 2) continue;
      list.length = 1;
      isAny = true;
    }
  return isAny;
}

/** The length of the list; null: the item that contained it was cut. */
function at(value: unknown, name: string): number | null {
  let here: unknown = value;
  for (const key of readPath(name)) here = (here as Record<PropertyKey, unknown> | undefined)?.[key];
  return Array.isArray(here) ? here.length : null;
}
