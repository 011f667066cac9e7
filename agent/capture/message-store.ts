/**
 * Kept messages of a share's endpoints until they are reported, each written once, as bytes outside of the heap: every message waits some
 * hundred milliseconds, too long for the young generation, so that as text in the heap each would be copied twice and left to a full
 * collection. Credentials are masked for all of a block at a time, before it leaves the thread.
 */
import { SIP_TRANSPORTS } from '@carillon/proto/word-lists.ts';
import type { Traffic } from '../sip/engine.ts';
import { BlockMemory } from './block-memory.ts';
import { methodLabel } from './bounded-text.ts';
import { isSensitive, maskCredentials } from './mask.ts';
import { COLUMN, COLUMNS, type MessageBlock, RETRANSMISSION, SENT, STATUS_UNIT } from './message-block.ts';

/** A block ends where the next message finds no room in one of these. */
const BLOCK_BYTES = 64 * 1024;
const BLOCK_ROWS = 256;
/** Of the first block; most shares never keep more at a time. */
const FIRST_BYTES = 8 * 1024;
const FIRST_ROWS = 32;

export class MessageStore {
  readonly #localAddress: string;
  /** Ended blocks, masked, until they are taken. */
  #ended: MessageBlock[] = [];
  #memory = new BlockMemory(FIRST_ROWS, FIRST_BYTES);
  #used = 0;
  #rows = 0;
  #words: string[] = [];
  readonly #wordOf = new Map<string, number>();
  #peer = { address: '', port: -1, word: 0 };
  /** The block that is being filled: words of one before mean nothing in it. */
  serial = 0;

  /** `localAddress`: the engine's. */
  constructor(localAddress = '') {
    this.#localAddress = localAddress;
  }

  /** When the oldest message that is kept was, NaN without one. */
  get sinceMs(): number {
    const oldest = this.#ended[0]?.atMs[0];
    return oldest ?? (this.#rows === 0 ? Number.NaN : (this.#memory.atMs[0] as number));
  }

  /** Memory for messages. */
  get bytes(): number {
    return this.#ended.reduce((sum, { text }) => sum + text.length, this.#memory.text.length);
  }

  /** To be called before a message's words are asked for: a block may end here. */
  makeRoom(bytes: number): void {
    if (this.#rows === BLOCK_ROWS || (this.#used + bytes > BLOCK_BYTES && this.#rows > 0)) this.#endBlock();
    const needed = this.#used + bytes;
    const { rows, text } = this.#memory;
    if (needed > text.length || this.#rows === rows)
      this.#memory = this.#memory.moved(this.#rows, this.#used, BLOCK_ROWS, Math.max(needed, BLOCK_BYTES));
  }

  /** The place of a text among the block's words. */
  word(text: string): number {
    return this.#words.push(text) - 1;
  }

  /** As the one before, mostly. */
  peerWord(address: string, port: number): number {
    const last = this.#peer;
    if (last.port !== port || last.address !== address) {
      const word = this.#sharedWord(
        address === '' ? '' : `${address.includes(':') ? `[${address}]` : address}:${port}`,
      );
      this.#peer = { address, port, word };
    }
    return this.#peer.word;
  }

  /** Keeps the first `bytes` of a message; the words are of this block. Its row. */
  add(
    endpoint: number,
    number: number,
    caller: number,
    traffic: Traffic,
    bytes: number,
    callId: number,
    peer: number,
  ): number {
    const row = this.#rows++;
    const { columns, atMs, text } = this.#memory;
    const at = row * COLUMNS;
    columns[at + COLUMN.ENDPOINT] = endpoint;
    columns[at + COLUMN.NUMBER] = number;
    columns[at + COLUMN.BYTES] = bytes;
    columns[at + COLUMN.KIND] =
      traffic.status * STATUS_UNIT +
      (traffic.direction === 'SENT' ? SENT : 0) +
      (traffic.retransmission ? RETRANSMISSION : 0);
    columns[at + COLUMN.METHOD] = this.#methodWord(traffic.method);
    columns[at + COLUMN.CALL_ID] = callId;
    columns[at + COLUMN.PEER] = peer;
    columns[at + COLUMN.TRANSPORT] = traffic.transport === 'UDP' ? 0 : SIP_TRANSPORTS.indexOf(traffic.transport);
    columns[at + COLUMN.LOCAL_PORT] = traffic.localPort;
    columns[at + COLUMN.CALLER] = caller;
    atMs[row] = traffic.atMs;
    text.latin1Write(traffic.text, this.#used, bytes);
    this.#used += bytes;
    return row;
  }

  /** Who placed the call is known only once its INVITE has been read, and kept. */
  setCaller(row: number, caller: number): void {
    this.#memory.columns[row * COLUMNS + COLUMN.CALLER] = caller;
  }

  /** What is kept in blocks that have ended, or all; it is kept no longer. */
  take(all: boolean): MessageBlock[] {
    if (all) this.#endBlock();
    const taken = this.#ended;
    this.#ended = [];
    return taken;
  }

  #endBlock(): void {
    if (this.#rows === 0) return;
    this.#mask();
    const memory = this.#memory;
    // What is full goes as it is; of the rest a copy, and the memory stays.
    const isFull = this.#used * 2 > memory.text.length;
    const gone = isFull ? memory : memory.moved(this.#rows, this.#used, this.#rows, this.#used);
    if (isFull) this.#memory = new BlockMemory(BLOCK_ROWS, BLOCK_BYTES);
    this.#ended.push({
      text: gone.text.subarray(0, this.#used),
      columns: gone.columns.subarray(0, this.#rows * COLUMNS),
      atMs: gone.atMs.subarray(0, this.#rows),
      words: this.#words,
      localAddress: this.#localAddress,
    });
    this.#used = 0;
    this.#rows = 0;
    this.#words = [];
    this.#wordOf.clear();
    this.#peer = { address: '', port: -1, word: 0 };
    this.serial++;
  }

  /** Most blocks hold nothing to be masked, and one search says so; masks change no length. */
  #mask(): void {
    const { text: bytes, columns } = this.#memory;
    if (!isSensitive(bytes.latin1Slice(0, this.#used), bytes)) return;
    let at = 0;
    for (let row = 0; row < this.#rows; row++) {
      const end = at + (columns[row * COLUMNS + COLUMN.BYTES] as number);
      const text = bytes.latin1Slice(at, end);
      const masked = maskCredentials(text);
      if (masked !== text) bytes.latin1Write(masked, at, end - at);
      at = end;
    }
  }

  /** Of few: strangers' methods share one. */
  #methodWord(method: string): number {
    return this.#wordOf.get(method) ?? this.#sharedWord(methodLabel(method));
  }

  #sharedWord(text: string): number {
    let word = this.#wordOf.get(text);
    if (word === undefined) {
      word = this.word(text);
      this.#wordOf.set(text, word);
    }
    return word;
  }
}
