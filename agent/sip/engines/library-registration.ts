/** A binding that a library makes. Its owner hears of each REGISTER, also of those that the library sends by itself. */
import type { RegistrationEvents, SipFailure, SipTarget } from '../engine.ts';
import { explanationOf } from '../message/explanation.ts';
import { grantedSeconds } from '../registration/granted-expires.ts';
import type { CallingAgent, Outcome } from './library-call.ts';

export abstract class LibraryRegistration {
  isOver = false;
  protected readonly seconds: number;
  /** A REGISTER waits for its response. */
  protected isWaiting = true;
  readonly #agent: CallingAgent;
  #events: RegistrationEvents | null;
  #isSent = false;
  #isGranted = false;
  #leaves = false;
  #isLeaving = false;

  constructor(agent: CallingAgent, seconds: number, events: RegistrationEvents) {
    this.#agent = agent;
    this.seconds = seconds;
    this.#events = events;
  }

  /** Makes or refreshes the binding; `settled` follows. */
  abstract start(): void;
  /** Asks for its removal; `settled` follows. */
  protected abstract remove(): void;
  protected onGranted(_seconds: number): void {
    // A library may refresh it by itself.
  }
  protected onOver(): void {
    // A library may have timers of its own.
  }

  unregister(): void {
    if (this.isOver) this.#tell((events, atMs) => events.onUnregistered(atMs));
    else if (!this.#leaves) {
      this.#leaves = true;
      if (!this.isWaiting) this.#leave();
    }
  }

  /** No more events. */
  drop(): void {
    this.#events = null;
    this.#over();
  }

  abort(atMs: number): void {
    if (this.isOver) return;
    this.#over();
    const failure = { kind: 'TRANSPORT', status: null, reason: 'the engine was closed', atMs } as const;
    this.#tell((events) => (this.#isGranted ? events.onUnregistered(atMs) : events.onRegistrationFailed(failure)));
  }

  onSent(atMs: number): void {
    this.isWaiting = true;
    if (!this.#isSent) this.#tell((events) => events.onRegisterSent(atMs));
    this.#isSent = true;
  }

  onLocated(tookMs: number): void {
    this.#events?.onLocated?.(tookMs);
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    this.#events?.onFailover?.('REGISTER', from, to, reason, atMs);
  }

  /** The registrar reaches us no more: a binding that stands is made again over another connection. */
  onLost(failure: SipFailure): void {
    if (this.#isLeaving || !this.#isGranted) this.settled(null, failure);
    else if (!this.isWaiting) this.start();
  }

  /** The outcome of a REGISTER. `failure`: where no response came; or where a 2xx has not bound us. */
  protected settled(outcome: Outcome | null, failure: SipFailure | null): void {
    const { source, atMs } = outcome ?? { source: null, atMs: failure?.atMs ?? 0 };
    this.isWaiting = false;
    if (this.isOver) return;
    const isGranted = source !== null && source.status < 300 && failure === null;
    if (this.#isLeaving || (this.#leaves && !isGranted)) {
      this.#over();
      this.#tell((events) => events.onUnregistered(atMs));
    } else if (!isGranted) {
      this.#over();
      const explanation = source && explanationOf(source);
      const { status = null, reason = '' } = source ?? {};
      const why = failure ?? ({ kind: 'STATUS', status, reason, atMs, explanation } as const);
      this.#tell((events) => events.onRegistrationFailed(why));
    } else if (this.#leaves) this.#leave();
    else {
      const seconds = grantedSeconds(source, this.#agent.contactUri, this.seconds);
      const isFirst = !this.#isGranted;
      this.#isGranted = true;
      this.onGranted(seconds);
      this.#tell((events) => (isFirst ? events.onRegistered(atMs, seconds) : events.onRefreshed?.(atMs, seconds)));
    }
  }

  #leave(): void {
    this.#isLeaving = true;
    this.isWaiting = true;
    this.remove();
  }

  #over(): void {
    this.isOver = true;
    this.onOver();
  }

  #tell(what: (events: RegistrationEvents, atMs: number) => void): void {
    const { engine } = this.#agent;
    const atMs = engine.clock();
    engine.tell(() => this.#events && what(this.#events, atMs));
  }
}
