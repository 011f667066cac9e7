/**
 * The agent's behaviour without a control plane (docs/architecture.md, What happens when something dies): after a
 * minute no new calls start; after two minutes everything ends, and the facts go to disk, because the process may end
 * before the control plane returns.
 */
import { type Machine, step } from '@carillon/proto/base/machine.ts';
import type { Book } from './book.ts';

/** The times after which calls are held and stopped while the control plane is away. */
export type IsolationLimits = { readonly holdAfterMs: number; readonly stopAfterMs: number };
const LIMITS: IsolationLimits = { holdAfterMs: 60_000, stopAfterMs: 120_000 };

export type IsolationState = 'NONE' | 'HELD' | 'STOPPED' | 'SAVED';
/**
 * `away`, `awayLong`: disconnected for longer than the limits. `ended`: nothing is in progress, and every fact is in a batch.
 * `back`: connected again.
 */
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

  /** `save` is called once per isolation, when the last fact has left the book. */
  constructor(book: Pick<Book, 'isIdle' | 'gathered' | 'hold' | 'stopAll'>, save: () => void, limits = LIMITS) {
    this.#book = book;
    this.#save = save;
    this.#limits = limits;
  }

  /** Must be called often; `offlineMs`: time without a control plane, 0 while connected. */
  watch(offlineMs: number): void {
    if (offlineMs <= this.#limits.holdAfterMs) {
      // A welcome by the control plane ends the hold.
      this.#move('back');
      return;
    }
    if (this.#move('away')) this.#book.hold(true);
    if (offlineMs > this.#limits.stopAfterMs && this.#move('awayLong'))
      this.#book.stopAll('the control plane was unreachable for too long');
    if (this.#book.isIdle && this.#book.gathered === 'NOTHING' && this.#move('ended')) this.#save();
  }

  /**
   * False: the state is already past this step, or has not reached it. This is called every turn, so refused steps are
   * not counted.
   */
  #move(event: IsolationEvent): boolean {
    const next = step(ISOLATION.transitions, this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }
}
