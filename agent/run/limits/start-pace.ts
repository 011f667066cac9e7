/**
 * Limits the rate of call starts: as planned, and delayed calls at twice the plan's rate. A token bucket, filled at
 * twice the most calls that the plan starts in any second, and just deep enough that it never delays the plan itself.
 */
import { maxInASecond } from '@carillon/proto/at-once.ts';
import { fastestOf } from '@carillon/proto/load/load-step.ts';
import { paceOf } from '@carillon/proto/load/shapes/shapes.ts';
import type { LoadPlan } from '../plan.ts';

/** Why due calls are not started; null: no reason. Calls that are late beyond the limit would distort the requested load. */
export function startObstacle(
  share: { readonly held: boolean; readonly nowMs: number; readonly latestStartMs: number },
  dueAtMs: number,
): string | null {
  if (share.held) return 'the agent was without a control plane';
  const lateMs = share.nowMs - dueAtMs;
  return lateMs > share.latestStartMs ? `the agent was ${Math.round(lateMs)} ms late` : null;
}

/** Turns come every other millisecond, some a little late: tokens that fill in the meantime must not be lost. */
const TURN_MS = 4;
const CATCH_UP = 2;
/** The most adjacent calls of one part: as dealt and, for random arrivals, with a probability of 10^-11. */
const MAX_DEALT = 4;
const MAX_AT_RANDOM = 20;
/** Fractions of a token add up to a whole one except for this error. */
const ROUNDING = 1e-6;

export class StartPace {
  /** The time between two starts at the planned rate. */
  readonly gapMs: number;
  readonly #perMs: number;
  readonly #depth: number;
  #tokens: number;
  #atMs = Number.NEGATIVE_INFINITY;

  /** `perSecond`: the rate of the plan; `depth`: simultaneous starts. */
  constructor(perSecond: number, depth: number) {
    const rate = Math.max(1, perSecond);
    this.gapMs = 1000 / rate;
    this.#perMs = (CATCH_UP * rate) / 1000;
    this.#depth = Math.max(1, this.#perMs * TURN_MS, depth);
    this.#tokens = this.#depth;
  }

  /** The pace of planned instants, in any order. */
  static of(startsAtMs: readonly number[]): StartPace {
    const sorted = [...startsAtMs].sort((a, b) => a - b);
    const perSecond = maxInASecond(sorted);
    return new StartPace(perSecond, depthFor(sorted, (CATCH_UP * Math.max(1, perSecond)) / 1000));
  }

  /** The pace of a load: if its steps differ, that of the steepest. */
  static ofLoad({ order, part }: LoadPlan): StartPace {
    const share = (part.until - part.from) / part.of;
    return new StartPace(fastestOf(order.steps) * share, paceOf(order.shape).isRandom ? MAX_AT_RANDOM : MAX_DEALT);
  }

  /** Whether one call may start now. */
  allows(nowMs: number): boolean {
    this.#tokens = Math.min(this.#depth, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
    return this.#tokens >= 1 - ROUNDING;
  }

  /** One call has started. */
  spend(): void {
    this.#tokens -= 1;
  }
}

/** Tokens that an exact execution of the plan takes beyond those that fill in the meantime. */
function depthFor(sorted: readonly number[], perMs: number): number {
  let taken = 0;
  let most = 0;
  for (const [i, atMs] of sorted.entries()) {
    const sinceMs = i === 0 ? 0 : atMs - (sorted[i - 1] as number);
    taken = Math.max(0, taken - sinceMs * perMs) + 1;
    most = Math.max(most, taken);
  }
  return most;
}
