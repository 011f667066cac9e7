/** How a process that opened one thing after the other gives them back: in the reverse order, and each of them whatever the others do. */

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const gathered = (errors: readonly unknown[]): AggregateError =>
  new AggregateError(errors, errors.map(messageOf).join('; '));

export class Closers {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Each is called once, also when this is called again. Rejects at the end with an AggregateError of what they threw. */
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

  /** What `start` opened is closed if it fails. Rejects with its error; where closing failed, too, with one that holds all of them. */
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
