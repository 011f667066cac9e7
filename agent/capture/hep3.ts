/**
 * Encodes a SIP message for HOMER: HEP version 3 ("HEP/EEP, chunk based", revision 36). Big-endian chunks of vendor,
 * type, length and value follow `HEP3` and the total length. Pure: returns bytes.
 */
import { isIPv4 } from 'node:net';
import type { Secret } from '@carillon/proto/base/secret.ts';

export type CapturedMessage = {
  /** The addresses are numeric, and of one family. */
  readonly from: { readonly address: string; readonly port: number };
  readonly to: { readonly address: string; readonly port: number };
  /** True for UDP; the other transports are connection-oriented, including TLS and WebSocket. */
  readonly isDatagram: boolean;
  readonly unixMs: number;
  /** The message with masked credentials. */
  readonly payload: Buffer;
  readonly captureId: number;
  /** The legs of one call share it; '': there is no such id. */
  readonly correlationId: string;
  /** The name of the capturing agent; '': it has no name. */
  readonly node: string;
  /** The password that identifies us to the collector. */
  readonly password: Secret | null;
};

const CHUNK = {
  FAMILY: 1,
  PROTOCOL: 2,
  SOURCE_4: 3,
  TARGET_4: 4,
  SOURCE_6: 5,
  TARGET_6: 6,
  SOURCE_PORT: 7,
  TARGET_PORT: 8,
  SECONDS: 9,
  MICROSECONDS: 10,
  PAYLOAD_KIND: 11,
  CAPTURE_ID: 12,
  PASSWORD: 14,
  PAYLOAD: 15,
  CORRELATION_ID: 17,
  NODE: 19,
} as const;

const FAMILIES = { v4: 2, v6: 10 };
const TCP = 6;
const UDP = 17;
const SIP = 1;
const HEADER_BYTES = 6;
/** The limit of its length field. */
export const MAX_BYTES = 65_535;

/** Null: the message is longer than its length field can express. */
export function hep3(m: CapturedMessage): Buffer | null {
  const is4 = isIPv4(m.from.address) && isIPv4(m.to.address);
  const bytes = is4 ? ip4Bytes : ip6Bytes;
  const microseconds = Math.round(m.unixMs * 1000);
  const chunks = [
    byte(CHUNK.FAMILY, is4 ? FAMILIES.v4 : FAMILIES.v6),
    byte(CHUNK.PROTOCOL, m.isDatagram ? UDP : TCP),
    chunk(is4 ? CHUNK.SOURCE_4 : CHUNK.SOURCE_6, bytes(m.from.address)),
    chunk(is4 ? CHUNK.TARGET_4 : CHUNK.TARGET_6, bytes(m.to.address)),
    short(CHUNK.SOURCE_PORT, m.from.port),
    short(CHUNK.TARGET_PORT, m.to.port),
    word(CHUNK.SECONDS, Math.floor(microseconds / 1e6)),
    word(CHUNK.MICROSECONDS, microseconds % 1e6),
    byte(CHUNK.PAYLOAD_KIND, SIP),
    word(CHUNK.CAPTURE_ID, m.captureId),
    ...(m.password === null ? [] : [chunk(CHUNK.PASSWORD, Buffer.from(m.password.reveal()))]),
    ...(m.correlationId === '' ? [] : [chunk(CHUNK.CORRELATION_ID, Buffer.from(m.correlationId))]),
    ...(m.node === '' ? [] : [chunk(CHUNK.NODE, Buffer.from(m.node))]),
    chunk(CHUNK.PAYLOAD, m.payload),
  ];
  const length = chunks.reduce((sum, one) => sum + one.length, HEADER_BYTES);
  if (length > MAX_BYTES) return null;
  const head = Buffer.from('HEP3\0\0', 'latin1');
  head.writeUInt16BE(length, 4);
  return Buffer.concat([head, ...chunks], length);
}

/** A chunk of vendor 0, which is the protocol itself. */
function chunk(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + value.length);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt16BE(bytes.length & 0xffff, 4);
  value.copy(bytes, HEADER_BYTES);
  return bytes;
}

const byte = (type: number, value: number): Buffer => chunk(type, Buffer.from([value]));

function short(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return chunk(type, bytes);
}

function word(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return chunk(type, bytes);
}

const ip4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function ip6Bytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), ip4Bytes(address)]);
  const [left = '', right] = (address.split('%')[0] as string).split('::');
  const [first, last] = [wordsOf(left), wordsOf(right ?? '')];
  const bytes = Buffer.alloc(16);
  for (const [i, value] of first.entries()) bytes.writeUInt16BE(value, 2 * i);
  for (const [i, value] of last.entries()) bytes.writeUInt16BE(value, 16 - 2 * (last.length - i));
  return bytes;
}

const wordsOf = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => {
        if (!part.includes('.')) return [Number.parseInt(part, 16)];
        const bytes = ip4Bytes(part);
        return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
      });
