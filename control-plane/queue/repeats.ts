/** Work that is repeated at an interval until it is stopped. */
export class Repeats {
  readonly #timers: NodeJS.Timeout[] = [];

  /** The first run is immediate; a run that takes longer than the interval is not started twice. */
  begin(everyMs: number, work: () => Promise<void>, onError: (error: Error) => void): void {
    let isUnderWay = false;
    const turn = (): void => {
      if (isUnderWay) return;
      isUnderWay = true;
      void work()
        .catch(onError)
        .finally(() => {
          isUnderWay = false;
        });
    };
    turn();
    this.#timers.push(setInterval(turn, everyMs));
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }
}
