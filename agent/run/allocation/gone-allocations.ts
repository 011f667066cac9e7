/**
 * Allocations that this process has executed: a database that was reset to an older state may order one of them again.
 */

const MAX_IDS = 10_000;

/** Why such an order is refused. */
export const AGAIN =
  'This agent has carried it out already: the database of the control plane came back older than that.';

export class GoneAllocations {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= MAX_IDS) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }
}
