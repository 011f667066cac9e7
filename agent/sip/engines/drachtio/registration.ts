/** A binding by REGISTERs of drachtio-srf, which has no registrations of its own: made again before it expires. */
import type { RegistrationEvents, SipFailure } from '../../engine.ts';
import { explanationOf } from '../../message/explanation.ts';
import { ownHeaderLines } from '../../message/own-headers.ts';
import { grantedSeconds, refreshDelayMs } from '../../registration/granted-expires.ts';
import { Timed } from '../../timer-wheel.ts';
import type { LibraryRegistration } from '../library-agent.ts';
import type { Outcome } from '../library-call.ts';
import { authOf } from './library.ts';
import { contentOf, type DrachtioAgent } from './session.ts';

export class DrachtioRegistration extends Timed implements LibraryRegistration {
  readonly callId: string;
  readonly #tag: string;
  isOver = false;
  readonly #agent: DrachtioAgent;
  readonly #registrar: string;
  readonly #seconds: number;
  #events: RegistrationEvents | null;
  #cseq = 0;
  #isSent = false;
  #isWaiting = false;
  #isGranted = false;
  #leaves = false;

  constructor(agent: DrachtioAgent, registrar: string, seconds: number, events: RegistrationEvents) {
    super();
    this.#agent = agent;
    this.#registrar = registrar;
    this.#seconds = seconds;
    this.#events = events;
    this.callId = agent.engine.identifiers.callId();
    this.#tag = agent.engine.identifiers.tag();
  }

  start(): void {
    this.#send(this.#seconds);
  }

  unregister(): void {
    if (this.isOver) this.#tell((events, atMs) => events.onUnregistered(atMs));
    else this.#leaves = true;
    if (!this.isOver && !this.#isWaiting) this.#send(0);
  }

  drop(): void {
    this.#events = null;
    this.#over();
  }

  abort(atMs: number): void {
    if (this.isOver) return;
    this.#over();
    if (this.#isGranted) this.#tell((events) => events.onUnregistered(atMs));
    else this.#tell((events) => events.onRegistrationFailed(this.#agent.lost('the engine was closed')));
  }

  onSent(atMs: number): void {
    if (!this.#isSent) this.#tell((events) => events.onRegisterSent(atMs));
    this.#isSent = true;
  }

  override onDue(): void {
    this.#send(this.#seconds);
  }

  #send(expires: number): void {
    const agent = this.#agent;
    // One more is the library's, with credentials.
    this.#cseq += 2;
    const { aorValue, contactLine, ownLines, headers: own, engine } = agent;
    const named = [
      `From: ${aorValue};tag=${this.#tag}`,
      `To: ${aorValue}`,
      `call-id: ${this.callId}`,
      `CSeq: ${this.#cseq} REGISTER`,
    ];
    const lines = [...named, ...ownLines.filter((line) => line !== contactLine), ...ownHeaderLines(own, 'REGISTER')];
    const { headers } = contentOf([...lines, `${contactLine};expires=${expires}`, `Expires: ${expires}`], '');
    this.#isWaiting = true;
    engine.wheel.clear(this);
    agent.whenLost(
      (outcome) => agent.hear(() => this.#settled(outcome, expires)),
      (settled) => {
        const options = { method: 'REGISTER', headers, ...authOf(agent.options.credentials), ...agent.proxy };
        engine.srf.request(this.#registrar, options, (error, request) => {
          if (request === undefined) settled(agent.none(error?.message ?? 'it was not sent'));
          else request.on('response', (response) => response.status >= 200 && settled(agent.read(response)));
        });
      },
    );
  }

  #settled({ source, atMs, reason }: Outcome, expires: number): void {
    this.#isWaiting = false;
    if (this.isOver) return;
    const isGranted = source !== null && source.status < 300;
    if (expires === 0 || (this.#leaves && !isGranted)) {
      this.#over();
      this.#tell((events) => events.onUnregistered(atMs));
    } else if (this.#leaves) this.#send(0);
    else if (isGranted) {
      const seconds = grantedSeconds(source, this.#agent.contactUri, this.#seconds);
      const isFirst = !this.#isGranted;
      this.#isGranted = true;
      this.#agent.engine.wheel.set(this, atMs + refreshDelayMs(seconds, Math.random()));
      this.#tell((events) => (isFirst ? events.onRegistered(atMs, seconds) : events.onRefreshed?.(atMs, seconds)));
    } else {
      const why = source && { kind: 'STATUS' as const, status: source.status, reason: source.reason, atMs };
      const failure: SipFailure =
        why === null ? this.#agent.lost(reason) : { ...why, explanation: explanationOf(source as never) };
      this.#over();
      this.#tell((events) => events.onRegistrationFailed(failure));
    }
  }

  #over(): void {
    this.isOver = true;
    this.#agent.engine.wheel.clear(this);
  }

  #tell(what: (events: RegistrationEvents, atMs: number) => void): void {
    const { engine } = this.#agent;
    const atMs = engine.clock();
    engine.tell(() => this.#events && what(this.#events, atMs));
  }
}
