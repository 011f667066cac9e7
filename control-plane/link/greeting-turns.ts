/**
 * Limits concurrent greetings; others queue in order, and one that would wait too long gets a retry time. So a thousand
 * agents after a restart are served in turn, and none is abandoned halfway.
 */

export type Turn = { readonly end: () => void };
/** Milliseconds after which it should come back. */
export type SentAway = { readonly retryAfterMs: number };

export class GreetingTurns {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  readonly #spreadMs: (waiting: number) => number;
  readonly #waiting: (() => void)[] = [];
  #under = 0;

  /** `spreadMs`: within how long those come back that are sent away, by how many wait. */
  constructor(atOnce: number, mostWaiting: number, spreadMs: (waiting: number) => number) {
    this.#atOnce = atOnce;
    this.#mostWaiting = mostWaiting;
    this.#spreadMs = spreadMs;
  }

  /** `random` within [0, 1). */
  async take(random: number): Promise<Turn | SentAway> {
    if (this.#under >= this.#atOnce) {
      const waiting = this.#waiting.length;
      if (waiting >= this.#mostWaiting) {
        return { retryAfterMs: Math.ceil(this.#spreadMs(waiting) * (0.5 + random / 2)) };
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#under++;
    let isOver = false;
    return {
      end: () => {
        if (isOver) return;
        isOver = true;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#under--;
      },
    };
  }
}
