/**
 * Decides the fate of datagrams in order, with a seeded generator. Loss is Gilbert's two-state chain: a good state
 * without loss and a bad one that loses everything. Delay behaves like a queue: later datagrams leave later.
 */
import { type Random, seeded } from '../seeded.ts';
import { type DelayDistribution, delayDistribution, valueAt } from './delay-distribution.ts';
import type { Impairment } from './impairment.ts';

/** A reordered datagram arrives this many packet times late: after its successor and before the one after that. */
export const OVERTAKEN_AFTER = 1.5;

export class ImpairmentModel {
  /** The arrival of the last datagram of `decide` after the impairment, on the clock of `atMs`. */
  arrivalMs = 0;
  /** Whether it arrives twice. */
  duplicate = false;
  readonly #distribution: DelayDistribution;
  readonly #delayMs: number;
  readonly #jitterMs: number;
  readonly #toBad: number;
  readonly #toGood: number;
  readonly #reorder: number;
  readonly #duplicates: number;
  readonly #random: Random;
  #bad: boolean;
  #overtaken = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `seed` is the one of this stream (`seedOf`). */
  constructor(impairment: Impairment, seed: number) {
    const loss = impairment.lossPercent / 100;
    const reorder = impairment.reorderPercent / 100;
    this.#distribution = delayDistribution(impairment.jitterDistribution);
    this.#delayMs = impairment.delayMs;
    this.#jitterMs = impairment.jitterMs;
    // The stationary share of the bad state is the loss; the mean time in it is burstRatio / (1 - loss).
    this.#toBad = loss / impairment.burstRatio;
    this.#toGood = (1 - loss) / impairment.burstRatio;
    // Two consecutive datagrams are never both overtaken, so each is overtaken by the next; the share remains as set.
    this.#reorder = reorder / (1 - reorder);
    this.#duplicates = impairment.duplicatePercent / 100;
    this.#random = seeded(seed);
    this.#bad = this.#random() < loss;
  }

  /**
   * Decides about the next datagram, which arrived at `atMs`; `packetMs` is the packet interval of its stream. False:
   * it is lost. Four numbers are drawn for each datagram, so that one setting does not change the effect of another.
   */
  decide(atMs: number, packetMs: number): boolean {
    const lost = this.#bad;
    this.#bad = this.#random() < (lost ? 1 - this.#toGood : this.#toBad);
    const jitter = valueAt(this.#distribution, this.#random());
    const overtaken = this.#random() < this.#reorder;
    this.duplicate = this.#random() < this.#duplicates;
    if (lost) return false;
    this.#lastMs = Math.max(this.#lastMs, atMs + this.#delayMs + jitter * this.#jitterMs);
    this.#overtaken = overtaken && !this.#overtaken;
    this.arrivalMs = this.#overtaken ? this.#lastMs + OVERTAKEN_AFTER * packetMs : this.#lastMs;
    return true;
  }
}
