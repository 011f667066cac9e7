/**
 * Node's own latin1 methods of Buffer, one character per byte. The type definitions lack them; they are a third faster
 * than `toString('latin1')` and `write(…, 'latin1')`, which call them after checking their arguments.
 */
export type Latin1Buffer = Buffer<ArrayBuffer> & {
  latin1Slice(start: number, end: number): string;
  latin1Write(text: string, offset: number, length: number): number;
};

/** The same memory, seen as text. */
export const latin1Buffer = (bytes: Uint8Array): Latin1Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Latin1Buffer;
