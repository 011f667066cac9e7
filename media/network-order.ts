/** Integers as packets have them, most significant byte first. Packets are read and written by these, so they allocate nothing. */

/** 32 bits. The bytes after the end of `bytes` count as 0. */
export const readWord = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

/** The lower 16 bits of `value`. Returns the offset after them. */
export function writeHalf(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
  return at + 2;
}

/** The lower 32 bits of `value`. Returns the offset after them. */
export function writeWord(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
  return at + 4;
}
