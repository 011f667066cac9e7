/** The allocations that the book holds, until the batch that reports their end is committed. */
import { isOpen } from './allocation-machine.ts';
import { GoneAllocations } from './gone-allocations.ts';
import type { HeldAllocation, ShareThread } from './held-allocation.ts';

export class HeldAllocations {
  readonly #byId = new Map<string, HeldAllocation>();
  readonly #byOwner = new Map<number, HeldAllocation>();
  readonly #gone = new GoneAllocations();

  /** The allocations, the oldest first. */
  all(): IterableIterator<HeldAllocation> {
    return this.#byId.values();
  }

  get(id: string): HeldAllocation | undefined {
    return this.#byId.get(id);
  }

  ofOwner(owner: number): HeldAllocation | undefined {
    return this.#byOwner.get(owner);
  }

  add(held: HeldAllocation): void {
    this.#byId.set(held.id, held);
    this.#byOwner.set(held.owner, held);
  }

  remove(held: HeldAllocation): void {
    this.#byId.delete(held.id);
    this.#gone.add(held.id);
    this.#byOwner.delete(held.owner);
  }

  /** Whether the allocation was held, and is removed. */
  isGone(id: string): boolean {
    return this.#gone.has(id);
  }

  /** Allocations whose last facts are not committed yet. */
  get ids(): string[] {
    return [...this.#byId.keys()];
  }

  /** Endpoints that occupy this agent, at work at the same time. */
  get endpoints(): number {
    let n = 0;
    for (const held of this.#byId.values()) if (isOpen(held.state)) n += held.endpoints;
    return n;
  }

  /** The endpoints of allocations that have not been ordered to end. */
  get endpointsGoingOn(): number {
    let n = 0;
    for (const held of this.#byId.values()) if (isOpen(held.state) && !held.stopping) n += held.endpoints;
    return n;
  }

  /** Streams that these endpoints have, or may have. */
  get streams(): number {
    let n = 0;
    for (const held of this.#byId.values()) if (isOpen(held.state)) n += held.streams;
    return n;
  }

  get isIdle(): boolean {
    for (const held of this.#byId.values()) if (isOpen(held.state)) return false;
    return true;
  }

  /** Calls `act` for every thread that has a share of one of these allocations, if the allocation is open. */
  each(
    threads: readonly ShareThread[],
    ids: readonly string[],
    act: (held: HeldAllocation, thread: ShareThread) => void,
  ): void {
    for (const id of ids) {
      const held = this.#byId.get(id);
      if (!held || !isOpen(held.state)) continue;
      for (const listener of held.shares.keys()) {
        const thread = threads[listener];
        if (thread) act(held, thread);
      }
    }
  }
}
