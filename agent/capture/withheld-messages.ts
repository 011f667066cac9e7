/**
 * Messages of calls that may or may not be kept, on the main thread, in their original blocks. The messages of a call
 * are searched only if it is kept; those of other calls are removed in bulk once they take much memory.
 */
import { COLUMN, COLUMNS, type MessageBlock } from './message-block.ts';
import { BLOCK_BYTES, selectMessages } from './select-messages.ts';

/** Blocks are not searched for removable messages below this size. */
const SWEEP_BYTES = 4 * 1024 * 1024;
/**
 * The limit per allocation: about 10,000 calls in progress. Above it the oldest messages are deleted, and a call that
 * is kept later has only its later ones.
 */
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * After its end, a call may retransmit its last message (RFC 3261, 17.1.1.2: 64 times T1) or have it in a queue for this long.
 */
const LATE_MS = 40_000;

/** Replaces the endpoint of a message that is no longer needed. */
const NOBODY = -1;
const isNeeded = (endpoint: number): boolean => endpoint !== NOBODY;

/** The size of a block; that of its whole memory if the block was not copied. */
const bytesOf = ({ text, columns, atMs }: MessageBlock): number =>
  text.buffer === columns.buffer ? text.buffer.byteLength : text.length + columns.byteLength + atMs.byteLength;

export class WithheldMessages {
  #blocks: MessageBlock[] = [];
  #bytes = 0;
  #sweepAtBytes = SWEEP_BYTES;
  /** Calls that are kept, and whose messages were not taken since. */
  readonly #wanted = new Set<number>();
  #late: MessageBlock[] = [];
  /** Calls whose messages were taken, with the instants when they closed; their later messages are passed on immediately. */
  readonly #taken = new Map<number, number>();
  /**
   * Calls whose messages may be removed at the next sweep, and those of the last sweep, some of whose messages arrived after it.
   */
  #gone = new Set<number>();
  #goneBefore = new Set<number>();

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes over the blocks: it marks messages in them. */
  add(blocks: readonly MessageBlock[]): void {
    if (blocks.length === 0) return;
    if (this.#taken.size > 0) {
      const isLate = (endpoint: number): boolean => this.#taken.has(endpoint) && !this.#wanted.has(endpoint);
      this.#late.push(...selectMessages(blocks, isLate));
      this.#forgetBefore((blocks[0]?.atMs[0] ?? 0) - LATE_MS);
    }
    this.#blocks.push(...blocks);
    for (const block of blocks) this.#bytes += bytesOf(block);
    if (this.#bytes > this.#sweepAtBytes) this.#sweep();
  }

  /** The call is kept. */
  keep(endpoint: number, closedAtMs: number): void {
    this.#wanted.add(endpoint);
    this.#taken.set(endpoint, closedAtMs);
  }

  /** The call is not kept. */
  drop(endpoint: number): void {
    this.#gone.add(endpoint);
  }

  /** The messages of kept calls, each message once. */
  take(): MessageBlock[] {
    const late = this.#late;
    this.#late = [];
    if (this.#wanted.size === 0) return late;
    const taken = selectMessages(this.#blocks, (endpoint) => this.#wanted.has(endpoint));
    for (const endpoint of this.#wanted) this.#gone.add(endpoint);
    this.#wanted.clear();
    return [...taken, ...late];
  }

  /** None of these calls can be kept from now on. */
  clear(): void {
    this.#blocks = [];
    this.#late = [];
    this.#bytes = 0;
  }

  /**
   * A block is copied if less than half of it is needed, or if it is small. Most blocks of short calls are dropped
   * whole.
   */
  #sweep(): void {
    const left: MessageBlock[] = [];
    let sparse: MessageBlock[] = [];
    const join = (): void => {
      left.push(...selectMessages(sparse, isNeeded));
      sparse = [];
    };
    for (const block of this.#blocks) {
      const needed = this.#neededBytes(block);
      if (2 * needed < block.text.length || block.text.length < BLOCK_BYTES / 2) sparse.push(block);
      else {
        join();
        left.push(block);
      }
    }
    join();
    this.#goneBefore = this.#gone;
    this.#gone = new Set();
    this.#hold(left);
    if (this.#bytes > MAX_BYTES) this.#hold(selectMessages(left, isNeeded));
    while (this.#bytes > MAX_BYTES) this.#bytes -= bytesOf(this.#blocks.shift() as MessageBlock);
    this.#sweepAtBytes = Math.max(SWEEP_BYTES, 2 * this.#bytes);
  }

  #hold(blocks: MessageBlock[]): void {
    this.#blocks = blocks;
    this.#bytes = blocks.reduce((sum, block) => sum + bytesOf(block), 0);
  }

  /** The bytes of text that belong to calls that may still be kept. The messages of others are marked. */
  #neededBytes({ columns }: MessageBlock): number {
    let bytes = 0;
    for (let at = 0; at < columns.length; at += COLUMNS) {
      const endpoint = columns[at + COLUMN.ENDPOINT] as number;
      if (endpoint === NOBODY) continue;
      if (this.#gone.has(endpoint) || this.#goneBefore.has(endpoint)) columns[at + COLUMN.ENDPOINT] = NOBODY;
      else bytes += columns[at + COLUMN.BYTES] as number;
    }
    return bytes;
  }

  #forgetBefore(atMs: number): void {
    for (const [endpoint, closedAtMs] of this.#taken) {
      if (closedAtMs >= atMs) return;
      this.#taken.delete(endpoint);
    }
  }
}
