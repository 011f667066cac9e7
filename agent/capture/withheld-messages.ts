/**
 * Messages of calls of which it is not known yet whether they are kept, on the main thread, as the blocks in which they came. What a call
 * had is looked for only if it is kept; what is left of the others goes when there is much of it, many calls at a time.
 */
import type { MessageBlock } from './message-block.ts';
import { selectMessages } from './select-messages.ts';

/** Blocks are not searched for what may go before there is so much. */
const SWEEP_BYTES = 4 * 1024 * 1024;
/** Of one allocation: some 10,000 calls that are up. Beyond it the oldest go, and a call that is kept has only its later messages. */
const MOST_BYTES = 32 * 1024 * 1024;
/** After a call has closed its last message may leave again for so long (RFC 3261, 17.1.1.2: 64 times T1), and wait here or there. */
const LATE_MS = 40_000;

const bytesOf = ({ text, columns, atMs }: MessageBlock): number => text.length + columns.byteLength + atMs.byteLength;

export class WithheldMessages {
  #blocks: MessageBlock[] = [];
  #bytes = 0;
  #sweepAtBytes = SWEEP_BYTES;
  /** Kept, and not taken since. */
  readonly #wanted = new Set<number>();
  #late: MessageBlock[] = [];
  /** Taken; what comes of them later goes at once. By number: when they closed. */
  readonly #taken = new Map<number, number>();
  /** Calls whose messages may go at the next sweep, and those that could at the last one: some of theirs came after it. */
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

  /** What there is of calls that are kept, each message once. */
  take(): MessageBlock[] {
    const late = this.#late;
    this.#late = [];
    if (this.#wanted.size === 0) return late;
    const taken = selectMessages(this.#blocks, (endpoint) => this.#wanted.has(endpoint));
    for (const endpoint of this.#wanted) this.#gone.add(endpoint);
    this.#wanted.clear();
    return [...taken, ...late];
  }

  /** None of them may be kept any more. */
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
