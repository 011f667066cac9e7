/**
 * Datagrams dropped by the kernel because a receive queue was full, from Linux's /proc/net/udp: for sockets of
 * node:dgram, which cannot request SO_RXQ_OVFL. Not available on other systems.
 */
import { readFileSync } from 'node:fs';
import { isIPv6, SocketAddress } from 'node:net';
import { endianness } from 'node:os';

const FILES = ['/proc/net/udp', '/proc/net/udp6'] as const;
/** Lookups are this far apart, because each makes the kernel walk through all sockets. */
const LOOK_MS = 1000;

/** The drops by local address and port, as the file writes them. */
export function parseUdpDrops(text: string): Map<string, number> {
  const drops = new Map<string, number>();
  for (const line of text.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (fields.length >= 13) drops.set(fields[1]!, Number(fields[12]));
  }
  return drops;
}

/** A local address as the file writes it: words of four bytes in the host's order, the port as a number. */
export function procAddress(address: string, port: number): string {
  const words = isIPv6(address) ? wordsOfIPv6(address) : [address.split('.').map(Number)];
  const inHostOrder = words.map((bytes) => (endianness() === 'LE' ? bytes.toReversed() : bytes));
  const hex = inHostOrder.flat().map((byte) => byte.toString(16).padStart(2, '0'));
  return `${hex.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function wordsOfIPv6(address: string): number[][] {
  const [head = '', tail] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').flatMap(groupOf));
  const [before, after] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...before, ...new Array(8 - before.length - after.length).fill(0), ...after];
  return [0, 2, 4, 6].map((i) => [all[i]!, all[i + 1]!].flatMap((group) => [group >> 8, group & 0xff]));
}

/** The last group may be an IPv4 address (RFC 4291, 2.2). */
function groupOf(text: string): number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

export class UdpDrops {
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #isReadable = true;
  readonly #files: readonly string[];

  constructor(files: readonly string[] = FILES) {
    this.#files = files;
  }

  /** Drops since each socket was bound; null if the last lookup was too recent. */
  look(nowMs: number, everyMs = LOOK_MS): ReadonlyMap<string, number> | null {
    if (!this.#isReadable || nowMs - this.#lookedAtMs < everyMs) return null;
    this.#lookedAtMs = nowMs;
    const texts = this.#files.map(readIfThere).filter((text) => text !== null);
    this.#isReadable = texts.length > 0;
    return this.#isReadable ? parseUdpDrops(texts.join('\n')) : null;
  }
}

/** A host without IPv6 has only one of the files. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
