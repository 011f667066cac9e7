/**
 * A password, a key or a token. Printing it prints a mask, also in logs, JSON, errors and concatenated text.
 * `scripts/check/code/secrets.ts` lists the files that may open one.
 */
const MASK = '***';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value, for the code that needs it. It is called as late as possible. */
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

  /** The symbol is looked up by its registered name, because browsers load this file, too. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}

/** A copy with opened secrets. It is only for plain data: a clone for another thread, or JSON in the database. */
export type Opened<T> = T extends Secret ? string : { [K in keyof T]: Opened<T[K]> };
