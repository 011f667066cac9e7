/**
 * A batch that the control plane keeps refusing would block all later ones forever. After some time it drops first its
 * bulk, then its content, and keeps its number. Pure; instants are arguments.
 */

/** STATES: only state changes of allocations. NOTHING: an empty batch. */
export type Reduction = 'STATES' | 'NOTHING';

/** A database outage also causes refusals, so nothing is dropped quickly. */
const REFUSALS = 5;
const PATIENCE_MS = 30_000;

export class Quarantine {
  #number = 0;
  #refusals = 0;
  #sinceMs = 0;
  #reduced = false;
  readonly #most: number;
  readonly #patienceMs: number;

  constructor(most = REFUSALS, patienceMs = PATIENCE_MS) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  /** Batch `number` was refused at `atMs`: what it must drop now. Null: nothing yet. */
  refused(number: number, atMs: number): Reduction | null {
    if (number !== this.#number) {
      this.#number = number;
      this.#reduced = false;
      this.#refusals = 0;
    }
    if (this.#refusals === 0) this.#sinceMs = atMs;
    this.#refusals++;
    if (this.#refusals < this.#most || atMs - this.#sinceMs < this.#patienceMs) return null;
    const reduction = this.#reduced ? 'NOTHING' : 'STATES';
    this.#reduced = true;
    this.#refusals = 0;
    return reduction;
  }
}
