/**
 * Answers that an assistant can afford to read: what is too long is cut where it is longest, and a sentence says what was cut
 * and how to ask for less. Pure.
 */

/** JSON bytes of the data. An answer carries it twice (text for older clients, structure for the rest), 4 bytes a token. */
export const MOST_BYTES = 14_500;

export type Fitted = { readonly data: unknown; readonly cuts: readonly string[] };

type Path = readonly (string | number)[];

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** @param data plain JSON; it is not changed */
export function fit(data: unknown, mostBytes = MOST_BYTES): Fitted {
  if (bytes(data) <= mostBytes) return { data, cuts: [] };
  const copy = structuredClone(data);
  const whole = new Map<string, number>();
  while (bytes(copy) > mostBytes) {
    const longest = longestList(copy, []);
    if (!longest) break;
    const name = printPath(longest.path);
    if (!whole.has(name)) whole.set(name, longest.list.length);
    const excess = 1 - mostBytes / bytes(copy);
    const share = Math.min(1, longest.bytes > 0 ? (excess * bytes(copy)) / longest.bytes : 1);
    longest.list.length = Math.max(1, Math.min(longest.list.length - 1, Math.floor(longest.list.length * (1 - share))));
  }
  const cuts = [...whole].map(([name, length]) => `${name || 'the list'}: the first ${at(copy, name)} of ${length}`);
  return { data: copy, cuts };
}

/** The list with the most bytes that still has more than one item. */
function longestList(value: unknown, path: Path): { path: Path; list: unknown[]; bytes: number } | null {
  if (value === null || typeof value !== 'object') return null;
  let best: { path: Path; list: unknown[]; bytes: number } | null = null;
  if (Array.isArray(value) && value.length > 1) best = { path, list: value, bytes: bytes(value) };
  for (const [key, item] of Object.entries(value)) {
    const below = longestList(item, [...path, Array.isArray(value) ? Number(key) : key]);
    // A list that holds most of its parent's bytes is the better place to cut.
    if (below && (!best || below.bytes > best.bytes * 0.8)) best = below;
  }
  return best;
}

const printPath = (path: Path): string =>
  path.map((p, i) => (typeof p === 'number' ? `[${p}]` : i > 0 ? `.${p}` : p)).join('');

function at(value: unknown, name: string): number {
  let here: unknown = value;
  for (const key of name.match(/[^.[\]]+/g) ?? []) here = (here as Record<string, unknown>)[key];
  return Array.isArray(here) ? here.length : 0;
}
