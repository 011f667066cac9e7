/**
 * A text in which `{{pin}}` is replaced by the endpoint's value of that name, which is a column of its SIP account. Both sides
 * and the dashboard use it.
 */

const PLACE = /\{\{([^{}]*)\}\}/g;

const RANGE = /^(\d{1,15})\.\.(\d{1,15})$/;

/** The names used in a text, in order, with repetitions. `1000..1999` is a name, too. */
export const placesOf = (text: string): string[] => Array.from(text.matchAll(PLACE), ([, name]) => (name ?? '').trim());

/** Null: the name is not a range of numbers. */
export function rangeOf(
  name: string,
): { readonly first: number; readonly last: number; readonly width: number } | null {
  const [, from, to] = RANGE.exec(name) ?? [];
  return from === undefined ? null : { first: Number(from), last: Number(to), width: from.length };
}

/**
 * The n-th number of `0100..0199`, counted from 0, with as many digits. The last number is followed by the first. null: not a
 * range.
 */
export function counted(name: string, n: number): string | null {
  const range = rangeOf(name);
  if (range === null) return null;
  const { first, last, width } = range;
  return String(first + (n % (Math.max(first, last) - first + 1))).padStart(width, '0');
}

export const hasPlaces = (text: string): boolean => text.includes('{{');

/** A name without a value is replaced by nothing. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  hasPlaces(text) ? text.replace(PLACE, (_, name: string) => values[name.trim()] ?? '') : text;
