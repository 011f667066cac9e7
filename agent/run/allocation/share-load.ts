/**
 * The load of a share whose endpoints place more than one call: a due call goes to the endpoint that has been free the
 * longest. If none is free it is dropped and counted or, in a HOLD load, waits for the next free one.
 */
import { seedOf } from '@carillon/media/seeded.ts';
import { type LoadClock, loadClock } from '@carillon/proto/load/load-clock.ts';
import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import { NumberTable } from '../number-table.ts';
import { callPlan, type EndpointPlan, hasCall, type LoadPlan } from '../plan.ts';

/** An endpoint, and the call that it would place next. */
type Slot = { readonly plan: EndpointPlan; calls: number; freeSinceMs: number; isAble: boolean };

export class ShareLoad {
  #plan: LoadPlan;
  #clock: LoadClock;
  /** The number of calls taken so far, and when the last of them was due, after the start. */
  #taken = 0;
  #lastDueMs = Number.NEGATIVE_INFINITY;
  #slots: readonly Slot[];
  /** The number of endpoints that may still place a call. */
  #able: number;
  /** A ring of free endpoints, in the order in which they became free. */
  readonly #free: (Slot | null)[];
  #first = 0;
  #count = 0;
  /** Endpoints in a call, by the number of the call. */
  readonly #busy = new NumberTable<Slot>();
  /** Endpoints that wait for `ready`, by number. */
  readonly #waiting = new Map<number, Slot>();
  #startAtMs = Number.POSITIVE_INFINITY;
  #isStopped = false;

  /** `waits`: each endpoint waits for `ready`. */
  constructor(plan: LoadPlan, endpoints: readonly EndpointPlan[], waits = false) {
    this.#plan = plan;
    this.#clock = loadClock(plan.order, plan.part, seedOf);
    this.#free = new Array<Slot | null>(endpoints.length).fill(null);
    this.#slots = endpoints.map((endpoint) => ({
      plan: endpoint,
      calls: 0,
      freeSinceMs: Number.NEGATIVE_INFINITY,
      isAble: true,
    }));
    this.#able = endpoints.length;
    for (const slot of this.#slots) {
      if (waits) this.#waiting.set(slot.plan.number, slot);
      else this.#give(slot);
    }
  }

  /** This endpoint may place calls. */
  ready(number: number): void {
    const slot = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (slot?.isAble) this.#give(slot);
  }

  /** This endpoint may place no more. */
  withdraw(number: number): void {
    const slot = this.#slots.find(({ plan }) => plan.number === number);
    if (!slot?.isAble) return;
    this.#disable(slot);
    const free = Array.from(
      { length: this.#count },
      (_, i) => this.#free[(this.#first + i) % this.#free.length] as Slot,
    );
    this.#free.fill(null);
    this.#count = 0;
    for (const one of free) if (one !== slot) this.#give(one);
  }

  #disable(slot: Slot): void {
    slot.isAble = false;
    this.#able--;
  }

  /** No endpoint can place another call, now or later: the remaining calls of a HOLD load will never start. */
  get isStuck(): boolean {
    return this.#clock.holds && this.#able === 0 && !this.#isStopped;
  }

  /** The remaining calls of a HOLD load; 0 if their number is unknown. */
  get left(): number {
    return Number.isFinite(this.#clock.left) ? this.#clock.left : 0;
  }

  start(atMs: number): void {
    this.#startAtMs = atMs;
  }

  /** No more calls are wanted. */
  stop(): void {
    this.#startAtMs = Number.POSITIVE_INFINITY;
    this.#count = 0;
    this.#isStopped = true;
  }

  /** No more calls will start. */
  isOver(nowMs: number): boolean {
    return this.#isStopped || this.#clock.isOver(nowMs - this.#startAtMs);
  }

  /** When the next call is due, on the agent's clock; Infinity: no call is due until an endpoint becomes free, or ever. */
  get nextMs(): number {
    return this.#startAtMs + this.#dueMs;
  }

  /** When the next call is due, after the start. */
  get #dueMs(): number {
    const { nextMs, holds } = this.#clock;
    if (!holds || this.#isStopped) return nextMs;
    const slot = this.#free[this.#first];
    if (this.#count === 0 || !slot) return Number.POSITIVE_INFINITY;
    const dueMs = Math.max(nextMs, slot.freeSinceMs - this.#startAtMs);
    return this.#clock.isOver(dueMs) ? Number.POSITIVE_INFINITY : dueMs;
  }

  /** An endpoint could take a call now. */
  get hasFree(): boolean {
    return this.#count > 0;
  }

  /** Replaces its steps; completed steps are unchanged. */
  change(steps: readonly LoadStep[]): LoadPlan {
    const plan = { ...this.#plan, order: { ...this.#plan.order, steps } };
    this.#plan = plan;
    this.#clock = loadClock(plan.order, plan.part, seedOf);
    this.#clock.resume(this.#taken, this.#lastDueMs);
    return plan;
  }

  /** Takes the due call: what its endpoint must do; null: no endpoint is free. */
  take(): EndpointPlan | null {
    this.#lastDueMs = this.#dueMs;
    this.#taken++;
    this.#clock.take(this.#lastDueMs);
    const slot = this.#free[this.#first];
    if (this.#count === 0 || !slot) return null;
    this.#free[this.#first] = null;
    this.#first = (this.#first + 1) % this.#free.length;
    this.#count--;
    const { plan, calls } = slot;
    const call = callPlan(plan, calls, this.#plan);
    slot.calls++;
    this.#busy.set(call.number, slot);
    return call;
  }

  /** When the call that was taken last was due, after the start. */
  get lastDueMs(): number {
    return this.#lastDueMs;
  }

  /** Returns the calls that were taken last, if no call after `lastDueMs` was started. Their endpoints are next. */
  untake(numbers: readonly number[], lastDueMs: number): void {
    for (const number of [...numbers].reverse()) {
      const slot = this.#busy.get(number) as Slot;
      this.#busy.delete(number);
      slot.calls--;
      if (!slot.isAble) continue;
      this.#first = (this.#first - 1 + this.#free.length) % this.#free.length;
      this.#free[this.#first] = slot;
      this.#count++;
    }
    this.#taken -= numbers.length;
    this.#lastDueMs = lastDueMs;
  }

  /** Endpoints that have placed no call, once no more calls will start; each once. */
  takeUnused(): EndpointPlan[] {
    const unused = this.#slots.filter(({ calls }) => calls === 0).map(({ plan }) => callPlan(plan, 0, this.#plan));
    this.#slots = [];
    return unused;
  }

  /** This endpoint, if it has placed no call and never will. */
  takeUnusedOf(number: number): EndpointPlan | null {
    const slot = this.#slots.find(({ plan, calls }) => plan.number === number && calls === 0);
    if (slot === undefined) return null;
    this.withdraw(number);
    this.#slots = this.#slots.filter((one) => one !== slot);
    return callPlan(slot.plan, 0, this.#plan);
  }

  /** The call of this number has ended. */
  freed(number: number, atMs: number): void {
    const slot = this.#busy.get(number);
    if (slot === undefined) return;
    this.#busy.delete(number);
    slot.freeSinceMs = atMs;
    if (!slot.isAble) return;
    if (!hasCall(slot.plan, slot.calls, this.#plan)) this.#disable(slot);
    else if (!this.#isStopped) this.#give(slot);
  }

  #give(slot: Slot): void {
    this.#free[(this.#first + this.#count) % this.#free.length] = slot;
    this.#count++;
  }
}
