/** An endpoint's binding at its registrar, and the results of refreshes. */
import type { Machine } from '@carillon/proto/base/machine.ts';
import { takeStep } from '../../../steps.ts';

export type BindingState = 'NONE' | 'PENDING' | 'REGISTERED' | 'FAILED' | 'REMOVING' | 'REMOVED';
export type BindingEvent = 'asked' | 'granted' | 'refused' | 'left' | 'removed';

export const BINDING: Machine<BindingState, BindingEvent> = {
  initial: 'NONE',
  finals: ['FAILED', 'REMOVED'],
  transitions: {
    NONE: { asked: 'PENDING' },
    /** A pending REGISTER may still create a binding: it is removed when the response arrives. */
    PENDING: { granted: 'REGISTERED', refused: 'FAILED', left: 'REMOVING' },
    /** A failed refresh does not change the state: the call continues. */
    REGISTERED: { left: 'REMOVING', removed: 'REMOVED' },
    REMOVING: { removed: 'REMOVED' },
    FAILED: {},
    REMOVED: {},
  },
  heldBy: {
    NONE: 'USER',
    PENDING: 'TRANSACTION',
    REGISTERED: 'USER',
    REMOVING: 'TRANSACTION',
    FAILED: 'NOBODY',
    REMOVED: 'NOBODY',
  },
};

export class EndpointBinding {
  state: BindingState = BINDING.initial;
  #rttMs: number | null = null;
  /** Counts of its refreshes; null: the registration was never granted. */
  counts: { granted: number; failed: number; lapsed: number; recovered: number } | null = null;
  #sentAtMs: number | null = null;
  #isFailing = false;

  /** NaN: not measured. */
  get rttMs(): number {
    return this.#rttMs ?? Number.NaN;
  }

  /** Whether the binding exists, or may exist soon. */
  get isOpen(): boolean {
    return this.state === 'PENDING' || this.state === 'REGISTERED';
  }

  /** False: the table has no such step, and nothing may happen. */
  move(event: BindingEvent): boolean {
    const next = takeStep('binding', BINDING.transitions, this.state, event);
    if (next !== null) this.state = next;
    return next !== null;
  }

  /** The last attempt counts: the wait before it is not the registrar's time (RFC 6076, 4.1). */
  sent(atMs: number): void {
    this.#sentAtMs = atMs;
  }

  granted(atMs: number): boolean {
    if (!this.move('granted')) return false;
    if (this.#sentAtMs !== null) this.#rttMs = atMs - this.#sentAtMs;
    this.counts = { granted: 0, failed: 0, lapsed: 0, recovered: 0 };
    return true;
  }

  refreshed(): void {
    if (this.counts === null) return;
    this.counts.granted++;
    if (this.#isFailing) this.counts.recovered++;
    this.#isFailing = false;
  }

  refreshFailed(): void {
    if (this.counts !== null) this.counts.failed++;
    this.#isFailing = true;
  }

  /** The binding expired before a refresh was granted. */
  lapsed(): void {
    this.refreshFailed();
    if (this.counts !== null) this.counts.lapsed++;
  }
}
