/**
 * The calls of a load in progress. A call whose endpoint is free is created shortly before it is due, so that its
 * streams are open in time; others take the first endpoint that becomes free before their instant. The assignment is
 * the same as without early creation.
 */
import type { LoadStep } from '@carillon/proto/load/load-step.ts';
import type { Caller } from '../endpoint/talking/caller.ts';
import type { EndpointPlan, LoadPlan } from '../plan.ts';
import { ShareLoad } from './share-load.ts';

/** The share's interface for its load. */
export type LoadHost = {
  /** How long before its instant a call is created. */
  readonly aheadMs: number;
  make(call: EndpointPlan): Caller;
  /** The caller will need its streams by this instant. */
  expect(atMs: number, caller: Caller): void;
  /** The call is due. */
  begin(atMs: number, caller: Caller): void;
  noFreeEndpoint(): void;
};

/**
 * Calls are created in groups, each up to this long before its instant. The second call of a group costs a fraction of
 * the first: since the last call, the processor's caches have lost the code and the data.
 */
const TOGETHER_MS = 100;
/** Creating more calls at once would delay calls that are due. */
const MAX_TOGETHER = 16;

type Soon = { readonly atMs: number; readonly dueMs: number; readonly caller: Caller };

export class LoadCalls {
  readonly #load: ShareLoad;
  readonly #host: LoadHost;
  /** Calls that are created but not due yet, by instant. */
  #soon: Soon[] = [];
  /** When the last call that has had its turn was due, after the start. */
  #lastDueMs = Number.NEGATIVE_INFINITY;

  /** `waits`: each endpoint waits for `ready`. */
  constructor(plan: LoadPlan, endpoints: readonly EndpointPlan[], waits: boolean, host: LoadHost) {
    this.#load = new ShareLoad(plan, endpoints, waits);
    this.#host = host;
  }

  start(atMs: number): void {
    this.#load.start(atMs);
  }

  /** The endpoint may place calls. */
  ready(number: number): void {
    this.#load.ready(number);
  }

  /** The endpoint may place no more calls. */
  withdraw(number: number): void {
    this.#load.withdraw(number);
  }

  /** No more calls are wanted; those not due yet are dropped. */
  stop(): void {
    this.#unmake();
    this.#load.stop();
  }

  /** Replaces the steps of the load; returns the resulting plan. */
  change(steps: readonly LoadStep[]): LoadPlan {
    this.#unmake();
    return this.#load.change(steps);
  }

  /** Drops the calls that are not due yet: the load assigns them again. */
  #unmake(): void {
    const soon = this.#soon.splice(0);
    if (soon.length === 0) return;
    for (const { caller } of soon) caller.discard();
    this.#load.untake(
      soon.map(({ caller }) => caller.plan.number),
      this.#lastDueMs,
    );
  }

  /** No more calls will start. */
  isOver(nowMs: number): boolean {
    return this.#soon.length === 0 && this.#load.isOver(nowMs);
  }

  /** Infinity: no call is planned yet. */
  get nextAtMs(): number {
    return this.#soon[0]?.atMs ?? this.#load.nextMs;
  }

  turn(nowMs: number): void {
    this.#make(nowMs);
    if (this.#load.isStuck) this.#giveUp();
    let due = 0;
    for (let soon = this.#soon[0]; soon !== undefined && soon.atMs <= nowMs; soon = this.#soon[++due]) {
      this.#host.begin(soon.atMs, soon.caller);
      this.#lastDueMs = soon.dueMs;
    }
    if (due > 0) this.#soon.splice(0, due);
  }

  #giveUp(): void {
    for (let left = this.#load.left; left > 0; left--) this.#host.noFreeEndpoint();
    this.#load.stop();
  }

  #make(nowMs: number): void {
    const load = this.#load;
    const neededMs = nowMs + this.#host.aheadMs;
    if (load.nextMs > neededMs) return;
    let made = 0;
    for (let atMs = load.nextMs; atMs <= neededMs + TOGETHER_MS; atMs = load.nextMs) {
      if (atMs > neededMs && made >= MAX_TOGETHER) return;
      // An endpoint may be free by then.
      if (atMs > nowMs && !load.hasFree) return;
      const plan = load.take();
      if (plan === null) {
        this.#host.noFreeEndpoint();
        this.#lastDueMs = load.lastDueMs;
        continue;
      }
      made++;
      const caller = this.#host.make(plan);
      this.#soon.push({ atMs, dueMs: load.lastDueMs, caller });
      this.#host.expect(atMs, caller);
    }
  }

  /** The first call of this endpoint, if it was not placed, and never will be. */
  takeUnusedOf(number: number): Caller | null {
    const plan = this.#load.takeUnusedOf(number);
    return plan && this.#host.make(plan);
  }

  /** The first calls of endpoints that have placed none, once no more calls will start; each call once. */
  takeUnused(): Caller[] {
    return this.#load.takeUnused().map((plan) => this.#host.make(plan));
  }

  /** The call of this number has ended. */
  freed(number: number, atMs: number): void {
    this.#load.freed(number, atMs);
  }
}
