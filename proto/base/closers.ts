/** Releases what a process opened, in reverse order. If one release fails, the others still run. */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const gathered = (errors: readonly unknown[]): AggregateError =>
  new AggregateError(errors, errors.map(messageOf).join('; '));

export class Closers {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Each closer runs once, even if this is called again. Rejects at the end with an AggregateError of their errors. */
  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw gathered(errors);
  }

  /**
   * If `start` fails, everything that it opened is closed. Rejects with its error; if closing failed too, with an error
   * that has all of them.
   */
  static async around<T>(start: (closers: Closers) => Promise<T>): Promise<T> {
    const closers = new Closers();
    try {
      return await start(closers);
    } catch (error) {
      const late = await closers.close().then(
        () => [],
        (all: AggregateError) => all.errors,
      );
      throw late.length === 0 ? error : gathered([error, ...late]);
    }
  }
}
