/**
 * The repeated work of the main thread: facts and samples go from the book into the outbox, and from there over the
 * link; noise; the day's minutes.
 */
import type { Link } from '../link/link.ts';
import type { Outbox } from '../link/outbox.ts';
import type { Log } from '../log.ts';
import type { AgentMetrics } from '../metrics/metrics.ts';
import type { MinutesBook } from '../policy/minutes.ts';
import type { Book } from '../run/allocation/book.ts';
import { BookTurn } from '../run/allocation/book-turn.ts';
import type { Isolation } from '../run/allocation/isolation.ts';
import type { Gathered } from '../run/report/pending.ts';
import type { AgentNoise } from './noise.ts';

const NOISE_MS = 1000;
const MINUTES_MS = 2000;
/**
 * Facts are collected and sent together: each batch costs the control plane a transaction of a dozen statements,
 * whatever its size.
 */
const REPORT_MS = 500;
/**
 * The interval for noise and, in large runs, for all facts: large runs are watched by their curves. Such a batch costs
 * as much as a hundred calls, and a call that starts and ends within one batch is written once.
 */
const FIGURES_REPORT_MS = 2000;

const WAITS_MS: Readonly<Record<Gathered, number>> = {
  NOTHING: Number.POSITIVE_INFINITY,
  FIGURES: FIGURES_REPORT_MS,
  FACTS: REPORT_MS,
  URGENT: 0,
  END: 0,
};

type NoiseFacts = ReturnType<AgentNoise['take']>;

export type PumpParts = {
  readonly book: Pick<Book, 'sample' | 'sampleIntervalMs' | 'settle' | 'isIdle' | 'gathered' | 'take' | 'left'>;
  readonly outbox: Pick<Outbox, 'append' | 'last'>;
  readonly link: Pick<Link, 'clock' | 'takesBlocks' | 'offlineMs' | 'pump'>;
  readonly noise: Pick<AgentNoise, 'take'>;
  readonly isolation: Pick<Isolation, 'watch'>;
  readonly minutes: Pick<MinutesBook, 'turn' | 'save'>;
  readonly metrics: Pick<AgentMetrics, 'onNoise'>;
  readonly log: Pick<Log, 'error'>;
};

export class Pump {
  readonly #parts: PumpParts;
  readonly #book: BookTurn;
  #noiseDueMs: number;
  #noise: NoiseFacts[] = [];
  #minutesDueMs = 0;
  #reportedAtMs = 0;

  constructor(parts: PumpParts, atMs: number) {
    this.#parts = parts;
    this.#book = new BookTurn(parts.book);
    this.#noiseDueMs = atMs + NOISE_MS;
  }

  /** Does one turn; must be called often. `atMs` is on the agent's clock, `unixMs` on the host's. */
  turn(atMs: number, unixMs: number): void {
    const { link, isolation, minutes } = this.#parts;
    this.#book.sample(atMs);
    this.#report(atMs);
    isolation.watch(link.offlineMs(atMs));
    minutes.turn(unixMs);
    if (atMs >= this.#minutesDueMs) {
      this.#minutesDueMs = atMs + MINUTES_MS;
      void this.saveMinutes();
    }
    link.pump();
  }

  /** If the folder cannot be written, the minutes are lost, but the agent continues. */
  saveMinutes(): Promise<void> {
    const { minutes, log } = this.#parts;
    return minutes
      .save()
      .catch((error: Error) => log.error({ error: error.message }, 'the minutes of today cannot be stored'));
  }

  /**
   * Noise is reported while an allocation runs that it may have disturbed, and with the end of each: the run may be
   * judged as soon as that report has arrived.
   */
  #report(atMs: number): void {
    const { book, link, noise, metrics, outbox } = this.#parts;
    const { offsetMs } = link.clock;
    const { gathered } = book;
    const measured = atMs >= this.#noiseDueMs || gathered === 'END';
    if (measured) this.#noiseDueMs = atMs + NOISE_MS;
    const own = measured ? noise.take(atMs, offsetMs) : null;
    if (own) metrics.onNoise(own);
    if (own && (!book.isIdle || gathered === 'END')) this.#noise.push(own);
    const waits = WAITS_MS[gathered === 'NOTHING' && this.#noise.length > 0 ? 'FIGURES' : gathered];
    if (atMs < this.#reportedAtMs + waits) return;
    this.#reportedAtMs = atMs;
    const { allocations } = this.#book.take(atMs, offsetMs, link.takesBlocks);
    outbox.append({ allocations, noise: this.#noise }, atMs + offsetMs);
    this.#noise = [];
    book.left(outbox.last);
  }
}
