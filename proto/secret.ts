/**
 * A password, a key or a token. Printing it prints a mask: in a log, in JSON, in an error, in a text that it is put into.
 * `scripts/check-secrets.ts` names the files that may open one.
 */
const MASK = '***';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** What it holds: for the code that needs it, at the last moment. */
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

/** The same with its secrets open, for where nothing but plain data goes: a clone in another thread, JSON in the database. */
export type Opened<T> = T extends Secret ? string : { [K in keyof T]: Opened<T[K]> };
