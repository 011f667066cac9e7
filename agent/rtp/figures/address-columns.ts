/** Addresses in columns: text that ends with a zero. */

/** The longest numeric address, an IPv6 one with a zone. */
export const ADDRESS_BYTES = 64;

/** Text beyond the column is cut. */
export function writeAddress(column: Uint8Array, row: number, address: string): void {
  const from = row * ADDRESS_BYTES;
  column.fill(0, from, from + ADDRESS_BYTES);
  for (let i = 0; i < Math.min(address.length, ADDRESS_BYTES - 1); i++) column[from + i] = address.charCodeAt(i);
}

export function addressAt(column: Uint8Array, row: number): string {
  const bytes = column.subarray(row * ADDRESS_BYTES, (row + 1) * ADDRESS_BYTES);
  return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
}
