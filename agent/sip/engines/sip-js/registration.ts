/** A binding that a Registerer of SIP.js makes and keeps fresh: seen by its state and the last response. */
import type { RegistrationEvents } from '../../engine.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import { LibraryRegistration } from '../library-registration.ts';
import { Registerer, RegistererState, type URI } from './library.ts';
import type { SipJsAgent } from './session.ts';

export class SipJsRegistration extends LibraryRegistration {
  readonly #agent: SipJsAgent;
  readonly #registerer: Registerer;

  constructor(agent: SipJsAgent, registrar: URI, expires: number, events: RegistrationEvents) {
    super(agent, expires, events);
    this.#agent = agent;
    const extraHeaders = ownHeaderLines(agent.headers, 'REGISTER');
    this.#registerer = new Registerer(agent.sipJs, { registrar, expires, extraHeaders, logConfiguration: false });
    this.#registerer.stateChange.addListener((state) => {
      if (state !== RegistererState.Registered) agent.engine.tell(() => this.onResponse());
    });
  }

  start(): void {
    const agent = this.#agent;
    agent.ready().then(
      () => agent.settle(this.#registerer.register()),
      (error) => this.settled(null, agent.failureOf(error)),
    );
  }

  protected remove(): void {
    this.#agent.settle(this.#registerer.unregister());
  }

  /** A final response, which the library has taken, and after which it has sent no other REGISTER; or it gave up. */
  onResponse(): void {
    const { lastRegister } = this.#agent;
    const { source, atMs, reason } = lastRegister;
    const status = source?.status ?? null;
    const isUnbound = status !== null && status < 300 && this.#registerer.state !== RegistererState.Registered;
    const unbound = { kind: 'PROTOCOL', status, reason: 'the 2xx has no binding of ours', atMs } as const;
    if (status === null) this.settled(null, { ...this.#agent.failureOf(null), reason });
    else this.settled(lastRegister, isUnbound ? unbound : null);
  }

  /** Its timers, without a message: the connection is closed. */
  dispose(): void {
    this.#agent.settle(this.#registerer.dispose());
  }
}
