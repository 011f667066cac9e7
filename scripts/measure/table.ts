/** The table of a measurement or a proof, and the format of its figures. */

export type ResultTable = {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The claims that do not hold; empty: everything holds. */
  readonly faults?: readonly string[];
};

export const n = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

export const times = (ratio: number): string => `${n(ratio, 2)} x`;

/** A value that was not measured is shown as a dash. */
export const orDash = (value: number | null, digits = 0): string => (value === null ? '—' : n(value, digits));

export const markdown = ({ heads, rows }: Pick<ResultTable, 'heads' | 'rows'>): string =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;
};

/** The value below which this share of the values is. */
export const quantileOf = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN;
