/**
 * Socket addresses in C layout: struct sockaddr_in (16 bytes) and sockaddr_in6 (28 bytes) of 64-bit Linux. The text
 * form of IPv6 is that of RFC 5952, as used by inet_ntop and node:dgram.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Block, C } from '../libc.ts';

export type SocketAddress = { readonly address: string; readonly port: number };

/** Fits either family; a multiple of 8. */
export const SOCKET_ADDRESS_BYTES = 32;
const SOCKADDR_IN_BYTES = 16;
const SOCKADDR_IN6_BYTES = 28;

/** AF_INET, AF_INET6, or 0 if the text is not a numeric address. An IPv6 zone (`fe80::1%eth0`) is allowed. */
export function familyOf(address: string): number {
  if (isIPv4(address)) return C.AF_INET;
  return isIPv6(address) ? C.AF_INET6 : 0;
}

/** Writes the address at `offset` and returns the length for C; 0 (nothing usable written) if it is not numeric. */
export function packSocketAddress(block: Block, offset: number, address: string, port: number): number {
  const family = familyOf(address);
  if (family === 0) return 0;
  const bytes = block.bytes;
  bytes.fill(0, offset, offset + SOCKADDR_IN6_BYTES);
  bytes[offset] = family;
  bytes[offset + 2] = port >> 8;
  bytes[offset + 3] = port & 0xff;
  if (family === C.AF_INET) {
    packIpv4(bytes, offset + 4, address);
    return SOCKADDR_IN_BYTES;
  }
  const zoneAt = address.indexOf('%');
  packIpv6(bytes, offset + 8, zoneAt < 0 ? address : address.slice(0, zoneAt));
  if (zoneAt > 0) packZone(bytes, offset + 24, address.slice(zoneAt + 1));
  return SOCKADDR_IN6_BYTES;
}

/** Reads what the kernel (or `packSocketAddress`) wrote at `offset`; an unknown family reads as address ''. */
export function unpackSocketAddress(block: Block, offset: number): SocketAddress {
  const bytes = block.bytes;
  const port = ((bytes[offset + 2] as number) << 8) | (bytes[offset + 3] as number);
  const family = bytes[offset];
  if (family === C.AF_INET) return { address: bytes.subarray(offset + 4, offset + 8).join('.'), port };
  if (family !== C.AF_INET6) return { address: '', port };
  const zone = new DataView(bytes.buffer, bytes.byteOffset + offset + 24, 4).getUint32(0, true);
  return { address: ipv6Text(bytes, offset + 8) + (zone === 0 ? '' : `%${zoneName(zone)}`), port };
}

function packIpv4(bytes: Uint8Array, offset: number, address: string): void {
  const parts = address.split('.');
  for (let i = 0; i < 4; i++) bytes[offset + i] = Number(parts[i]);
}

/** `address` has passed isIPv6; the 16 bytes at `offset` are zero. */
function packIpv6(bytes: Uint8Array, offset: number, address: string): void {
  const gapAt = address.indexOf('::');
  const left = gapAt < 0 ? address : address.slice(0, gapAt);
  packGroups(bytes, offset, left);
  if (gapAt < 0) return;
  const right = address.slice(gapAt + 2);
  packGroups(bytes, offset + 16 - groupBytes(right), right);
}

function groupBytes(groups: string): number {
  if (groups === '') return 0;
  return groups.split(':').length * 2 + (groups.includes('.') ? 2 : 0);
}

function packGroups(bytes: Uint8Array, offset: number, groups: string): void {
  if (groups === '') return;
  let at = offset;
  for (const group of groups.split(':')) {
    if (group.includes('.')) {
      packIpv4(bytes, at, group);
    } else {
      const value = Number.parseInt(group, 16);
      bytes[at] = value >> 8;
      bytes[at + 1] = value & 0xff;
    }
    at += 2;
  }
}

function packZone(bytes: Uint8Array, offset: number, zone: string): void {
  const named = networkInterfaces()[zone]?.find((entry) => entry.family === 'IPv6')?.scopeid;
  const scope = named ?? (Number.parseInt(zone, 10) || 0);
  new DataView(bytes.buffer, bytes.byteOffset + offset, 4).setUint32(0, scope, true);
}

function zoneName(scope: number): string {
  for (const [name, entries] of Object.entries(networkInterfaces())) {
    if (entries?.some((entry) => entry.family === 'IPv6' && entry.scopeid === scope)) return name;
  }
  return String(scope);
}

/** RFC 5952, 4: lower case, no leading zeros, `::` for the first longest run of two or more zero groups. */
function ipv6Text(bytes: Uint8Array, offset: number): string {
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(((bytes[offset + i] as number) << 8) | (bytes[offset + i + 1] as number));
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return `::ffff:${bytes.subarray(offset + 12, offset + 16).join('.')}`;
  }
  let runAt = -1;
  let runLength = 1;
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (i + length < 8 && groups[i + length] === 0) length++;
    if (length > runLength) [runAt, runLength] = [i, length];
  }
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (runAt < 0) return hex(groups);
  return `${hex(groups.slice(0, runAt))}::${hex(groups.slice(runAt + runLength))}`;
}
