/**
 * Without a control plane (docs/architecture.md, What happens when something dies): nothing new is begun after a minute; after two everything is ended, and what is known
 * of it goes to disk, for the process may not live until somebody asks.
 */
import { type Machine, step } from '@carillon/proto/machine.ts';
import type { Book } from './book.ts';

/** With a control plane that is away. */
export type IsolationLimits = { readonly holdAfterMs: number; readonly stopAfterMs: number };
const LIMITS: IsolationLimits = { holdAfterMs: 60_000, stopAfterMs: 120_000 };

export type IsolationState = 'NONE' | 'HELD' | 'STOPPED' | 'SAVED';
/** away, awayLong: for longer than the limits. ended: nothing goes on, and every fact is in a batch. back: the control plane is. */
export type IsolationEvent = 'away' | 'awayLong' | 'ended' | 'back';

export const ISOLATION: Machine<IsolationState, IsolationEvent> = {
  initial: 'NONE',
  finals: [],
  transitions: {
    NONE: { away: 'HELD' },
    HELD: { awayLong: 'STOPPED', back: 'NONE' },
    STOPPED: { ended: 'SAVED', back: 'NONE' },
    SAVED: { back: 'NONE' },
  },
  heldBy: { NONE: 'OUTSIDE', HELD: 'TIMER', STOPPED: 'USER', SAVED: 'OUTSIDE' },
};

export class Isolation {
  #state: IsolationState = ISOLATION.initial;
  readonly #book: Pick<Book, 'isIdle' | 'gathered' | 'hold' | 'stopAll'>;
  readonly #save: () => void;
  readonly #limits: IsolationLimits;

  /** `save` is called once in an isolation, when the last fact has left the book. */
  constructor(book: Pick<Book, 'isIdle' | 'gathered' | 'hold' | 'stopAll'>, save: () => void, limits = LIMITS) {
    this.#book = book;
    this.#save = save;
    this.#limits = limits;
  }

  /** To be called often; `offlineMs`: without a control plane, 0 while there is one. */
  watch(offlineMs: number): void {
    if (offlineMs <= this.#limits.holdAfterMs) {
      // A control plane that welcomes the agent ends the hold.
      this.#move('back');
      return;
    }
    if (this.#move('away')) this.#book.hold(true);
    if (offlineMs > this.#limits.stopAfterMs && this.#move('awayLong'))
      this.#book.stopAll('the control plane was away too long');
    if (this.#book.isIdle && this.#book.gathered === 'NOTHING' && this.#move('ended')) this.#save();
  }

  /** False: it is past that, or not so far. It is asked at every turn, so that what the table refuses is nothing to count. */
  #move(event: IsolationEvent): boolean {
    const next = step(ISOLATION.transitions, this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }
}
