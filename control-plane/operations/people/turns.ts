/**
 * Expensive work, a little at a time and in turn by network: a network with many requests waits for its own, and others
 * wait for at most one of them.
 */
import { ApiError } from '../../contract/errors.ts';

export class Turns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  #busy = 0;
  /** In the order of turns; each has at least one waiting. */
  readonly #queues = new Map<string, (() => void)[]>();

  /** `mostWaiting`: of one network. */
  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
  }

  /** @throws ApiError RATE_LIMITED: too many of this network wait already; and errors of `work` */
  async take<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#atOnce) this.#busy++;
    else await this.#wait(network);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #wait(network: string): Promise<void> {
    const queue = this.#queues.get(network) ?? [];
    if (queue.length >= this.#mostWaiting) {
      const message = 'Too many attempts at once from your network. Try again in a second.';
      throw new ApiError('RATE_LIMITED', message, [], 1);
    }
    this.#queues.set(network, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  #handOn(): void {
    const [first] = this.#queues;
    if (!first) {
      this.#busy--;
      return;
    }
    const [network, queue] = first;
    const next = queue.shift();
    this.#queues.delete(network);
    // After all others.
    if (queue.length > 0) this.#queues.set(network, queue);
    next?.();
  }
}
