/**
 * Messages of calls that may or may not be kept, on the main thread, in their original blocks. The messages of a call
 * are searched only if it is kept; those of other calls are removed in bulk once they take much memory.
 */
import { COLUMN, COLUMNS, type MessageBlock } from './message-block.ts';
import { BLOCK_BYTES, selectMessages } from './select-messages.ts';

/** Blocks are not searched for removable messages below this size. */
const SWEEP_BYTES = 4 * 1024 * 1024;
/**
 * Per allocation: about 10,000 calls in progress. Above it the oldest messages go, and a call that is then kept has
 * only its later ones.
 */
const MOST_BYTES = 32 * 1024 * 1024;
/**
 * How long after its end a call may still send its last message again (RFC 3261, 17.1.1.2: 64 times T1) or have it in a
 * queue.
 */
const LATE_MS = 40_000;

/** In place of the endpoint of a message that is no longer needed. */
const NOBODY = -1;
const isNeeded = (endpoint: number): boolean => endpoint !== NOBODY;

/** Of a block that was not copied, all of its memory. */
const bytesOf = ({ text, columns, atMs }: MessageBlock): number =>
  text.buffer === columns.buffer ? text.buffer.byteLength : text.length + columns.byteLength + atMs.byteLength;

export class WithheldMessages {
  #blocks: MessageBlock[] = [];
  #bytes = 0;
  #sweepAtBytes = SWEEP_BYTES;
  /** Kept, and not taken since. */
  readonly #wanted = new Set<number>();
  #late: MessageBlock[] = [];
  /** Calls that were taken; later messages of them are passed on at once. By number: when they closed. */
  readonly #taken = new Map<number, number>();
  /**
   * Calls whose messages may be removed at the next sweep, and those of the last sweep, some of whose messages came
   * after it.
   */
  #gone = new Set<number>();
  #goneBefore = new Set<number>();

  get bytes(): number {
    return this.#bytes;
  }

  /** The blocks are its own from then on: it marks messages in them. */
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

  /** It is not. */
  drop(endpoint: number): void {
    this.#gone.add(endpoint);
  }

  /** The messages of calls that are kept, each message once. */
  take(): MessageBlock[] {
    const late = this.#late;
    this.#late = [];
    if (this.#wanted.size === 0) return late;
    const taken = selectMessages(this.#blocks, (endpoint) => this.#wanted.has(endpoint));
    for (const endpoint of this.#wanted) this.#gone.add(endpoint);
    this.#wanted.clear();
    return [...taken, ...late];
  }

  /** None of these calls can be kept any more. */
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
    if (this.#bytes > MOST_BYTES) this.#hold(selectMessages(left, isNeeded));
    while (this.#bytes > MOST_BYTES) this.#bytes -= bytesOf(this.#blocks.shift() as MessageBlock);
    this.#sweepAtBytes = Math.max(SWEEP_BYTES, 2 * this.#bytes);
  }

  #hold(blocks: MessageBlock[]): void {
    this.#blocks = blocks;
    this.#bytes = blocks.reduce((sum, block) => sum + bytesOf(block), 0);
  }

  /** Bytes of text of calls that are not gone. The messages of others are marked. */
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
