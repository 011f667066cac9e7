/**
 * Kept messages of a share's endpoints until they are reported, each written once, as bytes outside of the heap: every message waits some
 * hundred milliseconds, too long for the young generation, so that as text in the heap each would be copied twice and left to a full
 * collection. Credentials are masked for all of a block at a time, before it leaves the thread.
 */
import { type Latin1Buffer, latin1Buffer } from '../net/latin1.ts';
import type { Traffic } from '../sip/engine.ts';
import { methodLabel } from './bounded-text.ts';
import { isSensitive, maskCredentials } from './mask.ts';
import { COLUMN, COLUMNS, type MessageBlock, RETRANSMISSION, SENT, STATUS_UNIT, TRANSPORTS } from './message-block.ts';

/** A block ends where the next message finds no room in one of these. */
const BLOCK_BYTES = 64 * 1024;
const BLOCK_ROWS = 512;
/** Bytes of the first block; most shares never keep more at a time. */
const FIRST_BYTES = 8 * 1024;

export class MessageStore {
  readonly #localAddress: string;
  /** Ended blocks, masked, until they are taken. */
  #ended: MessageBlock[] = [];
  #bytes = latin1Buffer(Buffer.allocUnsafeSlow(FIRST_BYTES));
  readonly #columns = new Int32Array(BLOCK_ROWS * COLUMNS);
  readonly #atMs = new Float64Array(BLOCK_ROWS);
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
    const oldest = this.#ended[0]?.atMs ?? this.#atMs.subarray(0, this.#rows);
    return oldest[0] ?? Number.NaN;
  }

  /** Memory for messages. */
  get bytes(): number {
    return this.#ended.reduce((sum, { text }) => sum + text.length, this.#bytes.length);
  }

  /** To be called before a message's words are asked for: a block may end here. */
  makeRoom(bytes: number): void {
    if (this.#rows === BLOCK_ROWS || (this.#used + bytes > BLOCK_BYTES && this.#rows > 0)) this.#endBlock();
    const needed = this.#used + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = latin1Buffer(Buffer.allocUnsafeSlow(needed > BLOCK_BYTES ? needed : BLOCK_BYTES));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
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
    const columns = this.#columns;
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
    columns[at + COLUMN.TRANSPORT] = TRANSPORTS.indexOf(traffic.transport);
    columns[at + COLUMN.LOCAL_PORT] = traffic.localPort;
    columns[at + COLUMN.CALLER] = caller;
    this.#atMs[row] = traffic.atMs;
    this.#bytes.latin1Write(traffic.text, this.#used, bytes);
    this.#used += bytes;
    return row;
  }

  /** Who placed the call is known only once its INVITE has been read, and kept. */
  setCaller(row: number, caller: number): void {
    this.#columns[row * COLUMNS + COLUMN.CALLER] = caller;
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
    this.#ended.push({
      text: new Uint8Array(this.#bytes.subarray(0, this.#used)),
      columns: this.#columns.slice(0, this.#rows * COLUMNS),
      atMs: this.#atMs.slice(0, this.#rows),
      words: this.#words,
      localAddress: this.#localAddress,
    });
    // What was larger held a single message.
    if (this.#bytes.length > BLOCK_BYTES) this.#bytes = latin1Buffer(Buffer.allocUnsafeSlow(BLOCK_BYTES));
    this.#used = 0;
    this.#rows = 0;
    this.#words = [];
    this.#wordOf.clear();
    this.#peer = { address: '', port: -1, word: 0 };
    this.serial++;
  }

  /** Most blocks hold nothing to be masked, and one search says so; masks change no length. */
  #mask(): void {
    const bytes: Latin1Buffer = this.#bytes;
    if (!isSensitive(bytes.latin1Slice(0, this.#used), bytes)) return;
    let at = 0;
    for (let row = 0; row < this.#rows; row++) {
      const end = at + (this.#columns[row * COLUMNS + COLUMN.BYTES] as number);
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
