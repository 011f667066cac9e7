/** The book's part of the main thread's turns: it is sampled when that is due, and what it gathered is encoded for a batch. */
import { encodeAllocation } from '../report/encode-facts.ts';
import type { Book } from './book.ts';

export const TURN_MS = 200;
/** The longest interval between samples: the end of an allocation is found by sampling, whatever its own interval. */
const SAMPLE_MS = 1000;

export class BookTurn {
  readonly #book: Pick<Book, 'sample' | 'sampleIntervalMs' | 'settle' | 'take'>;
  #sampleDueMs = 0;

  constructor(book: Pick<Book, 'sample' | 'sampleIntervalMs' | 'settle' | 'take'>) {
    this.#book = book;
  }

  /** Must be called in each turn. `atMs` is on the agent's clock. */
  sample(atMs: number): void {
    const book = this.#book;
    if (atMs < this.#sampleDueMs) book.settle();
    else {
      book.sample(atMs);
      this.#sampleDueMs = atMs + Math.min(book.sampleIntervalMs, SAMPLE_MS);
    }
  }

  /** What has gathered since the last time, also as a batch has it. `offsetMs`: from the agent's clock to Unix time. */
  take(atMs: number, offsetMs: number, takesBlocks: boolean) {
    const taken = this.#book.take();
    return { taken, allocations: taken.map((p) => encodeAllocation(p, atMs, offsetMs, takesBlocks)) };
  }
}
