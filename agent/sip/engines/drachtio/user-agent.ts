/** A user agent on a drachtio-server: its names, its messages, its calls. */
import type { CallEvents, RegistrationEvents, SipTransport, UserAgentOptions } from '../../engine.ts';
import { SUPPORTED_BODY } from '../../message/build.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { escapeUser, hostPortText } from '../../message/uri.ts';
import { headerText, quoted, wireText } from '../../message/wire-text.ts';
import { LibraryAgent } from '../library-agent.ts';
import type { Outcome } from '../library-call.ts';
import { LibraryCallee } from '../library-callee.ts';
import { LibraryCaller } from '../library-caller.ts';
import { WatchedTraffic } from '../traffic.ts';
import type { ServerPlace } from './door.ts';
import type { Headers, Request, Responder } from './library.ts';
import { DrachtioRegistration } from './registration.ts';
import { contentOf, type DrachtioAgent, type DrachtioHost, UacLeg, UasLeg } from './session.ts';

/** The engine, as its user agents know it. */
export interface DrachtioAgentHost extends DrachtioHost {
  /** The messages of this Call-ID are the user agent's. */
  claim(callId: string, agent: DrachtioUserAgent): void;
  /** It was closed. */
  forget(contactUser: string, agent: DrachtioUserAgent): void;
}

export class DrachtioUserAgent extends LibraryAgent<DrachtioAgentHost, DrachtioRegistration> implements DrachtioAgent {
  readonly contactUri: string;
  readonly contactLine: string;
  readonly fromValue: string;
  readonly aorValue: string;
  readonly ownLines: readonly string[];
  readonly proxy: { readonly proxy?: string };
  readonly #transport: SipTransport;
  readonly #traffic: WatchedTraffic;
  /** What waits for a final response, and is told if none can come. */
  readonly #pending = new Set<(outcome: Outcome) => void>();
  constructor(engine: DrachtioAgentHost, options: UserAgentOptions) {
    super(engine, options);
    if (options.credentials?.ha1)
      throw new Error('the drachtio engine needs the password of an account: its library cannot use an HA1');
    this.#traffic = new WatchedTraffic(options.traffic);
    const [hop] = options.nextHop ?? [];
    this.#transport = hop?.transport ?? 'UDP';
    const { address, port } = engine.listener(this.#transport);
    const parameters = this.#transport === 'UDP' ? '' : `;transport=${this.#transport.toLowerCase()}`;
    this.contactUri = `sip:${escapeUser(wireText(options.contactUser))}@${hostPortText(address, port)}${parameters}`;
    this.contactLine = `Contact: <${this.contactUri}>`;
    const name = options.displayName ? `${quoted(options.displayName)} ` : '';
    this.aorValue = `${name}<${this.aor}>`;
    this.fromValue = this.from === null ? this.aorValue : `${name}<${this.from}>`;
    const routes = this.routeSet.length > 0 ? [`Route: ${this.routeSet.join(', ')}`] : [];
    this.ownLines = [this.contactLine, ...routes, `User-Agent: ${headerText(engine.options.userAgentName)}`];
    const named = options.nextHopUri ?? parseNameAddress(this.routeSet[0] ?? '')?.uri;
    const given = hop && `sip:${hostPortText(hop.address, hop.port)};transport=${hop.transport.toLowerCase()}`;
    const proxy = given ?? named;
    this.proxy = proxy === undefined ? {} : { proxy };
  }

  protected newRegistration(registrar: string, seconds: number, events: RegistrationEvents): DrachtioRegistration {
    const registration = new DrachtioRegistration(this, registrar, seconds, events);
    this.engine.claim(registration.callId, this);
    return registration;
  }

  protected newCall(target: string | null, lines: readonly string[], offer: string, events: CallEvents): LibraryCaller {
    const call = new LibraryCaller(this, offer, events, (own) => new UacLeg(this, target ?? '', lines, offer, own));
    this.engine.claim(call.callId, this);
    return call;
  }

  protected leave(): void {
    this.#traffic.silence();
    this.engine.forget(this.options.contactUser, this);
  }

  takesFrom(address: string): boolean {
    return this.options.takesFrom?.(address) ?? true;
  }

  invited(request: Request, responder: Responder, source: SipMessage): void {
    if (this.callOf(source.callId) !== undefined) {
      this.answer(responder, 482, 'Loop Detected');
      return;
    }
    this.engine.claim(source.callId, this);
    const atMs = this.engine.clock();
    this.note('RECEIVED', source, { protocol: '', address: request.source_address, port: Number(request.source_port) });
    const call = new LibraryCallee(this, source, atMs, (own) => new UasLeg(this, request, responder, own));
    call.begin(this.isClosed ? null : this.options.owner.onIncomingCall(call));
  }

  /** One of our messages, by the door. */
  note(direction: 'SENT' | 'RECEIVED', message: SipMessage, { protocol, address, port }: ServerPlace): void {
    const atMs = this.engine.clock();
    const transport = (protocol || this.#transport).toUpperCase() as SipTransport;
    this.hear(() => this.#traffic.note(direction, message, atMs, { transport, address, port }));
    const { isRequest, method, callId } = message;
    if (direction === 'RECEIVED') this.arrived(message.text, message, atMs);
    if (direction === 'RECEIVED' || !isRequest) return;
    if (method === 'REGISTER') this.registration?.onSent(atMs);
    else this.callOf(callId)?.onSent(method, atMs);
  }

  read({ msg }: { readonly msg: { readonly raw: string } }): Outcome {
    const text = Buffer.from(msg.raw, 'utf8').toString('latin1');
    return this.arrivedAs(text) ?? { source: parseMessage(text), atMs: this.engine.clock(), reason: '' };
  }

  none(reason: string): Outcome {
    return { source: null, atMs: this.engine.clock(), reason };
  }

  described(body: string): { headers: Headers; body?: string } {
    return contentOf([this.contactLine, ...(body === '' ? [] : [`Content-Type: ${SUPPORTED_BODY}`])], body);
  }

  answer(responder: Responder, status: number, reason: string, reply: { headers?: Headers; body?: string } = {}): void {
    this.hear(() => responder.send(status, reason, reply, () => undefined));
  }

  whenLost(
    over: (outcome: Outcome) => void,
    ask: (settled: (outcome: Outcome, then?: () => void) => void) => void,
  ): void {
    const lost = (outcome: Outcome, then?: () => void): void => {
      if (!this.#pending.delete(lost)) return;
      if (then === undefined) over(outcome);
      else then();
      this.engine.tellAll();
    };
    this.#pending.add(lost);
    if (!this.engine.guard(() => ask(lost)))
      this.engine.tell(() => lost(this.none('the drachtio-server is not connected')));
  }

  /** The server has gone, with all its state. */
  onLost(reason: string): void {
    for (const call of this.calls) this.hear(() => call.onLost(this.lost(reason)));
    for (const lost of [...this.#pending]) this.hear(() => lost(this.none(reason)));
  }
}
