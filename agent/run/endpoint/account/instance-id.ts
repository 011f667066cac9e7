/** The instance under which an account registers (RFC 5626, 4.1). */
import { createHash } from 'node:crypto';

/**
 * `urn:uuid:…`, the same across restarts and hosts: a name-based UUID (RFC 9562, 5.5, with the first bits of SHA-256, 5.8).
 */
export function instanceOf(user: string, domain: string): string {
  const bytes = createHash('sha256').update(`carillon ${user}@${domain}`).digest();
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}
