/**
 * The kernel's clocks as the agent's: CLOCK_MONOTONIC in milliseconds (the clock of agent/clock.ts), read and waited
 * for by libc, and CLOCK_REALTIME, in which the kernel stamps datagrams, converted to it.
 */
import { C, type Libc, pin } from './libc.ts';

/**
 * A sample of both clocks counts if taking it was not interrupted for longer than this, on a host that reads its clocks
 * that fast.
 */
const SAMPLE_WINDOW_MS = 0.02;
/** After this many attempts, twice this time is allowed. */
const ATTEMPTS = 100;
/** Samples that take longer are not used. */
const WIDEST_WINDOW_MS = 100;

/**
 * Both clocks are slewed together, so their difference only changes when the wall clock is set. A larger difference is
 * such a step; a smaller one is sampling noise, which must not become jitter.
 */
const STEP_MS = 0.1;

/** `struct timespec` in 32-bit words: seconds in the lower of two, nanoseconds in the lower of the next two. */
const SECONDS = 0;
const NANOSECONDS = 2;

export class KernelClock {
  /** The number of steps of the wall clock since the start. */
  steps = 0;
  readonly #libc: Libc;
  readonly #spec = pin(32);
  /** Wall times are counted from here: as milliseconds since 1970, a float64 would have a resolution of only 0.24 us. */
  readonly #originSeconds = Math.floor(Date.now() / 1000);
  #offsetMs = Number.NaN;
  #windowMs = SAMPLE_WINDOW_MS;

  constructor(libc: Libc) {
    this.#libc = libc;
    for (let attempt = 1; Number.isNaN(this.#offsetMs); attempt++) {
      if (attempt % ATTEMPTS === 0) this.#windowMs *= 2;
      if (this.#windowMs > WIDEST_WINDOW_MS) throw new Error('the clocks could not be compared: the host is too busy');
      this.sample();
    }
  }

  /** The largest error of `toMonotonicMs`; it is larger on a host whose clocks are slow to read. */
  get errorMs(): number {
    return Math.max(STEP_MS, this.#windowMs);
  }

  /** CLOCK_MONOTONIC in milliseconds. */
  nowMs(): number {
    this.#libc.clockGettime(C.CLOCK_MONOTONIC, this.#spec.address);
    return this.#spec.u32[SECONDS]! * 1000 + this.#spec.u32[NANOSECONDS]! / 1e6;
  }

  /** Looks for a step of the wall clock; must be called before stamps are read. */
  sample(): void {
    const before = this.nowMs();
    this.#libc.clockGettime(C.CLOCK_REALTIME, this.#spec.address);
    const wallMs = this.#sinceOriginMs(this.#spec.u32[SECONDS]!, this.#spec.u32[NANOSECONDS]!);
    const after = this.nowMs();
    if (after - before > this.#windowMs) return;
    const offsetMs = wallMs - (before + after) / 2;
    // Each of two samples may be wrong by half a window.
    if (Math.abs(offsetMs - this.#offsetMs) < this.errorMs) return;
    if (!Number.isNaN(this.#offsetMs)) this.steps += 1;
    this.#offsetMs = offsetMs;
  }

  /** Converts a kernel receive time (CLOCK_REALTIME) to the agent's clock. */
  toMonotonicMs(seconds: number, nanoseconds: number): number {
    return this.#sinceOriginMs(seconds, nanoseconds) - this.#offsetMs;
  }

  #sinceOriginMs(seconds: number, nanoseconds: number): number {
    return (seconds - this.#originSeconds) * 1000 + nanoseconds / 1e6;
  }
}
