/**
 * `cnonce` (RFC 7616, 3.4): it must be unpredictable. Random bytes are read for a thousand at once, because a system call
 * costs ten times the rest.
 */
import { randomFillSync } from 'node:crypto';

const BYTES = 8;
const pool = Buffer.alloc(1024 * BYTES);
let used = pool.length;

export function clientNonce(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return pool.toString('hex', used - BYTES, used);
}
