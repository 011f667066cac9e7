/** Callers that asked for a new key and wait for the result. */
export class KeyChange {
  readonly #waiting: ((refused: string | null) => void)[] = [];

  /** Settles with the next answer: null, or why the key is not changed. */
  answered(): Promise<string | null> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly answer = (refused: string | null): void => {
    for (const answer of this.#waiting.splice(0)) answer(refused);
  };

  close(): void {
    this.answer('the agent is stopping');
  }
}
