/** Tables and figures of RESULTS.md. */

/** Markdown: head, rule, rows. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const n = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** SIPp may not speak the transport. */
export const orNone = (value: number): string => (Number.isNaN(value) ? 'none' : n(value));
export const times = (ratio: number): string => (Number.isNaN(ratio) ? '' : `${n(ratio, 2)} x`);
