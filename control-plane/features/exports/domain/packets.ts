/**
 * Builds IP packets around payloads whose addresses alone are known: UDP (RFC 768) or TCP (RFC 9293) over IPv4 (RFC
 * 791) or IPv6 (RFC 8200), with valid lengths and checksums. Nothing unseen is invented: TCP has no handshake, sequence
 * numbers start at 1, and each side has acknowledged the data of the other.
 */
import { isIPv4, isIPv6 } from 'node:net';

/** The address is numeric. */
export type TransportAddress = { readonly address: string; readonly port: number };

/** `checksumAt`: the offset in the header of the checksum over pseudo-header, header and body. */
type Protocol = { readonly number: number; readonly checksumAt: number; readonly shown: (sum: number) => number };
const TCP: Protocol = { number: 6, checksumAt: 16, shown: (sum) => sum };
/** Zero would mean no checksum (RFC 768). */
const UDP: Protocol = { number: 17, checksumAt: 6, shown: (sum) => sum || 0xffff };
const HOPS = 64;
const UDP_HEADER = 8;
const TCP_HEADER = 20;
const PUSH_ACK = 0x18;
/** The largest payload that fits into a packet with the longest of these headers. */
export const MAX_PAYLOAD = 65_535 - 40 - TCP_HEADER;

/** One datagram, truncated to IP's maximum, which these messages never reach. */
export function udpPacket(from: TransportAddress, to: TransportAddress, payload: Buffer): Buffer {
  const body = payload.subarray(0, MAX_PAYLOAD);
  const head = Buffer.alloc(UDP_HEADER);
  head.writeUInt16BE(from.port, 0);
  head.writeUInt16BE(to.port, 2);
  head.writeUInt16BE(UDP_HEADER + body.length, 4);
  return ipPacket(UDP, from, to, head, body);
}

/**
 * The start of a datagram whose payload has `payloadBytes`. The payload is missing, so the checksum is zero (RFC 768;
 * RFC 6935 for IPv6).
 */
export function udpBeginning(from: TransportAddress, to: TransportAddress, beginning: Buffer, payloadBytes: number) {
  const head = Buffer.alloc(UDP_HEADER);
  head.writeUInt16BE(from.port, 0);
  head.writeUInt16BE(to.port, 2);
  head.writeUInt16BE(Math.min(UDP_HEADER + payloadBytes, 0xffff), 4);
  const ip = ipHeader(UDP.number, from, to, UDP_HEADER + payloadBytes);
  return {
    packet: Buffer.concat([ip, head, beginning]),
    originalBytes: ip.length + UDP_HEADER + payloadBytes,
  };
}

/** The TCP connections of one file: data sent by both sides so far. */
export class TcpFlows {
  readonly #sent = new Map<string, number>();

  /** Splits a payload into segments. */
  packets(from: TransportAddress, to: TransportAddress, payload: Buffer): Buffer[] {
    const [there, back] = [keyOf(from, to), keyOf(to, from)];
    let sequence = this.#sent.get(there) ?? 1;
    const acknowledged = this.#sent.get(back) ?? 1;
    const packets: Buffer[] = [];
    for (let at = 0; at < payload.length; at += MAX_PAYLOAD) {
      const body = payload.subarray(at, at + MAX_PAYLOAD);
      packets.push(segment(from, to, sequence, acknowledged, body));
      sequence = (sequence + body.length) >>> 0;
    }
    this.#sent.set(there, sequence);
    return packets;
  }
}

const keyOf = (from: TransportAddress, to: TransportAddress): string =>
  `${from.address} ${from.port} ${to.address} ${to.port}`;

function segment(
  from: TransportAddress,
  to: TransportAddress,
  sequence: number,
  acknowledged: number,
  body: Buffer,
): Buffer {
  const head = Buffer.alloc(TCP_HEADER);
  head.writeUInt16BE(from.port, 0);
  head.writeUInt16BE(to.port, 2);
  head.writeUInt32BE(sequence, 4);
  head.writeUInt32BE(acknowledged, 8);
  head[12] = (TCP_HEADER / 4) << 4;
  head[13] = PUSH_ACK;
  head.writeUInt16BE(0xffff, 14);
  return ipPacket(TCP, from, to, head, body);
}

function ipPacket(
  { number: protocol, checksumAt, shown }: Protocol,
  from: TransportAddress,
  to: TransportAddress,
  head: Buffer,
  body: Buffer,
): Buffer {
  const length = head.length + body.length;
  const [source, target] = addressBytes(from.address, to.address);
  // Both pseudo-headers add up to addresses, protocol and length (RFC 768; RFC 8200, 8.1).
  const sum = onesSum(body, onesSum(head, onesSum(target, onesSum(source, protocol + length))));
  head.writeUInt16BE(shown(~sum & 0xffff), checksumAt);
  return Buffer.concat([ipHeader(protocol, from, to, length), head, body]);
}

function ipHeader(protocol: number, from: TransportAddress, to: TransportAddress, length: number): Buffer {
  const [source, target] = addressBytes(from.address, to.address);
  return source.length === 4
    ? ip4Header(protocol, source, target, length)
    : ip6Header(protocol, source, target, length);
}

function ip4Header(protocol: number, source: Buffer, target: Buffer, length: number): Buffer {
  const head = Buffer.alloc(20);
  head[0] = 0x45;
  head.writeUInt16BE(20 + length, 2);
  // The flag is Don't Fragment, and the identification is then meaningless (RFC 6864).
  head.writeUInt16BE(0x4000, 6);
  head[8] = HOPS;
  head[9] = protocol;
  source.copy(head, 12);
  target.copy(head, 16);
  head.writeUInt16BE(~onesSum(head, 0) & 0xffff, 10);
  return head;
}

function ip6Header(protocol: number, source: Buffer, target: Buffer, length: number): Buffer {
  const head = Buffer.alloc(40);
  head[0] = 0x60;
  head.writeUInt16BE(length, 4);
  head[6] = protocol;
  head[7] = HOPS;
  source.copy(head, 8);
  target.copy(head, 24);
  return head;
}

/** The one's complement sum of 16-bit words (RFC 1071), folded. */
function onesSum(bytes: Buffer, start: number): number {
  let sum = start;
  const even = bytes.length & ~1;
  for (let i = 0; i < even; i += 2) sum += ((bytes[i] as number) << 8) | (bytes[i + 1] as number);
  if (even < bytes.length) sum += (bytes[even] as number) << 8;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return sum;
}

/** Both addresses in one family: if one is IPv6, the IPv4 address is written as IPv6 (RFC 4291, 2.5.5.2). */
function addressBytes(from: string, to: string): readonly [Buffer, Buffer] {
  if (isIPv4(from) && isIPv4(to)) return [ip4Bytes(from), ip4Bytes(to)];
  return [ip6Bytes(from), ip6Bytes(to)];
}

const ip4Bytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function ip6Bytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.concat([Buffer.alloc(10), Buffer.from([0xff, 0xff]), ip4Bytes(address)]);
  const bytes = Buffer.alloc(16);
  if (!isIPv6(address)) return bytes;
  const plain = address.split('%')[0] as string;
  const [left = '', right] = plain.split('::');
  const first = wordsOf(left);
  const last = right === undefined ? [] : wordsOf(right);
  for (const [i, word] of first.entries()) bytes.writeUInt16BE(word, 2 * i);
  for (const [i, word] of last.entries()) bytes.writeUInt16BE(word, 16 - 2 * (last.length - i));
  return bytes;
}

/** `2001:db8:192.0.2.1` -> its 16-bit words. */
const wordsOf = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => {
        if (!part.includes('.')) return [Number.parseInt(part, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = ip4Bytes(part);
        return [(a << 8) | b, (c << 8) | d];
      });
