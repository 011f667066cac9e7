/** Columns as PostgreSQL array literals: one text parameter a column, far cheaper than the driver's element-wise quoting. */

/** NaN becomes NULL, which means: not measured. */
export function numbers(values: ArrayLike<number>): string {
  let out = '{';
  for (let i = 0; i < values.length; i++) {
    const v = values[i] as number;
    if (i > 0) out += ',';
    out += Number.isFinite(v) ? v : 'NULL';
  }
  return `${out}}`;
}

export function booleans(values: readonly boolean[]): string {
  let out = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) out += ',';
    out += values[i] ? 't' : 'f';
  }
  return `${out}}`;
}

/** `null` stays NULL; NUL, which PostgreSQL's text cannot hold, becomes U+FFFD. */
export function texts(values: readonly (string | null)[]): string {
  let out = '{';
  for (let i = 0; i < values.length; i++) {
    const v = values[i] as string | null;
    if (i > 0) out += ',';
    out += v === null ? 'NULL' : quoted(v);
  }
  return `${out}}`;
}

const SPECIAL = /[\\"\0]/;
/** Characters that JSON and array literals escape differently. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNLIKE_JSON = /[\0-\x1f\ud800-\udfff]/;

/** Quotes an element of such a literal. */
export function quoted(v: string): string {
  if (!SPECIAL.test(v)) return `"${v}"`;
  // JSON escapes the same quotes and backslashes, at a third of the cost: most such texts are JSON.
  if (!UNLIKE_JSON.test(v)) return JSON.stringify(v);
  return `"${v.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\0', '\uFFFD')}"`;
}

export const cleanText = (text: string): string => text.replaceAll('\0', '\uFFFD');
