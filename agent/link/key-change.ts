/** Callers that asked for a new key and wait for the result. */
export class KeyChange {
  readonly #waiting: ((refused: string | null) => void)[] = [];
  /** The answer to everyone once the agent stops; null: it does not stop. */
  #closing: string | null = null;

  /** Settles with the next answer: null, or why the key is not changed. */
  answered(): Promise<string | null> {
    if (this.#closing !== null) return Promise.resolve(this.#closing);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly answer = (refused: string | null): void => {
    for (const answer of this.#waiting.splice(0)) answer(refused);
  };

  close(): void {
    this.#closing = 'the agent is stopping';
    this.answer(this.#closing);
  }
}
