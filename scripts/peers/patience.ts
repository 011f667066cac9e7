/**
 * How long tests wait for what does not come. What is waited for makes progress while a processor works for it; so only time counts
 * in which processors were idle: on a host that is busy with others a wait lasts longer, and the test finds the same.
 */
import { readFileSync } from 'node:fs';

/** Idle time after which nothing comes any more. */
const MAX_MS = 60_000;
/** So that each wait ends: time counts at least as much while no processor is idle. */
const MIN_SHARE = 0.1;
/** Idle time is a count of hundredths of a second. */
const LOOK_MS = 200;
/** A process that was stopped has not waited. */
const MAX_LOOK_MS = 1000;

export type Processors = { readonly idle: number; readonly all: number };

/** Sums over all processors since boot (proc(5)); null: this system does not say. */
export function processors(): Processors | null {
  try {
    const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    const [user = 0, nice = 0, system = 0, idle = 0, ...others] = first.split(/\s+/).slice(1, 9).map(Number);
    return { idle, all: user + nice + system + idle + others.reduce((sum, one) => sum + one, 0) };
  } catch {
    return null;
  }
}

/** The part of all processors' time in which they were idle, 0 to 1; 1 where the system does not say. */
export function idleShare(before: Processors | null, after: Processors | null): number {
  if (before === null || after === null) return 1;
  return after.all > before.all ? (after.idle - before.idle) / (after.all - before.all) : 0;
}

export class IdlePatience {
  #left: number;
  #lookedAtMs = performance.now();
  #seen = processors();

  /** `maxMs`: idle time that it lasts. */
  constructor(maxMs = MAX_MS) {
    this.#left = maxMs;
  }

  /** May be asked at any rate. */
  get isOver(): boolean {
    const passedMs = performance.now() - this.#lookedAtMs;
    if (passedMs >= LOOK_MS) {
      const now = processors();
      this.#left -= Math.min(passedMs, MAX_LOOK_MS) * Math.max(MIN_SHARE, idleShare(this.#seen, now));
      this.#seen = now;
      this.#lookedAtMs += passedMs;
    }
    return this.#left <= 0;
  }
}
