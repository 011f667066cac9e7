/**
 * Messages of calls that may or may not be kept, on the main thread, in their original blocks. The messages of a call
 * are searched only if it is kept; those of other calls are removed in bulk once they take much memory.
 */
import type { MessageBlock } from './message-block.ts';
import { selectMessages } from './select-messages.ts';

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

const bytesOf = ({ text, columns, atMs }: MessageBlock): number => text.length + columns.byteLength + atMs.byteLength;

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

  #sweep(): void {
    this.#blocks = selectMessages(this.#blocks, (n) => !this.#gone.has(n) && !this.#goneBefore.has(n));
    this.#goneBefore = this.#gone;
    this.#gone = new Set();
    this.#bytes = this.#blocks.reduce((sum, block) => sum + bytesOf(block), 0);
    while (this.#bytes > MOST_BYTES) this.#bytes -= bytesOf(this.#blocks.shift() as MessageBlock);
    this.#sweepAtBytes = Math.max(SWEEP_BYTES, 2 * this.#bytes);
  }

  #forgetBefore(atMs: number): void {
    for (const [endpoint, closedAtMs] of this.#taken) {
      if (closedAtMs >= atMs) return;
      this.#taken.delete(endpoint);
    }
  }
}
