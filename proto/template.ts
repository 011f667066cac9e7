/**
 * Text in which `{{pin}}` is replaced by the endpoint's value of that name: a column of its SIP account. Both sides and
 * the dashboard use it.
 */

const PLACE = /\{\{([^{}]*)\}\}/g;

const COUNTED = /\{\{\s*(\d{1,15})\.\.(\d{1,15})\s*\}\}/g;

/** The names used in a text, in order, with repetitions. */
export const placesOf = (text: string): string[] =>
  Array.from(text.replace(COUNTED, '').matchAll(PLACE), ([, name]) => (name ?? '').trim());

/**
 * Replaces `{{0100..0199}}` with the n-th of these numbers, n from 0, with as many digits; the first follows the last.
 */
export const counted = (text: string, n: number): string =>
  hasPlaces(text)
    ? text.replace(COUNTED, (_, from: string, to: string) => {
        const [first, last] = [Number(from), Math.max(Number(from), Number(to))];
        return String(first + (n % (last - first + 1))).padStart(from.length, '0');
      })
    : text;

export const hasPlaces = (text: string): boolean => text.includes('{{');

/** A name without a value is replaced by nothing. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  hasPlaces(text) ? text.replace(PLACE, (_, name: string) => values[name.trim()] ?? '') : text;
