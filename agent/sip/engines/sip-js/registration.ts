/** A binding that a Registerer of SIP.js makes and keeps fresh; what it does is seen by its state and its last response. */
import type { RegistrationEvents, SipFailure, SipTarget } from '../../engine.ts';
import { explanationOf } from '../../message/explanation.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import { grantedSeconds } from '../../registration/granted-expires.ts';
import { Registerer, RegistererState, type URI } from './library.ts';
import type { SipJsAgent } from './session.ts';

type State = 'REGISTERING' | 'REGISTERED' | 'LEAVING' | 'OVER';

export class SipJsRegistration {
  readonly #agent: SipJsAgent;
  readonly #registerer: Registerer;
  readonly #expiresSeconds: number;
  #events: RegistrationEvents | null;
  #state: State = 'REGISTERING';
  #isSent = false;
  /** A REGISTER waits for its response. */
  #isWaiting = false;
  #leaves = false;

  constructor(agent: SipJsAgent, registrar: URI, expires: number, events: RegistrationEvents) {
    this.#agent = agent;
    this.#events = events;
    this.#expiresSeconds = expires;
    const extraHeaders = ownHeaderLines(agent.headers, 'REGISTER');
    this.#registerer = new Registerer(agent.library, { registrar, expires, extraHeaders, logConfiguration: false });
    this.#registerer.stateChange.addListener((state) => {
      if (state !== RegistererState.Registered) agent.engine.tell(() => this.#failed());
    });
  }

  get isOver(): boolean {
    return this.#state === 'OVER';
  }

  start(): void {
    this.#agent.ready().then(
      () => this.#agent.settle(this.#registerer.register()),
      (error) => this.#fail(this.#agent.failureOf(error)),
    );
  }

  unregister(): void {
    if (this.#state === 'OVER') this.#tell((events, atMs) => events.onUnregistered(atMs));
    else if (this.#state !== 'LEAVING') {
      this.#leaves = true;
      if (!this.#isWaiting && this.#state === 'REGISTERED') this.#leave();
    }
  }

  /** No more events. The library removes the binding with the user agent. */
  drop(): void {
    this.#events = null;
    this.#over();
  }

  abort(atMs: number): void {
    if (this.#state === 'OVER') return;
    const wasGranted = this.#state !== 'REGISTERING';
    this.#over();
    if (wasGranted) this.#tell((events) => events.onUnregistered(atMs));
    else this.#tell((events) => events.onRegistrationFailed(closed(atMs)));
  }

  /** Its timers, without a message: the connection is closed. */
  dispose(): void {
    this.#agent.settle(this.#registerer.dispose());
  }

  onSent(atMs: number): void {
    if (!this.#isSent) this.#tell((events) => events.onRegisterSent(atMs));
    this.#isSent = true;
    this.#isWaiting = true;
  }

  onLocated(tookMs: number): void {
    this.#events?.onLocated?.(tookMs);
  }

  onFailover(from: SipTarget, to: SipTarget, reason: string, atMs: number): void {
    this.#events?.onFailover?.('REGISTER', from, to, reason, atMs);
  }

  /** The registrar reaches us no more: the binding is made again over another connection. */
  onLost(failure: SipFailure): void {
    if (this.#state === 'LEAVING') this.#left();
    else if (this.#state === 'REGISTERING') this.#fail(failure);
    else if (!this.#isWaiting) this.start();
  }

  /** A final response, which the library has taken, and after which it has sent no other REGISTER. */
  onResponse(): void {
    this.#isWaiting = false;
    if (this.#state === 'OVER') return;
    if (this.#state === 'LEAVING') this.#left();
    else if (this.#registerer.state === RegistererState.Registered) this.#granted();
    else this.#failed();
  }

  #failed(): void {
    const { source, atMs, reason } = this.#agent.lastRegister;
    this.#isWaiting = false;
    if (this.#state === 'OVER') return;
    if (this.#state === 'LEAVING') this.#left();
    else if (source === null) this.#fail({ ...this.#agent.failureOf(null), reason, atMs });
    else {
      const isGranted = source.status < 300;
      const said = isGranted ? 'the 2xx has no binding of ours' : source.reason;
      const kind = isGranted ? 'PROTOCOL' : 'STATUS';
      this.#fail({ kind, status: source.status, reason: said, atMs, explanation: explanationOf(source) });
    }
  }

  #granted(): void {
    const { source, atMs } = this.#agent.lastRegister;
    if (source === null) return;
    const seconds = grantedSeconds(source, this.#agent.contactUri, this.#expiresSeconds);
    const isFirst = this.#state === 'REGISTERING';
    this.#state = 'REGISTERED';
    if (this.#leaves) this.#leave();
    else if (isFirst) this.#tell((events) => events.onRegistered(atMs, seconds));
    else this.#tell((events) => events.onRefreshed?.(atMs, seconds));
  }

  #leave(): void {
    this.#state = 'LEAVING';
    this.#agent.settle(this.#registerer.unregister());
  }

  #left(): void {
    this.#over();
    this.#tell((events, atMs) => events.onUnregistered(atMs));
  }

  #fail(failure: SipFailure): void {
    if (this.#state === 'OVER') return;
    this.#over();
    if (this.#leaves) this.#tell((events, atMs) => events.onUnregistered(atMs));
    else this.#tell((events) => events.onRegistrationFailed(failure));
  }

  #over(): void {
    this.#state = 'OVER';
  }

  #tell(what: (events: RegistrationEvents, atMs: number) => void): void {
    const { engine } = this.#agent;
    const atMs = engine.clock();
    engine.tell(() => this.#events && what(this.#events, atMs));
  }
}

const closed = (atMs: number): SipFailure => ({
  kind: 'TRANSPORT',
  status: null,
  reason: 'the engine was closed',
  atMs,
});
