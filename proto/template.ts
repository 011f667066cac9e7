/** Text in which `{{pin}}` stands for what an endpoint has under that name: a column of its SIP account. Both sides and the dashboard read it. */

const PLACE = /\{\{([^{}]*)\}\}/g;

const COUNTED = /\{\{\s*(\d{1,15})\.\.(\d{1,15})\s*\}\}/g;

/** The names that a text asks for, in order; one that it asks for twice stands twice. */
export const placesOf = (text: string): string[] =>
  Array.from(text.replace(COUNTED, '').matchAll(PLACE), ([, name]) => (name ?? '').trim());

/** With `{{0100..0199}}` as the n-th of these numbers, n from 0, with as many digits; after the last comes the first. */
export const counted = (text: string, n: number): string =>
  hasPlaces(text)
    ? text.replace(COUNTED, (_, from: string, to: string) => {
        const [first, last] = [Number(from), Math.max(Number(from), Number(to))];
        return String(first + (n % (last - first + 1))).padStart(from.length, '0');
      })
    : text;

export const hasPlaces = (text: string): boolean => text.includes('{{');

/** What has no value leaves nothing. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  hasPlaces(text) ? text.replace(PLACE, (_, name: string) => values[name.trim()] ?? '') : text;
