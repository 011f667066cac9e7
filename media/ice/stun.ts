/** STUN messages (RFC 8489) for ICE (RFC 8445, 7 and 16): only Binding requests and their responses. */
import { crc32 } from './crc32.ts';

type TransportAddress = { readonly address: string; readonly port: number };

/** HMAC-SHA1 of the bytes under the key of a password (RFC 8489, 9.1.1): 20 octets. */
export type HmacSha1 = (password: string, bytes: Uint8Array) => Uint8Array;

export const REQUEST = 0x0001;
export const SUCCESS = 0x0101;
export const FAILURE = 0x0111;

export const ROLE_CONFLICT = 487;

export type StunMessage = {
  readonly type: number;
  /** 12 octets as a string, one character per octet. */
  readonly transaction: string;
  readonly username?: string | null;
  readonly priority?: number | null;
  readonly useCandidate?: boolean;
  /** The tie-breaker of an end that controls, or is controlled; at most one of the two. */
  readonly controlling?: bigint | null;
  readonly controlled?: bigint | null;
  /** XOR-MAPPED-ADDRESS: the source of the request. */
  readonly mapped?: TransportAddress | null;
  readonly errorCode?: number | null;
};

const COOKIE = 0x2112a442;
const HEADER_BYTES = 20;
const FINGERPRINT_MASK = 0x5354554e;
const INTEGRITY_BYTES = 20;

const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const ERROR_CODE = 0x0009;
const XOR_MAPPED_ADDRESS = 0x0020;
const PRIORITY = 0x0024;
const USE_CANDIDATE = 0x0025;
const FINGERPRINT = 0x8028;
const ICE_CONTROLLED = 0x8029;
const ICE_CONTROLLING = 0x802a;

/** Longer messages are ignored. */
const MAX_BYTES = 548;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff);
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** Messages always have FINGERPRINT, and MESSAGE-INTEGRITY if there is a password. */
export function writeStun(message: StunMessage, hmac: HmacSha1, password: string | null): Uint8Array {
  const buffer = new Uint8Array(MAX_BYTES);
  const view = viewOf(buffer);
  let at = HEADER_BYTES;
  const attribute = (type: number, length: number): number => {
    view.setUint16(at, type);
    view.setUint16(at + 2, length);
    const value = at + 4;
    at = value + ((length + 3) & ~3);
    return value;
  };
  view.setUint16(0, message.type);
  view.setUint32(4, COOKIE);
  buffer.set(latin1(message.transaction), 8);
  if (message.username != null) {
    const name = new TextEncoder().encode(message.username);
    buffer.set(name, attribute(USERNAME, name.length));
  }
  if (message.priority != null) view.setUint32(attribute(PRIORITY, 4), message.priority);
  if (message.useCandidate) attribute(USE_CANDIDATE, 0);
  if (message.controlling != null) view.setBigUint64(attribute(ICE_CONTROLLING, 8), message.controlling);
  if (message.controlled != null) view.setBigUint64(attribute(ICE_CONTROLLED, 8), message.controlled);
  if (message.mapped != null) {
    const address = addressBytes(message.mapped.address);
    writeMapped(buffer, attribute(XOR_MAPPED_ADDRESS, address.length + 4), message.mapped.port, address);
  }
  if (message.errorCode != null) {
    const value = attribute(ERROR_CODE, 4);
    buffer[value + 2] = Math.floor(message.errorCode / 100);
    buffer[value + 3] = message.errorCode % 100;
  }
  if (password !== null) {
    const before = at;
    const value = attribute(MESSAGE_INTEGRITY, INTEGRITY_BYTES);
    view.setUint16(2, at - HEADER_BYTES);
    buffer.set(hmac(password, buffer.subarray(0, before)), value);
  }
  const before = at;
  const value = attribute(FINGERPRINT, 4);
  view.setUint16(2, at - HEADER_BYTES);
  view.setUint32(value, (crc32(buffer.subarray(0, before)) ^ FINGERPRINT_MASK) >>> 0);
  return buffer.subarray(0, at);
}

/** XOR-MAPPED-ADDRESS (14.2): `octets` are those of the cookie and the transaction, and are XORed with the address. */
function writeMapped(buffer: Uint8Array, at: number, port: number, address: Uint8Array): void {
  const view = viewOf(buffer);
  buffer[at + 1] = address.length === 4 ? 1 : 2;
  view.setUint16(at + 2, port ^ (COOKIE >>> 16));
  for (const [i, octet] of address.entries()) buffer[at + 4 + i] = octet ^ buffer[4 + i]!;
}

/** A complete message; null if it is not one, or its FINGERPRINT is wrong. Only `isAuthentic` proves its content. */
export function readStun(bytes: Uint8Array): StunMessage | null {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_BYTES || bytes[0]! > 3) return null;
  const view = viewOf(bytes);
  if (view.getUint32(4) !== COOKIE || view.getUint16(2) !== bytes.length - HEADER_BYTES || bytes.length % 4 !== 0)
    return null;
  const values = attributesOf(bytes);
  if (values === null) return null;
  const fingerprint = values.get(FINGERPRINT);
  if (fingerprint !== undefined && !fits(bytes, view, fingerprint)) return null;
  const number = (type: number): number | null =>
    values.get(type)?.length === 4 ? view.getUint32(values.get(type)!.at) : null;
  const tie = (type: number): bigint | null =>
    values.get(type)?.length === 8 ? view.getBigUint64(values.get(type)!.at) : null;
  const name = values.get(USERNAME);
  const code = values.get(ERROR_CODE);
  const mapped = values.get(XOR_MAPPED_ADDRESS);
  return {
    type: view.getUint16(0),
    transaction: textOf(bytes.subarray(8, HEADER_BYTES)),
    username: name === undefined ? null : new TextDecoder().decode(bytes.subarray(name.at, name.at + name.length)),
    priority: number(PRIORITY),
    useCandidate: values.has(USE_CANDIDATE),
    controlling: tie(ICE_CONTROLLING),
    controlled: tie(ICE_CONTROLLED),
    mapped: mapped === undefined ? null : readMapped(bytes, mapped),
    errorCode: code === undefined || code.length < 4 ? null : bytes[code.at + 2]! * 100 + bytes[code.at + 3]!,
  };
}

type Value = { readonly at: number; readonly length: number };

/**
 * The first attribute of each type, up to MESSAGE-INTEGRITY: later ones are not authenticated, except FINGERPRINT (RFC
 * 8489, 14.5). Null: truncated.
 */
function attributesOf(bytes: Uint8Array): Map<number, Value> | null {
  const view = viewOf(bytes);
  const values = new Map<number, Value>();
  let at = HEADER_BYTES;
  while (at + 4 <= bytes.length) {
    const [type, length] = [view.getUint16(at), view.getUint16(at + 2)];
    if (at + 4 + length > bytes.length) return null;
    const isProved = !values.has(MESSAGE_INTEGRITY) || type === FINGERPRINT;
    if (isProved && !values.has(type)) values.set(type, { at: at + 4, length });
    at += 4 + ((length + 3) & ~3);
  }
  return values;
}

function fits(bytes: Uint8Array, view: DataView, { at, length }: Value): boolean {
  if (length !== 4 || at + 4 !== bytes.length) return false;
  return view.getUint32(at) === (crc32(bytes.subarray(0, at - 4)) ^ FINGERPRINT_MASK) >>> 0;
}

function readMapped(bytes: Uint8Array, { at, length }: Value): TransportAddress | null {
  const family = bytes[at + 1];
  const octets = family === 1 ? 4 : family === 2 ? 16 : 0;
  if (octets === 0 || length !== octets + 4) return null;
  const address = Uint8Array.from({ length: octets }, (_, i) => bytes[at + 4 + i]! ^ bytes[4 + i]!);
  return { address: addressText(address), port: viewOf(bytes).getUint16(at + 2) ^ (COOKIE >>> 16) };
}

/** Whether MESSAGE-INTEGRITY is present and was computed with the password (RFC 8489, 14.5). */
export function isAuthentic(bytes: Uint8Array, hmac: HmacSha1, password: string): boolean {
  const value = attributesOf(bytes)?.get(MESSAGE_INTEGRITY);
  if (value === undefined || value.length !== INTEGRITY_BYTES) return false;
  const covered = bytes.slice(0, value.at - 4);
  viewOf(covered).setUint16(2, value.at + INTEGRITY_BYTES - HEADER_BYTES);
  const tag = hmac(password, covered);
  let difference = 0;
  for (let i = 0; i < INTEGRITY_BYTES; i++) difference |= tag[i]! ^ bytes[value.at + i]!;
  return difference === 0;
}

/** Converts a numeric IPv4 or IPv6 address to 4 or 16 octets. */
function addressBytes(text: string): Uint8Array {
  if (!text.includes(':')) return Uint8Array.from(text.split('.'), Number);
  const [head = '', tail] = text.split('%')[0]!.split('::');
  const groups = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [a * 256 + b, c * 256 + d];
        });
  const [first, last] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...first, ...new Array(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
  return Uint8Array.from(all.flatMap((group: number) => [group >> 8, group & 0xff]));
}

/** The text form of RFC 5952: the longest run of zeros is left out. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => bytes[i * 2]! * 256 + bytes[i * 2 + 1]!);
  let [from, length] = [0, 0];
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > length) [from, length] = [i, end - i];
  }
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}
