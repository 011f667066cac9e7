/**
 * When the calls of a load start. The calls 0, 1, … of the whole load are dealt to its parts, one for each share of an
 * allocation; a part's clock yields the calls of that part. Together the parts make exactly the load, for any number of
 * parts. Pure, and without allocation.
 */
import { isOfPart, type LoadPart, strideOf } from './load-part.ts';

export type LoadStep = {
  /** Infinity: until all calls have started. */
  readonly seconds: number;
  /** 0: none, a pause. */
  readonly callsPerSecond: number;
};

/**
 * EVEN and POISSON define when each call starts. HOLD starts one whenever an endpoint is free, at most at the rate of
 * the current step.
 */
export type LoadOrder = {
  readonly shape: 'EVEN' | 'POISSON' | 'HOLD';
  readonly steps: readonly LoadStep[];
  /** Of the whole load; Infinity: as many as fit its steps. */
  readonly calls: number;
  /** Of POISSON: the same seed, the same instants. */
  readonly seed: number;
};

/** A 32-bit integer derived from others. */
export type Seeded = (seed: number, index: number) => number;

export interface LoadClock {
  /**
   * Time of the next call, milliseconds after the load started; for HOLD, the earliest time. Infinity: no more calls.
   */
  readonly nextMs: number;
  /** What finds no free endpoint waits for one, and is not dropped. */
  readonly holds: boolean;
  /** For HOLD: remaining calls; Infinity: unlimited. */
  readonly left: number;
  /** No further call will start. */
  isOver(nowMs: number): boolean;
  /** The call that was due at `dueMs` has had its turn. */
  take(dueMs: number): void;
  /**
   * Continues from a clock whose load was the same until now: after `taken` calls, of which the last was due at
   * `dueMs`.
   */
  resume(taken: number, dueMs: number): void;
}

export const loadClock = (load: LoadOrder, part: LoadPart, seeded: Seeded): LoadClock =>
  load.shape === 'HOLD' ? new HoldClock(load, part) : new ArrivalClock(load, part, seeded);

/** Calls, and milliseconds, that fall short of the next whole one only by rounding. */
const NEARLY = 1e-6;

/** Number of calls in the steps of EVEN. */
export const callsIn = (steps: readonly LoadStep[]): number =>
  Math.ceil(steps.reduce((sum, step) => sum + gatheredIn(step), 0) - NEARLY);

/** An endless pause adds none either. */
const gatheredIn = ({ callsPerSecond, seconds }: LoadStep): number =>
  callsPerSecond > 0 ? callsPerSecond * seconds : 0;

const lengthMs = (steps: readonly LoadStep[]): number => steps.reduce((sum, { seconds }) => sum + seconds * 1000, 0);

class ArrivalClock implements LoadClock {
  readonly holds = false;
  readonly left = Number.POSITIVE_INFINITY;
  nextMs = Number.POSITIVE_INFINITY;
  readonly #load: LoadOrder;
  readonly #part: LoadPart;
  readonly #seeded: Seeded;
  readonly #stride: number;
  readonly #untilMs: number;
  #isDealt = false;
  /** The next call of this part, and its place among the parts. */
  #call = -1;
  #place: number;
  /**
   * The steps must accumulate this much until the call starts: k for EVEN, a sum of exponential intervals for POISSON.
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
    this.#untilMs = lengthMs(load.steps);
    if (part.until > part.from) this.take();
    else this.#isDealt = true;
  }

  /** More calls may follow: the load may be changed before its end. */
  isOver(nowMs: number): boolean {
    return this.#isDealt || (this.nextMs === Number.POSITIVE_INFINITY && nowMs >= this.#untilMs - NEARLY);
  }

  resume(_taken: number, dueMs: number): void {
    while (this.nextMs <= dueMs) this.take();
  }

  take(): void {
    const { calls } = this.#load;
    do {
      if (++this.#call >= calls) {
        this.nextMs = Number.POSITIVE_INFINITY;
        this.#isDealt = true;
        return;
      }
      this.#place = (this.#place + this.#stride) % this.#part.of;
      this.#due = this.#load.shape === 'EVEN' ? this.#call : this.#due + this.#pause();
    } while (!isOfPart(this.#place, this.#part));
    this.nextMs = this.#instant();
  }

  /** Exponential, of mean 1; the first call, too, comes after one. */
  #pause(): number {
    // Never 0, because of the logarithm.
    const uniform = ((this.#seeded(this.#load.seed, this.#call) >>> 0) + 0.5) / 2 ** 32;
    return -Math.log(uniform);
  }

  /** When the steps have gathered as many calls as are to come before it. */
  #instant(): number {
    const { steps } = this.#load;
    for (let step = steps[this.#step]; step !== undefined; step = steps[++this.#step]) {
      const { callsPerSecond, seconds } = step;
      const until = this.#gathered + gatheredIn(step);
      if (this.#due < until - NEARLY)
        return this.#fromMs + (Math.max(0, this.#due - this.#gathered) * 1000) / callsPerSecond;
      this.#gathered = until;
      this.#fromMs += seconds * 1000;
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
    this.#untilMs = lengthMs(steps);
    this.#share = (until - from) / of;
    // Whole calls; together the parts have all of them.
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

  /** Infinity of a pause. */
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

  /** The first instant from there on that is in no pause. */
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
