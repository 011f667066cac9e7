/**
 * A password, a key or a token. Printing it prints a mask, also in logs, JSON, errors and concatenated text.
 * `scripts/check/secrets.ts` names the files that may open one.
 */
const MASK = '***';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value: for the code that needs it, as late as possible. */
  reveal(): string {
    return this.#text;
  }

  equals(other: Secret): boolean {
    return this.#text === other.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  /** By its registered name: browsers read this file, too. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}

/** A copy with open secrets, for plain data only: a clone for another thread, JSON in the database. */
export type Opened<T> = T extends Secret ? string : { [K in keyof T]: Opened<T[K]> };
