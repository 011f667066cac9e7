/** Steps that the tables of a thread's machines refused, counted until the main thread logs them: no line for each SIP message. */
export class RefusedSteps {
  #counts: Record<string, number> = {};

  count(machine: string, state: string, event: string): void {
    const step = `${machine}: ${event} in ${state}`;
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
  }

  /** Since the last call, by step. */
  take(): Readonly<Record<string, number>> {
    const taken = this.#counts;
    this.#counts = {};
    return taken;
  }
}
