/** Lines of CSV (RFC 4180). Pure. */

export type CsvCell = string | number | null | undefined;

/** A quote keeps spreadsheets from treating untrusted text as a formula. */
function field(value: CsvCell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[\s\0\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (cells: readonly CsvCell[]): string => `${cells.map(field).join(',')}\r\n`;
