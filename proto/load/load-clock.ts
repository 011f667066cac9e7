/**
 * When the calls of a load start. The calls 0, 1, … of the whole load are dealt to its parts, one for each share of an
 * allocation; a part's clock yields the calls of that part. Together the parts make exactly the load, for any number of
 * parts. Pure, and without allocation.
 */
import { isOfPart, type LoadPart, strideOf } from './load-part.ts';
import { gathered, gatheredIn, type LoadStep, lengthOf, msUntil, NEARLY, stepsUntil } from './load-step.ts';
import { type PaceWord, paceOf } from './shapes/shapes.ts';

/**
 * The pace of a shape defines when each call starts. A pace that waits starts a call whenever an endpoint is free, but at most at
 * the rate of the current step.
 */
export type LoadOrder = {
  readonly shape: PaceWord;
  readonly steps: readonly LoadStep[];
  /** The number of calls of the whole load; Infinity: as many as fit its steps. */
  readonly calls: number;
  /** The same seed gives the same random instants. */
  readonly seed: number;
};

/** A 32-bit integer derived from others. */
export type Seeded = (seed: number, index: number) => number;

export interface LoadClock {
  /**
   * The time of the next call in milliseconds after the load started; for a pace that waits, the earliest time. Infinity: no more
   * calls.
   */
  readonly nextMs: number;
  /** True: a call that finds no free endpoint waits for one, and is not dropped. */
  readonly holds: boolean;
  /** For a pace that waits, the remaining calls; Infinity: unlimited. */
  readonly left: number;
  /** True: no further call will start. */
  isOver(nowMs: number): boolean;
  /** Reports that the call that was due at `dueMs` has had its turn. */
  take(dueMs: number): void;
  /**
   * Continues from a clock whose load was the same until now: after `taken` calls, of which the last was due at
   * `dueMs`.
   */
  resume(taken: number, dueMs: number): void;
}

export const loadClock = (load: LoadOrder, part: LoadPart, seeded: Seeded): LoadClock =>
  paceOf(load.shape).waits ? new HoldClock(load, part) : new ArrivalClock(load, part, seeded);

class ArrivalClock implements LoadClock {
  readonly holds = false;
  readonly left = Number.POSITIVE_INFINITY;
  nextMs = Number.POSITIVE_INFINITY;
  readonly #load: LoadOrder;
  readonly #part: LoadPart;
  readonly #seeded: Seeded;
  readonly #stride: number;
  readonly #isRandom: boolean;
  readonly #untilMs: number;
  #isDealt = false;
  /** The next call of this part, and its place among the parts. */
  #call = -1;
  #place: number;
  /**
   * The steps must accumulate this much until the call starts: its number, or a sum of exponential intervals at random.
   */
  #due = 0;
  /** The step in which it starts, the step's start, and the total of the earlier steps. */
  #step = 0;
  #fromMs = 0;
  #gathered = 0;

  constructor(load: LoadOrder, part: LoadPart, seeded: Seeded) {
    this.#load = load;
    this.#part = part;
    this.#seeded = seeded;
    this.#stride = strideOf(part.of);
    this.#place = part.of - this.#stride;
    this.#isRandom = paceOf(load.shape).isRandom;
    this.#untilMs = 1000 * lengthOf(load.steps);
    if (part.until > part.from) this.take();
    else this.#isDealt = true;
  }

  /** While steps remain, more calls may follow, because the load may be changed before its end. */
  isOver(nowMs: number): boolean {
    return this.#isDealt || (this.nextMs === Number.POSITIVE_INFINITY && nowMs >= this.#untilMs - NEARLY);
  }

  /**
   * The instants of most past calls are not computed, because there may be a thousand million. Calls that start evenly are
   * passed over; of random ones, each pause is drawn.
   */
  resume(_taken: number, dueMs: number): void {
    const past = gathered(stepsUntil(this.#load.steps, dueMs / 1000)) - 1;
    if (!this.#isRandom && past > this.#call) this.#goTo(Math.min(this.#load.calls, Math.floor(past)) - 1);
    while (this.nextMs <= dueMs && this.#due < past && this.#deal());
    if (!this.#isDealt) this.nextMs = this.#instant();
    while (this.nextMs <= dueMs) this.take();
  }

  take(): void {
    this.nextMs = this.#deal() ? this.#instant() : Number.POSITIVE_INFINITY;
  }

  /** The calls up to this one are past. Its place is a product beyond 53 bits. */
  #goTo(call: number): void {
    if (call <= this.#call) return;
    this.#call = call;
    this.#due = call;
    this.#place = Number((BigInt(call) * BigInt(this.#stride)) % BigInt(this.#part.of));
  }

  /** Proceeds to the next call of this part. False: there are no more calls. */
  #deal(): boolean {
    const { calls } = this.#load;
    do {
      if (++this.#call >= calls) {
        this.#isDealt = true;
        return false;
      }
      this.#place = (this.#place + this.#stride) % this.#part.of;
      this.#due = this.#isRandom ? this.#due + this.#pause() : this.#call;
    } while (!isOfPart(this.#place, this.#part));
    return true;
  }

  /** An exponential interval of mean 1. The first call comes after one, too. */
  #pause(): number {
    // The value is never 0, because of the logarithm.
    const uniform = ((this.#seeded(this.#load.seed, this.#call) >>> 0) + 0.5) / 2 ** 32;
    return -Math.log(uniform);
  }

  /** The instant when the steps have gathered as many calls as precede this one. */
  #instant(): number {
    const { steps } = this.#load;
    for (let step = steps[this.#step]; step !== undefined; step = steps[++this.#step]) {
      const until = this.#gathered + gatheredIn(step);
      if (this.#due < until - NEARLY) return this.#fromMs + msUntil(step, Math.max(0, this.#due - this.#gathered));
      this.#gathered = until;
      this.#fromMs += step.seconds * 1000;
    }
    return Number.POSITIVE_INFINITY;
  }
}

class HoldClock implements LoadClock {
  readonly holds = true;
  nextMs: number;
  readonly #steps: readonly LoadStep[];
  readonly #untilMs: number;
  /** This part's share of the rate. */
  readonly #share: number;
  left: number;

  constructor({ steps, calls }: LoadOrder, { from, until, of }: LoadPart) {
    this.#steps = steps;
    this.#untilMs = 1000 * lengthOf(steps);
    this.#share = (until - from) / of;
    // Parts have whole numbers of calls; together they have all calls.
    const before = (place: number): number => Math.floor((calls * place) / of);
    this.left = calls === Number.POSITIVE_INFINITY ? calls : before(until) - before(from);
    // Parts of one size start one after another.
    this.nextMs = this.left > 0 ? this.#openFrom((this.#gapMs(steps[0]) * from) / of) : Number.POSITIVE_INFINITY;
  }

  isOver(nowMs: number): boolean {
    return this.left <= 0 || nowMs >= this.#untilMs - NEARLY;
  }

  take(dueMs: number): void {
    this.left--;
    this.#follow(dueMs, this.#stepAt(dueMs));
  }

  resume(taken: number, dueMs: number): void {
    if (taken === 0) return;
    this.left -= taken;
    this.#follow(dueMs, this.#steps.at(-1));
  }

  #follow(dueMs: number, step: LoadStep | undefined): void {
    this.nextMs = this.left > 0 ? this.#openFrom(dueMs + this.#gapMs(step)) : Number.POSITIVE_INFINITY;
  }

  /** The interval between two calls. In a pause it is Infinity. */
  #gapMs(step: LoadStep | undefined): number {
    return 1000 / ((step?.callsPerSecond ?? 0) * this.#share);
  }

  #stepAt(atMs: number): LoadStep | undefined {
    let leftMs = atMs;
    return this.#steps.find(({ seconds }) => {
      leftMs -= seconds * 1000;
      return leftMs < 0;
    });
  }

  /** The first instant from `atMs` on that is not in a pause. */
  #openFrom(atMs: number): number {
    let fromMs = 0;
    for (const { seconds, callsPerSecond } of this.#steps) {
      const untilMs = fromMs + seconds * 1000;
      if (callsPerSecond > 0 && untilMs > atMs) return Math.max(atMs, fromMs);
      fromMs = untilMs;
    }
    return Number.POSITIVE_INFINITY;
  }
}
