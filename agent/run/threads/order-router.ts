/**
 * Routes orders of the main thread to a signalling thread, each executed when its allocation exists: an engine that
 * must be loaded first queues its orders. A failure refuses only its allocation.
 */

import type { AllocationShare } from '../allocation/share.ts';
import type { ShareOrder } from '../order/share-order.ts';
import type { SharePlan } from '../plan.ts';

export type OrderedShare = Pick<
  AllocationShare,
  'prepare' | 'start' | 'finish' | 'stop' | 'breakOff' | 'changeLoad' | 'hold'
>;

export type OrderHandlers<E, S extends OrderedShare> = {
  /** A promise if the engine has to be loaded; it rejects if the engine cannot be used. */
  readonly engineFor: (plan: SharePlan) => E | Promise<E>;
  readonly open: (plan: SharePlan, engine: E) => S;
  readonly refuse: (owner: number, code: string, reason: string) => void;
  readonly onFault: (error: unknown) => void;
};

export class OrderRouter<E, S extends OrderedShare> {
  readonly shares = new Map<number, S>();
  readonly #handlers: OrderHandlers<E, S>;
  readonly #loading = new Map<number, Promise<void>>();
  /** Allocations whose ports and user agents are being created. */
  #preparing = 0;
  /** No new calls start; this includes those of later allocations. */
  #isHeld = false;

  constructor(handlers: OrderHandlers<E, S>) {
    this.#handlers = handlers;
  }

  /** Whether promises are pending. */
  get isAwaiting(): boolean {
    return this.#preparing > 0 || this.#loading.size > 0;
  }

  obey(order: ShareOrder): void {
    const loading = 'owner' in order ? this.#loading.get(order.owner) : undefined;
    if (loading === undefined) this.#do(order);
    else void loading.then(() => this.#do(order)).catch(this.#handlers.onFault);
  }

  #do(order: ShareOrder): void {
    if (order.op === 'allocate') this.#allocate(order.plan);
    else if (order.op === 'hold') {
      this.#isHeld = order.held;
      for (const share of this.shares.values()) share.hold(order.held);
    } else if (order.op === 'start') this.shares.get(order.owner)?.start(order.startAtMs);
    else if (order.op === 'finish') this.shares.get(order.owner)?.finish();
    else if (order.op === 'stop') this.shares.get(order.owner)?.stop(order.reason);
    else if (order.op === 'changeLoad') this.shares.get(order.owner)?.changeLoad(order.steps);
    else this.shares.get(order.owner)?.breakOff(order.untilMs, order.reason);
  }

  #allocate(plan: SharePlan): void {
    const found = this.#handlers.engineFor(plan);
    if (!(found instanceof Promise)) {
      this.#open(plan, found);
      return;
    }
    const loaded = found
      .then(
        (engine) => this.#open(plan, engine),
        (error: Error) => this.#handlers.refuse(plan.owner, 'ENGINE', error.message),
      )
      .catch(this.#handlers.onFault)
      .finally(() => this.#loading.delete(plan.owner));
    this.#loading.set(plan.owner, loaded);
  }

  #open(plan: SharePlan, engine: E): void {
    const failed = (error: unknown): void => {
      this.#handlers.onFault(error);
      this.shares.delete(plan.owner);
      this.#handlers.refuse(plan.owner, 'INTERNAL', (error as Error).message);
    };
    try {
      const share = this.#handlers.open(plan, engine);
      this.shares.set(plan.owner, share);
      if (this.#isHeld) share.hold(true);
      this.#preparing++;
      share
        .prepare()
        .catch(failed)
        .finally(() => this.#preparing--);
    } catch (error) {
      failed(error);
    }
  }
}
