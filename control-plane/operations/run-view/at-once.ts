/** So much at one time, and no more: a caller that comes while all turns are taken waits, in the order of coming. */
export class AtOnce {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** What `act` resolves or rejects with, once it was its turn. */
  async take<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await act();
    } finally {
      // The slot passes to the longest waiter directly, so that a newcomer cannot overtake it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
