/**
 * Without a control plane (docs/architecture.md, What happens when something dies): nothing new is begun after a minute; after two everything is ended, and what is known
 * of it goes to disk, for the process may not live until somebody asks.
 */
import type { Book } from './book.ts';

/** With a control plane that is away. */
export type IsolationLimits = { readonly holdAfterMs: number; readonly stopAfterMs: number };
const LIMITS: IsolationLimits = { holdAfterMs: 60_000, stopAfterMs: 120_000 };

export class Isolation {
  #stage: 'NONE' | 'HELD' | 'STOPPED' | 'SAVED' = 'NONE';
  readonly #book: Pick<Book, 'isIdle' | 'hasPending' | 'hold' | 'stopAll'>;
  readonly #save: () => void;
  readonly #limits: IsolationLimits;

  /** `save` is called once in an isolation, when the last fact has left the book. */
  constructor(book: Pick<Book, 'isIdle' | 'hasPending' | 'hold' | 'stopAll'>, save: () => void, limits = LIMITS) {
    this.#book = book;
    this.#save = save;
    this.#limits = limits;
  }

  /** To be called often; `offlineMs`: without a control plane, 0 while there is one. */
  watch(offlineMs: number): void {
    if (offlineMs <= this.#limits.holdAfterMs) {
      // Whoever welcomes the agent ends the hold.
      this.#stage = 'NONE';
      return;
    }
    if (this.#stage === 'NONE') {
      this.#book.hold(true);
      this.#stage = 'HELD';
    }
    if (this.#stage === 'HELD' && offlineMs > this.#limits.stopAfterMs) {
      this.#book.stopAll('the control plane was away too long');
      this.#stage = 'STOPPED';
    }
    if (this.#stage === 'STOPPED' && this.#book.isIdle && !this.#book.hasPending) {
      this.#stage = 'SAVED';
      this.#save();
    }
  }
}
