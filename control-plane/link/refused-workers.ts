/** Agents with repeatedly refused frames must wait longer each time. Instants are arguments. */

/** Some are an accident, or a version that differs. */
const FREE = 3;
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** Refusals before this time are forgiven. */
const FORGIVEN_MS = 600_000;
/** A frame costs a verified key, so this many hostile agents are enrolled. */
const MOST = 10_000;

type Refused = { count: number; lastMs: number };

export class RefusedWorkers {
  readonly #refused = new Map<string, Refused>();

  /** A frame of the agent with this key was refused. */
  note(key: string, atMs: number): void {
    const known = this.#refused.get(key);
    const count = known && atMs - known.lastMs < FORGIVEN_MS ? known.count + 1 : 1;
    this.#refused.delete(key);
    if (this.#refused.size >= MOST) this.#refused.delete(this.#refused.keys().next().value as string);
    this.#refused.set(key, { count, lastMs: atMs });
  }

  /** Milliseconds until it may come in; 0: now. It doubles from 1 s to a minute. */
  waitMs(key: string, atMs: number): number {
    const known = this.#refused.get(key);
    if (known === undefined || known.count <= FREE) return 0;
    const longMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(known.count - FREE - 1, 30));
    return Math.max(0, known.lastMs + longMs - atMs);
  }

  /** The agent has another key: earlier refusals still apply. */
  rename(from: string, to: string): void {
    const known = this.#refused.get(from);
    if (known === undefined) return;
    this.#refused.delete(from);
    this.#refused.set(to, known);
  }
}
