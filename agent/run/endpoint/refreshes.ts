/** Attempts to refresh a registration, from the first grant on. */
export class Refreshes {
  /** Null: it was never granted. */
  counts: { granted: number; failed: number; lapsed: number; recovered: number } | null = null;
  #isFailing = false;

  begin(): void {
    this.counts = { granted: 0, failed: 0, lapsed: 0, recovered: 0 };
  }

  granted(): void {
    if (this.counts === null) return;
    this.counts.granted++;
    if (this.#isFailing) this.counts.recovered++;
    this.#isFailing = false;
  }

  failed(): void {
    if (this.counts !== null) this.counts.failed++;
    this.#isFailing = true;
  }

  /** The binding is gone. */
  lapsed(): void {
    this.failed();
    if (this.counts !== null) this.counts.lapsed++;
  }
}
