/**
 * The endpoints of a share that have one call after another and outlive each of them, by number: callers that register,
 * and callees.
 */
import type { UserAgent } from '../../sip/engine.ts';
import type { Endpoint, EndpointShare } from '../endpoint/core/endpoint.ts';
import { LastingCallee, LastingEndpoint, type LastingHost } from '../endpoint/lasting-endpoint.ts';
import type { Callee } from '../endpoint/talking/callee.ts';
import { Caller } from '../endpoint/talking/caller.ts';
import type { EndpointPlan } from '../plan.ts';
import type { LoadCalls } from './load-calls.ts';

/** The share's interface for lasting endpoints, in addition to that for all endpoints. */
export interface LastingShare extends EndpointShare {
  /** A call starts to use it. */
  join(call: Callee | Caller): void;
  /** It is completely released. */
  onLeft(endpoint: LastingEndpoint): void;
}

export class LastingEndpoints implements LastingHost {
  readonly #share: LastingShare;
  /** Null: the endpoints are callees. */
  readonly #load: LoadCalls | null;
  readonly #all = new Map<number, LastingEndpoint>();

  constructor(share: LastingShare, load: LoadCalls | null) {
    this.#share = share;
    this.#load = load;
  }

  /** A copy, because endpoints may leave during an iteration. */
  get all(): LastingEndpoint[] {
    return [...this.#all.values()];
  }

  get size(): number {
    return this.#all.size;
  }

  /** Creates them, if the plan has any. */
  open(): void {
    const { endpoints, receives, group } = this.#share.plan;
    for (const plan of endpoints) {
      if (receives !== null) this.#all.set(plan.number, new LastingCallee(this.#share, this, plan, receives));
      else if (this.#load !== null && group.register)
        this.#all.set(plan.number, new LastingEndpoint(this.#share, this, plan));
    }
  }

  callerOf(call: EndpointPlan): Caller {
    const over = this.#of(call.number);
    const caller = new Caller(this.#share, call, over);
    over?.hold(caller);
    return caller;
  }

  /** A call is over. */
  released(call: Endpoint): void {
    this.#of(call.plan.number)?.released(call);
  }

  #of(number: number): LastingEndpoint | null {
    const { load, receives } = this.#share.plan;
    const calls = load ?? receives;
    return (calls && this.#all.get(number % calls.runEndpoints)) ?? null;
  }

  /** Callees wait for outside calls until `windowEndsAtMs`. */
  start(windowEndsAtMs: number): void {
    if (this.#load !== null) return;
    for (const endpoint of this.#all.values()) this.#share.schedule(windowEndsAtMs, endpoint, 'RECEIVE_END');
  }

  /** Callees need not wait any longer. */
  finish(): void {
    for (const endpoint of this.all) if (endpoint instanceof LastingCallee) endpoint.finish();
  }

  leave(): void {
    for (const endpoint of this.all) endpoint.leave();
  }

  abandon(): void {
    for (const endpoint of this.all) endpoint.abandon();
  }

  followPolicy(): void {
    for (const endpoint of this.all) endpoint.followPolicy();
  }

  /** An endpoint that is free for a call to any number. */
  get idleAgent(): UserAgent | null {
    for (const endpoint of this.#all.values()) if (endpoint.isIdle) return endpoint.userAgent;
    return null;
  }

  join(call: Callee): void {
    this.#share.join(call);
  }

  onRegistered(endpoint: LastingEndpoint): void {
    this.#load?.ready(endpoint.plan.number);
  }

  withdraw(endpoint: LastingEndpoint): void {
    this.#load?.withdraw(endpoint.plan.number);
  }

  takeUnused(endpoint: LastingEndpoint): Endpoint | null {
    const first = this.#load?.takeUnusedOf(endpoint.plan.number) ?? null;
    if (first !== null) this.#share.join(first);
    return first;
  }

  onLeft(endpoint: LastingEndpoint): void {
    this.#all.delete(endpoint.plan.number);
    this.#share.onLeft(endpoint);
  }
}
