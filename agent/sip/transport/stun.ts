/**
 * STUN Binding on the SIP socket (RFC 8489, 5 and 14.2; RFC 5626, 4.4.2 and 8), as text with one character per byte.
 */
import { isIPv4, SocketAddress } from 'node:net';

const HEADER_BYTES = 20;
const COOKIE = '\x21\x12\xa4\x42';
const REQUEST = '\x00\x01';
const SUCCESS = '\x01\x01';
const XOR_MAPPED_ADDRESS = '\x00\x20';

/** A SIP message starts with a letter; a STUN message with two zero bits, and has the magic cookie. */
export const isStun = (text: string): boolean =>
  text.length >= HEADER_BYTES && text.charCodeAt(0) < 4 && text.startsWith(COOKIE, 4);

export const isBindingRequest = (text: string): boolean => text.startsWith(REQUEST);
export const isBindingSuccess = (text: string): boolean => text.startsWith(SUCCESS);

/** 96 bits that the answer repeats. */
export const transactionOf = (text: string): string => text.slice(8, HEADER_BYTES);

export const bindingRequest = (transaction: string): string => `${REQUEST}\0\0${COOKIE}${transaction}`;

/** Answers with the address that the request came from. */
export function bindingSuccess(request: string, address: string, port: number): string {
  const transaction = transactionOf(request);
  const key = COOKIE + transaction;
  const bytes = isIPv4(address) ? address.split('.').map(Number) : bytesOf6(address);
  const mapped = bytes.map((byte, i) => String.fromCharCode(byte ^ key.charCodeAt(i))).join('');
  const xorPort = String.fromCharCode((port >> 8) ^ 0x21, (port & 0xff) ^ 0x12);
  const value = `\0${bytes.length === 4 ? '\x01' : '\x02'}${xorPort}${mapped}`;
  const attribute = `${XOR_MAPPED_ADDRESS}\0${String.fromCharCode(value.length)}${value}`;
  return `${SUCCESS}\0${String.fromCharCode(attribute.length)}${COOKIE}${transaction}${attribute}`;
}

function bytesOf6(address: string): number[] {
  const plain = new SocketAddress({ address: address.replace(/%.*/, ''), family: 'ipv6' }).address;
  const [left = '', right] = plain.split('::');
  const words = (part: string): number[] => (part === '' ? [] : part.split(':').map((w) => Number.parseInt(w, 16)));
  const [head, tail] = [words(left), words(right ?? '')];
  const zeros = right === undefined ? [] : new Array<number>(8 - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail].flatMap((word) => [word >> 8, word & 0xff]);
}
