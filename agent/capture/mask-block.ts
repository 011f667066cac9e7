/**
 * Masks the credentials in a block of messages before it leaves the process: immediately if its messages are reported
 * immediately, otherwise when they are reported, which happens for a few calls of a large run.
 */
import { type Latin1Buffer, latin1Buffer } from '../net/datagrams/latin1.ts';
import { isSensitive, maskCredentials } from './mask.ts';
import { COLUMN, COLUMNS, type MessageBlock } from './message-block.ts';

/** The same block with masked bytes; a masked block is not searched again. */
export function maskedBlock(block: MessageBlock): MessageBlock {
  if (block.isMasked) return block;
  const { text, columns, atMs } = block;
  maskRows(latin1Buffer(text), text.length, columns, atMs.length);
  return { ...block, isMasked: true };
}

/**
 * Most blocks have nothing to mask, and one search shows that; masking does not change lengths. `used`: the bytes of
 * all rows.
 */
export function maskRows(bytes: Latin1Buffer, used: number, columns: Int32Array, rows: number): void {
  if (!isSensitive(bytes.latin1Slice(0, used), bytes)) return;
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const end = at + (columns[row * COLUMNS + COLUMN.BYTES] as number);
    const text = bytes.latin1Slice(at, end);
    const masked = maskCredentials(text);
    if (masked !== text) bytes.latin1Write(masked, at, end - at);
    at = end;
  }
}
