/** Identifiers on the wire are 16 raw bytes. */
import { FrameError } from '@carillon/proto';
import { parse, stringify } from 'uuid';

export const toBytes = (id: string): Uint8Array => parse(id);

/** @throws FrameError */
export function toId(bytes: Uint8Array, what: string): string {
  try {
    return stringify(bytes);
  } catch {
    throw new FrameError(`${what} is not an identifier: ${bytes.length} bytes`);
  }
}
