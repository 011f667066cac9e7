/**
 * Committed batches, kept while there is space: a database that was reset to an older state (a restore, a failover)
 * lacks the last of them, and asks for them again. Also the times at which batches were made, which describe a loss.
 */
import type { wire } from '@carillon/proto';

type Batch = wire.agent.v1.Batch.$Properties;

/** Some minutes of a busy agent; an asynchronous failover loses a second or two. */
export const KEPT_BYTES = 8 * 1024 * 1024;
/** The number of kept instants: at most one per second, and fewer the longer the agent runs. */
const MAX_INSTANTS = 2000;
const INSTANT_EVERY_MS = 1000;

export const sizeOf = (batch: Batch): number => batch.facts?.length ?? 0;

export class KeptBatches {
  #batches: Batch[] = [];
  #bytes = 0;
  #instants: { readonly number: number; readonly unixMs: number }[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds batches in the order of their numbers; the oldest are dropped when space runs out. */
  add(batches: readonly Batch[]): void {
    for (const batch of batches) {
      this.#batches.push(batch);
      this.#bytes += sizeOf(batch);
    }
    let gone = 0;
    while (this.#bytes > this.#most) this.#bytes -= sizeOf(this.#batches[gone++] as Batch);
    this.#batches.splice(0, gone);
  }

  /** Removes and returns the batches from `number` on. */
  takeFrom(number: number): Batch[] {
    const at = this.#batches.findIndex((batch) => Number(batch.number) >= number);
    const taken = at < 0 ? [] : this.#batches.splice(at);
    for (const batch of taken) this.#bytes -= sizeOf(batch);
    return taken;
  }

  /** Batch `number` was made at this time; NaN: time unknown. */
  made(number: number, unixMs: number): void {
    if (Number.isNaN(unixMs) || unixMs - (this.#instants.at(-1)?.unixMs ?? 0) < INSTANT_EVERY_MS) return;
    this.#instants.push({ number, unixMs });
    if (this.#instants.length > MAX_INSTANTS) this.#instants = this.#instants.filter((_, i) => i % 2 === 0);
  }

  /** When batch `number` was made, or one shortly before it; 0: not known. */
  madeAt(number: number): number {
    return this.#instants.findLast((one) => one.number <= number)?.unixMs ?? 0;
  }

  /** Numbering restarts. */
  clear(): void {
    this.#batches = [];
    this.#bytes = 0;
    this.#instants = [];
  }
}
