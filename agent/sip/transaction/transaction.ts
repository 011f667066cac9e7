/**
 * Common parts of all four kinds of transaction: the state, steps by the table, and the timers of each state. Kinds
 * differ in what they send and in the user that they notify.
 */

import { countRefused } from '../../steps.ts';
import type { SipTarget } from '../engine.ts';
import { Timed, type TimerWheel } from '../timer-wheel.ts';
import { TIMERS, type TimerName } from '../timers.ts';
import type { Flow, MessageOwner } from '../transport/send-queue.ts';
import type { Row, Rows } from './rows.ts';

const NEVER = -1;

/** Dependencies of each transaction on its layer. */
export interface Timekeeper {
  readonly wheel: TimerWheel;
  readonly clock: () => number;
}

/** A transaction: its states, its events and timers, and what it needs of its layer. */
export abstract class Transaction<S extends string, E extends string, T extends TimerName & E, L extends Timekeeper>
  extends Timed
  implements Flow
{
  abstract readonly owner: MessageOwner;
  abstract readonly callId: string;
  abstract readonly target: SipTarget;
  protected readonly layer: L;
  readonly #rows: Rows<S, E, T>;
  #row: Row<S, E, T>;
  /** Ticks of the wheel, and the present interval in milliseconds. */
  #retransmitTick = NEVER;
  #retransmitMs = 0;
  #timeoutTick = NEVER;

  constructor(layer: L, rows: Rows<S, E, T>) {
    super();
    this.layer = layer;
    this.#rows = rows;
    this.#row = rows.initial;
  }

  get state(): S {
    return this.#row.state;
  }

  /** Retransmits the last message. */
  protected abstract resend(): void;

  /** The timer that ends a state; the machine has not moved yet. */
  protected abstract onTimeout(timer: T, nowMs: number): void;

  /** The machine is at its end. */
  protected abstract onTerminated(): void;

  override onDue(nowMs: number): void {
    const timers = this.#row;
    if (this.#timeoutTick === this.dueTick && timers.timeout !== null) {
      this.onTimeout(timers.timeout, nowMs);
    } else if (this.#retransmitTick === this.dueTick && timers.retransmit !== null) {
      this.move(timers.retransmit);
      const { capMs } = TIMERS[timers.retransmit];
      // Timer E is T2 after a provisional response (17.1.2.2).
      this.#retransmitMs = this.state === 'PROCEEDING' ? capMs : Math.min(this.#retransmitMs * 2, capMs);
      // After a pause of the whole process a message is sent once, not once per missed interval.
      const nowTick = this.layer.wheel.tickOf(nowMs);
      const next = this.#retransmitTick + this.#retransmitMs;
      this.#retransmitTick = next > nowTick ? next : nowTick + this.#retransmitMs;
      this.resend();
      this.#arm();
    }
  }

  protected get initialState(): S {
    return this.#rows.initial.state;
  }

  /** Starts the timers of the first state, again if they run. */
  protected begin(): void {
    this.#timeoutTick = NEVER;
    this.#enter(this.#row);
  }

  /** Continues where another left off, in a state without retransmissions. */
  protected resume(state: S, timeoutTick: number): void {
    this.#row = this.#rows.of[state] as Row<S, E, T>;
    this.#timeoutTick = timeoutTick;
    this.#arm();
  }

  /** Would the table take the step? */
  protected knows(event: E): boolean {
    return this.#row.next[event] !== undefined;
  }

  /** Takes the step if the table has it. */
  protected move(event: E): boolean {
    const next = this.#row.next[event];
    if (next === undefined) {
      countRefused(this.#rows.name, this.#row.state, event);
      return false;
    }
    if (next !== this.#row) this.#enter(next);
    return true;
  }

  /** Timers of both states continue; those that the new state lacks stop. */
  #enter(row: Row<S, E, T>): void {
    const { wheel, clock } = this.layer;
    const before = this.#row;
    const nowTick = wheel.tickOf(clock());
    const begins = this.#timeoutTick === NEVER;
    this.#row = row;
    if (row.retransmit === null) this.#retransmitTick = NEVER;
    else if (begins || row.retransmit !== before.retransmit) {
      this.#retransmitMs = row.retransmitMs;
      this.#retransmitTick = nowTick + row.retransmitMs;
    }
    // What TCP and TLS deliver is not sent again, and not waited for (RFC 3261, table 4).
    const isReliable = this.target.transport !== 'UDP';
    if (isReliable) this.#retransmitTick = NEVER;
    if (row.timeout === null) this.#timeoutTick = NEVER;
    else if (begins || row.timeout !== before.timeout)
      this.#timeoutTick = nowTick + (isReliable ? row.reliableTimeoutMs : row.timeoutMs);
    if (row.isFinal) this.onTerminated();
    this.#arm();
  }

  #arm(): void {
    const retransmitTick = this.#retransmitTick;
    const timeoutTick = this.#timeoutTick;
    if (timeoutTick === NEVER) this.layer.wheel.clear(this);
    else this.layer.wheel.setTick(this, retransmitTick === NEVER ? timeoutTick : Math.min(retransmitTick, timeoutTick));
  }
}
