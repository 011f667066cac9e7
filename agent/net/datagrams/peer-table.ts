/**
 * Addresses in both forms, each converted once: a load test exchanges millions of datagrams with a few peers, and
 * should not convert text and sockaddr for each one.
 */
import { type Block, C, pin } from '../libc.ts';
import { packSocketAddress, SOCKET_ADDRESS_BYTES, unpackSocketAddress } from './socket-address.ts';

/**
 * Words of a sockaddr that distinguish two peers: family and port, then the address (sockaddr_in6 ends with its zone).
 */
type Source = { readonly words: Uint32Array; readonly address: string; readonly port: number; next: Source | null };

const WORDS = SOCKET_ADDRESS_BYTES / 4;
/** The table is emptied at this number of peers: a flood from forged addresses must not grow it without limit. */
const MAX_PEERS = 65_536;

/** Converts the kernel's addresses to text. */
export class SourceTable {
  readonly #byHash = new Map<number, Source>();
  #last: Source | null = null;

  /** The peer whose sockaddr is at `offset` (a multiple of 4) of `block`. */
  at(block: Block, offset: number): { readonly address: string; readonly port: number } {
    const u32 = block.u32;
    const word = offset >> 2;
    if (this.#last !== null && sameWords(this.#last.words, u32, word)) return this.#last;
    const hash = hashWords(u32, word);
    let source = this.#byHash.get(hash) ?? null;
    while (source !== null && !sameWords(source.words, u32, word)) source = source.next;
    if (source === null) {
      if (this.#byHash.size >= MAX_PEERS) this.#byHash.clear();
      const { address, port } = unpackSocketAddress(block, offset);
      source = { words: u32.slice(word, word + WORDS), address, port, next: this.#byHash.get(hash) ?? null };
      this.#byHash.set(hash, source);
    }
    this.#last = source;
    return source;
  }
}

/** A sockaddr_in ends with eight unused bytes; a sockaddr_in6 has a flow label that does not identify the peer. */
function sameWords(known: Uint32Array, u32: Uint32Array, word: number): boolean {
  if (known[0] !== u32[word] || known[1] !== u32[word + 1]) return false;
  if (((known[0] as number) & 0xffff) === C.AF_INET) return true;
  for (let i = 2; i < 7; i++) if (known[i] !== u32[word + i]) return false;
  return true;
}

function hashWords(u32: Uint32Array, word: number): number {
  let hash = Math.imul(u32[word] as number, 0x9e3779b1) ^ (u32[word + 1] as number);
  if (((u32[word] as number) & 0xffff) === C.AF_INET6) {
    for (let i = 2; i < 6; i++) hash = Math.imul(hash, 31) ^ (u32[word + i] as number);
  }
  return hash & 0x3fffffff;
}

/** Converts text to a sockaddr in pinned memory. */
export class DestinationTable {
  readonly #block: Block;
  readonly #capacity: number;
  readonly #slots = new Map<string, Map<number, number>>();
  readonly #lengths: Uint8Array;
  #used = 0;
  #lastAddress = '';
  #lastPort = -1;
  #lastSlot = -1;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#block = pin(capacity * SOCKET_ADDRESS_BYTES);
    this.#lengths = new Uint8Array(capacity);
  }

  get full(): boolean {
    return this.#used === this.#capacity;
  }

  /** Clears the table; earlier sockaddrs must no longer be in use. */
  clear(): void {
    this.#slots.clear();
    this.#used = 0;
    this.#lastPort = -1;
  }

  /** The slot of the destination; -1: the address is not numeric or the table is full. */
  slotOf(address: string, port: number): number {
    if (port === this.#lastPort && address === this.#lastAddress) return this.#lastSlot;
    let ports = this.#slots.get(address);
    let slot = ports?.get(port) ?? -1;
    if (slot < 0) {
      if (this.full) return -1;
      const length = packSocketAddress(this.#block, this.#used * SOCKET_ADDRESS_BYTES, address, port);
      if (length === 0) return -1;
      slot = this.#used++;
      this.#lengths[slot] = length;
      if (ports === undefined) {
        ports = new Map();
        this.#slots.set(address, ports);
      }
      ports.set(port, slot);
    }
    this.#lastAddress = address;
    this.#lastPort = port;
    this.#lastSlot = slot;
    return slot;
  }

  addressOf(slot: number): number {
    return this.#block.address + slot * SOCKET_ADDRESS_BYTES;
  }

  lengthOf(slot: number): number {
    return this.#lengths[slot] as number;
  }

  /** The destination as text again, for error reports. */
  describe(slot: number): { readonly address: string; readonly port: number } {
    return unpackSocketAddress(this.#block, slot * SOCKET_ADDRESS_BYTES);
  }
}
