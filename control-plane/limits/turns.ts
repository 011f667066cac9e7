/**
 * Performs expensive work, a little at a time and in turn by group: a group with much work waits for its own, and
 * others wait for at most one piece of it.
 */
import { ApiError } from '../contract/errors.ts';
import { networkOf } from '../domain/network.ts';
import { LIMITS } from './limits.ts';

/** The turns were closed before it was the turn of this work. */
export class TurnsClosed extends Error {
  override readonly message = 'It was not begun, because the control plane is stopping.';
}

type Waiter = { readonly begin: () => void; readonly fail: (error: Error) => void };

export class Turns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  #busy = 0;
  #isClosed = false;
  /** The queues in the order of turns; each has at least one waiting piece. */
  readonly #queues = new Map<string, Waiter[]>();

  /** `maxWaiting`: the limit of one group. */
  constructor(atOnce: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Does the work when it is its turn. @throws TurnsClosed if they are closed before
   * @param full replaces the work if too much of this group waits already; absent: throws ApiError RATE_LIMITED
   */
  async take<T>(group: string, work: () => Promise<T>, full: () => T = tooMany): Promise<T> {
    if (this.#isClosed) throw new TurnsClosed();
    if (this.#busy < this.#atOnce) this.#busy++;
    else {
      const queue = this.#queues.get(group) ?? [];
      if (queue.length >= this.#maxWaiting) return full();
      this.#queues.set(group, queue);
      await new Promise<void>((begin, fail) => queue.push({ begin, fail }));
    }
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  /** Rejects work that waits, and work that comes later. Work that has begun goes on. */
  close(): void {
    this.#isClosed = true;
    for (const { fail } of [...this.#queues.values()].flat()) fail(new TurnsClosed());
    this.#queues.clear();
  }

  #handOn(): void {
    const [first] = this.#queues;
    if (!first) {
      this.#busy--;
      return;
    }
    const [group, queue] = first;
    // The turn passes to the longest waiter directly, so that a newcomer cannot overtake it.
    queue.shift()?.begin();
    this.#queues.delete(group);
    // The group's next turn follows those of all others.
    if (queue.length > 0) this.#queues.set(group, queue);
  }
}

const tooMany = (): never => {
  throw new ApiError('RATE_LIMITED', 'Too many attempts at once from your network. Try again in a second.', [], 1);
};

const passwords = new Turns(LIMITS.passwordsAtOnce.max, LIMITS.passwordsWaiting.max);

/** Creates or verifies a password hash when it is this network's turn. @throws ApiError RATE_LIMITED */
export const inTurn = <T>(address: string, work: () => Promise<T>): Promise<T> =>
  passwords.take(networkOf(address), work);
