/**
 * The load of a share whose endpoints place more than one call: a call that is due is for the endpoint that has been free the longest. Where
 * none is free it is dropped and counted, or, of a load that holds calls up, waits for the next one that is.
 */
import { seedOf } from '@carillon/media/impairment/impairment.ts';
import { type LoadClock, type LoadStep, loadClock } from '@carillon/proto/load/load-clock.ts';
import type { EndpointPlan, LoadPlan } from '../plan.ts';

/** What rows, messages and streams are numbered by has 31 bits. */
const MOST_NUMBERS = 2 ** 31;

/** An endpoint, and the call that it would place next. */
type Slot = { readonly plan: EndpointPlan; calls: number; freeSinceMs: number };

export class ShareLoad {
  #plan: LoadPlan;
  #clock: LoadClock;
  /** Calls that have had their turn, and when the last of them was due, after the start. */
  #taken = 0;
  #lastDueMs = Number.NEGATIVE_INFINITY;
  #slots: readonly Slot[];
  /** In the order in which they became free; a ring. */
  readonly #free: (Slot | null)[];
  #first = 0;
  #count = 0;
  /** By the number of their call. */
  readonly #busy = new Map<number, Slot>();
  #startAtMs = Number.POSITIVE_INFINITY;
  #isStopped = false;

  constructor(plan: LoadPlan, endpoints: readonly EndpointPlan[]) {
    this.#plan = plan;
    this.#clock = loadClock(plan.order, plan.part, seedOf);
    this.#free = new Array<Slot | null>(endpoints.length).fill(null);
    this.#slots = endpoints.map((endpoint) => ({ plan: endpoint, calls: 0, freeSinceMs: Number.NEGATIVE_INFINITY }));
    for (const slot of this.#slots) this.#give(slot);
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

  /** Nothing more will begin. */
  isOver(nowMs: number): boolean {
    return this.#isStopped || this.#clock.isOver(nowMs - this.#startAtMs);
  }

  /** When the next call is due, on the agent's clock; Infinity: none is, before an endpoint becomes free or for good. */
  get nextMs(): number {
    return this.#startAtMs + this.#dueMs;
  }

  /** After the start. */
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

  /** From now on its steps are these, of which those that are over are as they were. */
  change(steps: readonly LoadStep[]): LoadPlan {
    const plan = { ...this.#plan, order: { ...this.#plan.order, steps } };
    this.#plan = plan;
    this.#clock = loadClock(plan.order, plan.part, seedOf);
    this.#clock.resume(this.#taken, this.#lastDueMs);
    return plan;
  }

  /** The call that is due has its turn: what its endpoint is to do; null: none is free. */
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
    const number = plan.number + calls * this.#plan.runEndpoints;
    slot.calls++;
    this.#busy.set(number, slot);
    // The call before may still be heard: the far end sends its last messages to where it came from.
    return calls === 0 ? plan : { ...plan, number, user: `${plan.user}-${calls}` };
  }

  /** Of the call that was taken last, after the start. */
  get lastDueMs(): number {
    return this.#lastDueMs;
  }

  /** These calls, which were taken last, have not had their turn after all: none after `lastDueMs` has. Their endpoints are the next ones. */
  untake(numbers: readonly number[], lastDueMs: number): void {
    for (const number of [...numbers].reverse()) {
      const slot = this.#busy.get(number) as Slot;
      this.#busy.delete(number);
      slot.calls--;
      this.#first = (this.#first - 1 + this.#free.length) % this.#free.length;
      this.#free[this.#first] = slot;
      this.#count++;
    }
    this.#taken -= numbers.length;
    this.#lastDueMs = lastDueMs;
  }

  /** Endpoints that have placed none, once nothing more will begin; each once. */
  takeUnused(): EndpointPlan[] {
    const unused = this.#slots.filter(({ calls }) => calls === 0).map(({ plan }) => plan);
    this.#slots = [];
    return unused;
  }

  /** The call of this number is over. */
  freed(number: number, atMs: number): void {
    const slot = this.#busy.get(number);
    if (slot === undefined) return;
    this.#busy.delete(number);
    slot.freeSinceMs = atMs;
    const next = slot.plan.number + slot.calls * this.#plan.runEndpoints;
    if (slot.calls < this.#plan.callsEach && next < MOST_NUMBERS && !this.#isStopped) this.#give(slot);
  }

  #give(slot: Slot): void {
    this.#free[(this.#first + this.#count) % this.#free.length] = slot;
    this.#count++;
  }
}
