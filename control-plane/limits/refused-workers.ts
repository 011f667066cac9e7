/** Agents with repeatedly refused frames must wait longer each time. Instants are arguments. */
import { LIMITS, MAX_REMEMBERED } from './limits.ts';

const FIRST_MS = 1000;
const MAX_MS = 60_000;

type Refused = { count: number; lastMs: number };

export class RefusedWorkers {
  /** The oldest refusal is first. A frame costs a verified key, so each is an enrolled agent. */
  readonly #refused = new Map<string, Refused>();

  /** A frame of the agent with this key was refused. */
  note(key: string, atMs: number): void {
    const known = this.#refused.get(key);
    const count = known && atMs - known.lastMs < LIMITS.refusedFrames.withinMs ? known.count + 1 : 1;
    this.#refused.delete(key);
    if (this.#refused.size >= MAX_REMEMBERED) this.#refused.delete(this.#refused.keys().next().value as string);
    this.#refused.set(key, { count, lastMs: atMs });
  }

  /** The time in milliseconds until the agent may connect; 0: now. It doubles from 1 s to a minute. */
  waitMs(key: string, atMs: number): number {
    const { count, lastMs } = this.#refused.get(key) ?? { count: 0, lastMs: 0 };
    const over = count - LIMITS.refusedFrames.max;
    return over <= 0 ? 0 : Math.max(0, lastMs + Math.min(MAX_MS, FIRST_MS * 2 ** (over - 1)) - atMs);
  }

  /** The agent has a new key: earlier refusals still apply. */
  rename(from: string, to: string): void {
    const known = this.#refused.get(from);
    if (known === undefined) return;
    this.#refused.delete(from);
    this.#refused.set(to, known);
  }
}
