/** A binding by REGISTERs of drachtio-srf, which has no registrations of its own: made again before it expires. */
import type { RegistrationEvents } from '../../engine.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import { refreshDelayMs } from '../../registration/granted-expires.ts';
import { LibraryRegistration } from '../library-registration.ts';
import { authOf } from './library.ts';
import { contentOf, type DrachtioAgent, DueCall } from './session.ts';

export class DrachtioRegistration extends LibraryRegistration {
  readonly callId: string;
  readonly #tag: string;
  readonly #agent: DrachtioAgent;
  readonly #registrar: string;
  readonly #refresh = new DueCall(() => this.start());
  #cseq = 0;

  constructor(agent: DrachtioAgent, registrar: string, seconds: number, events: RegistrationEvents) {
    super(agent, seconds, events);
    this.#agent = agent;
    this.#registrar = registrar;
    this.callId = agent.engine.identifiers.callId();
    this.#tag = agent.engine.identifiers.tag();
  }

  start(): void {
    this.#send(this.seconds);
  }

  protected remove(): void {
    this.#send(0);
  }

  protected override onGranted(seconds: number): void {
    const { wheel, clock } = this.#agent.engine;
    wheel.set(this.#refresh, clock() + refreshDelayMs(seconds, Math.random()));
  }

  protected override onOver(): void {
    this.#agent.engine.wheel.clear(this.#refresh);
  }

  #send(expires: number): void {
    const agent = this.#agent;
    // One more is the library's, with credentials.
    this.#cseq += 2;
    const { aorValue, contactLine, ownLines, headers: own, engine } = agent;
    const ends = [`From: ${aorValue};tag=${this.#tag}`, `To: ${aorValue}`];
    const named = [...ends, `call-id: ${this.callId}`, `CSeq: ${this.#cseq} REGISTER`];
    const lines = [...named, ...ownLines.filter((line) => line !== contactLine), ...ownHeaderLines(own, 'REGISTER')];
    const { headers } = contentOf([...lines, `${contactLine};expires=${expires}`, `Expires: ${expires}`], '');
    const options = { method: 'REGISTER', headers, ...authOf(agent.options.credentials), ...agent.proxy };
    this.isWaiting = true;
    engine.wheel.clear(this.#refresh);
    agent.whenLost(
      (outcome) => agent.hear(() => this.settled(outcome, outcome.source === null ? agent.lost(outcome.reason) : null)),
      (settled) =>
        engine.srf.request(this.#registrar, options, (error, request) => {
          if (request === undefined) settled(agent.none(error?.message ?? 'it was not sent'));
          else request.on('response', (response) => response.status >= 200 && settled(agent.read(response)));
        }),
    );
  }
}
