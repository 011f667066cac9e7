/** Columns as PostgreSQL array literals: one text parameter a column, far cheaper than the driver's element-wise quoting. */

/** NaN becomes NULL: not measured. */
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
  return `{${values.map((v) => (v ? 't' : 'f')).join(',')}}`;
}

/** `null` stays NULL; NUL, which PostgreSQL's text cannot hold, becomes U+FFFD. */
export function texts(values: readonly (string | null)[]): string {
  return `{${values
    .map((v) =>
      v === null ? 'NULL' : `"${v.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\0', '\uFFFD')}"`,
    )
    .join(',')}}`;
}

export const cleanText = (text: string): string => text.replaceAll('\0', '\uFFFD');
