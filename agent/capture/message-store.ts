/**
 * Keeps messages of a share's endpoints until they are reported, as bytes outside the heap. Every message waits some
 * hundred milliseconds, too long for the young generation: as strings each would be copied twice and then wait for a
 * full collection. Credentials are masked for a whole block.
 */
import { SIP_TRANSPORTS } from '@carillon/proto/words/word-lists.ts';
import type { Traffic } from '../sip/engine.ts';
import { hostPortText } from '../sip/message/uri.ts';
import { BlockMemory } from './block-memory.ts';
import { methodLabel } from './bounded-text.ts';
import { maskRows } from './mask-block.ts';
import { COLUMN, COLUMNS, type MessageBlock, RETRANSMISSION, SENT, STATUS_UNIT } from './message-block.ts';

/** A block ends when the next message does not fit. */
const BLOCK_BYTES = 64 * 1024;
const BLOCK_ROWS = 256;
/** The size of the first block; most shares never keep more at a time. */
const FIRST_BYTES = 8 * 1024;
const FIRST_ROWS = 32;

export class MessageStore {
  readonly #localAddress: string;
  readonly #isMasked: boolean;
  /** Ended blocks, until they are taken. */
  #ended: MessageBlock[] = [];
  #memory = new BlockMemory(FIRST_ROWS, FIRST_BYTES);
  #used = 0;
  #rows = 0;
  #words: string[] = [];
  readonly #wordOf = new Map<string, number>();
  #peer = { address: '', port: -1, word: 0 };
  /** The number of the current block: words of an earlier block are not valid in it. */
  serial = 0;

  /**
   * `localAddress`: the engine's address. `isMasked`: blocks are masked here; otherwise they are masked when they are
   * reported.
   */
  constructor(localAddress = '', isMasked = true) {
    this.#localAddress = localAddress;
    this.#isMasked = isMasked;
  }

  /** The instant of the oldest kept message; NaN: no message is kept. */
  get sinceMs(): number {
    const oldest = this.#ended[0]?.atMs[0];
    return oldest ?? (this.#rows === 0 ? Number.NaN : (this.#memory.atMs[0] as number));
  }

  /** The size of the memory for messages. */
  get bytes(): number {
    return this.#ended.reduce((sum, { text }) => sum + text.length, this.#memory.text.length);
  }

  /** Must be called before a message's words are requested: a block may end here. */
  makeRoom(bytes: number): void {
    if (this.#rows === BLOCK_ROWS || (this.#used + bytes > BLOCK_BYTES && this.#rows > 0)) this.#endBlock();
    const needed = this.#used + bytes;
    const { rows, text } = this.#memory;
    if (needed > text.length || this.#rows === rows)
      this.#memory = this.#memory.moved(this.#rows, this.#used, BLOCK_ROWS, Math.max(needed, BLOCK_BYTES));
  }

  /** The index of a text among the block's words. */
  word(text: string): number {
    return this.#words.push(text) - 1;
  }

  /** The word is usually the same as the previous one. */
  peerWord(address: string, port: number): number {
    const last = this.#peer;
    if (last.port !== port || last.address !== address) {
      const word = this.#sharedWord(address === '' ? '' : hostPortText(address, port));
      this.#peer = { address, port, word };
    }
    return this.#peer.word;
  }

  /** Keeps the first `bytes` of a message. Returns its row, whose words must be set next. */
  add(endpoint: number, number: number, caller: number, traffic: Traffic, bytes: number): number {
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
    columns[at + COLUMN.TRANSPORT] = traffic.transport === 'UDP' ? 0 : SIP_TRANSPORTS.indexOf(traffic.transport);
    columns[at + COLUMN.LOCAL_PORT] = traffic.localPort;
    columns[at + COLUMN.CALLER] = caller;
    atMs[row] = traffic.atMs;
    text.latin1Write(traffic.text, this.#used, bytes);
    this.#used += bytes;
    return row;
  }

  /** The words of the row's Call-ID and peer, which belong to this block. */
  setWords(row: number, callId: number, peer: number): void {
    this.#memory.columns[row * COLUMNS + COLUMN.CALL_ID] = callId;
    this.#memory.columns[row * COLUMNS + COLUMN.PEER] = peer;
  }

  /** The caller is known only once the INVITE has been parsed and kept. */
  setCaller(row: number, caller: number): void {
    this.#memory.columns[row * COLUMNS + COLUMN.CALLER] = caller;
  }

  /** Removes and returns the messages of completed blocks, or all. */
  take(all: boolean): MessageBlock[] {
    if (all) this.#endBlock();
    const taken = this.#ended;
    this.#ended = [];
    return taken;
  }

  #endBlock(): void {
    if (this.#rows === 0) return;
    const memory = this.#memory;
    if (this.#isMasked) maskRows(memory.text, this.#used, memory.columns, this.#rows);
    // A full block is transferred; a partial block is copied, and its memory stays.
    const isFull = this.#used * 2 > memory.text.length;
    const gone = isFull ? memory : memory.moved(this.#rows, this.#used, this.#rows, this.#used);
    if (isFull) this.#memory = new BlockMemory(BLOCK_ROWS, BLOCK_BYTES);
    this.#ended.push({
      text: gone.text.subarray(0, this.#used),
      isMasked: this.#isMasked,
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

  /** There are only a few words, because unknown methods share one. */
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
