/**
 * A drachtio-server with the engine interface: it has the sockets and the transactions, we have the calls. Its
 * messages wait for the next turn, with their arrival times. One agent thread per server: it distributes received
 * messages among all connected clients.
 */
import type { SipAddress, SipEngine, SipEngineOptions, SipTarget, UserAgentOptions } from '../../engine.ts';
import { isEnding, isMailboxNotice } from '../../message/methods.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { hostPortText, parseUri } from '../../message/uri.ts';
import { LibraryEngine } from '../library-engine.ts';
import type { DoorKeeper, Leaving, ServerPlace } from './door.ts';
import { PolicyGate } from './gate.ts';
import { type DrachtioServerOptions, type Framework, type Request, type Responder, ServerLink } from './library.ts';
import { type DrachtioAgentHost, DrachtioUserAgent } from './user-agent.ts';

export type DrachtioEngineOptions = Pick<
  SipEngineOptions,
  | 'address'
  | 'userAgentName'
  | 'mayReach'
  | 'mayLeave'
  | 'mayName'
  | 'locator'
  | 'onUnclaimedCall'
  | 'onStranger'
  | 'onInternalError'
> & { readonly server: DrachtioServerOptions };

const CONNECT_MS = 10_000;
/** Call-IDs that are kept for what comes behind a call, before they are looked through. */
const SPARE_OWNERS = 256;

/** Rejects if the server cannot be reached within 10 s, or does not accept the secret. */
export async function createDrachtioEngine(options: DrachtioEngineOptions): Promise<DrachtioEngine> {
  const engine = new DrachtioEngine(options);
  await engine.opened;
  return engine;
}

export class DrachtioEngine
  extends LibraryEngine<DrachtioUserAgent>
  implements SipEngine, DrachtioAgentHost, DoorKeeper
{
  readonly name = 'drachtio';
  readonly options: DrachtioEngineOptions;
  readonly opened: Promise<void>;
  readonly #gate: PolicyGate;
  readonly #link: ServerLink;
  /** The owners of calls by Call-ID. */
  readonly #owners = new Map<string, DrachtioUserAgent>();
  /** `udp/192.0.2.1:5060`: where the server listens. */
  #listeners: { readonly transport: string; readonly address: string; readonly port: number }[] = [];
  /** Closed ones whose BYEs are in progress. */
  readonly #leaving = new Set<DrachtioUserAgent>();
  #isConnected = false;
  readonly #where: string;

  constructor(options: DrachtioEngineOptions) {
    super(options.server.host);
    this.options = options;
    this.#gate = new PolicyGate(options, this.clock);
    const { host, port } = options.server;
    const where = `the drachtio-server at ${host}:${port}`;
    this.#where = where;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.opened = promise;
    const tooLate = setTimeout(() => reject(new Error(`${where} cannot be reached`)), CONNECT_MS);
    this.#link = new ServerLink({
      server: options.server,
      keeper: this,
      onRequest: (request, responder) => this.guard(() => this.#received(request, responder)),
      onOpen: (error, hostports) => {
        clearTimeout(tooLate);
        if (error) {
          reject(new Error(`${where} does not accept us: ${error.message}`));
          this.close();
          return;
        }
        this.#listeners = hostports.split(',').flatMap(listenerOf);
        this.#isConnected = true;
        resolve();
      },
      onLost: () => this.#lost(`the connection to ${where} is lost`),
    });
    promise.catch(() => this.close());
  }

  /** Our own address, which media come from, and the server's port. */
  get local(): SipAddress {
    return { address: this.options.address, port: this.listener('UDP').port };
  }

  override get obstacle(): string | null {
    return this.#isConnected ? null : `not connected to ${this.#where}`;
  }

  listenTls(): Promise<SipAddress> {
    return this.#listeners.some(({ transport }) => transport === 'TLS')
      ? Promise.resolve(this.listener('TLS'))
      : Promise.reject(new Error('the drachtio-server does not listen for TLS'));
  }

  listener(transport: string): SipAddress {
    const found = this.#listeners.find((one) => one.transport === transport) ?? this.#listeners[0];
    return { address: found?.address ?? this.options.server.host, port: found?.port ?? 5060 };
  }

  protected override newUserAgent(options: UserAgentOptions): DrachtioUserAgent {
    return new DrachtioUserAgent(this, options);
  }

  protected override onClosed(): void {
    this.#link.close();
  }

  get srf(): Framework {
    if (!this.#isConnected) throw new Error(`not connected to ${this.#where}`);
    return this.#link.srf;
  }

  claim(callId: string, agent: DrachtioUserAgent): void {
    this.#owners.set(callId, agent);
  }

  forget(contactUser: string, agent: DrachtioUserAgent): void {
    this.userAgents.delete(contactUser);
    this.#leaving.add(agent);
  }

  protected override *everyone(): Iterable<DrachtioUserAgent> {
    yield* [...this.userAgents.values(), ...this.#leaving];
  }

  protected override tidy(): void {
    for (const agent of this.#leaving) if (agent.isIdle) this.#leaving.delete(agent);
    if (this.#owners.size < SPARE_OWNERS + 2 * this.openCalls) return;
    for (const [callId, agent] of this.#owners)
      if (agent.callOf(callId) === undefined && agent.registration?.callId !== callId) this.#owners.delete(callId);
  }

  /** The server does not know the host's policy: it is asked before the server gets a message. */
  ask(leaving: Leaving, done: Parameters<DoorKeeper['ask']>[1]): void {
    const { message, uri, within, answers } = leaving;
    if (answers !== null) {
      const { request, place } = answers;
      if (this.maySend(isEnding(request.method, ''), place.address)) done({ route: '' });
      else {
        const owner = this.#owners.get(request.callId);
        this.tell(() => owner?.options.owner.onForbidden?.(request.method, message.status, place.address));
        done(`the policy of this host forbids ${place.address}`);
      }
      return;
    }
    this.#gate.ask(isEnding(message.method, message.text), uri, ({ reason, target }) => {
      if (this.isClosed) return;
      if (reason?.startsWith('the policy')) this.counts.refusedByPolicy++;
      // The server would use another DNS, and might get another address.
      this.guard(() => done(reason ?? { route: within || target === null ? '' : uriOf(target) }));
    });
  }

  onMessage(direction: 'SENT' | 'RECEIVED', message: SipMessage, place: ServerPlace): void {
    this.#owners.get(message.callId)?.note(direction, message, place);
    this.tellAll();
  }

  /** A request of no dialog. */
  #received(request: Request, responder: Responder): void {
    // A source that may not be sent to is not answered; the server's own 100 has left.
    if (request.source !== 'network' || !this.maySend(false, request.source_address)) return;
    this.#outside(request, responder);
    this.tellAll();
  }

  #outside(request: Request, responder: Responder): void {
    const { method } = request;
    if (method === 'ACK') return;
    const message = parseMessage(Buffer.from(request.msg.raw, 'utf8').toString('latin1'));
    const answer = (status: number, reason: string): void => responder.send(status, reason, {}, () => undefined);
    if (message === null) return;
    const uri = parseUri(message.requestUri);
    const named = typeof uri === 'string' ? undefined : this.userAgents.get(uri.user);
    const isForUs = typeof uri !== 'string' && uri.user === '';
    if (message.toTag !== '') answer(481, 'Call/Transaction Does Not Exist');
    else if (method === 'OPTIONS' && isForUs) answer(200, 'OK');
    else if (method !== 'OPTIONS' && method !== 'INVITE') this.#answerOther(message, named, request, answer);
    else {
      const { requestUri } = message;
      const from = { address: request.source_address, port: Number(request.source_port) };
      const isStrange = method === 'INVITE' && named?.takesFrom(from.address) === false;
      const taker = named ?? (this.options.onUnclaimedCall(requestUri, from) as DrachtioUserAgent | null) ?? null;
      if (taker === null || isStrange) {
        this.counts.unclaimed++;
        if (isStrange) answer(403, 'Forbidden');
        else answer(404, 'Not Found');
        if (method === 'INVITE') this.options.onStranger?.(requestUri, from);
      } else if (method === 'INVITE') taker.invited(request, responder, message);
      // OPTIONS is answered as an INVITE would be (RFC 3261, 11.2).
      else if (taker.isBusy) answer(486, 'Busy Here');
      else answer(200, 'OK');
    }
  }

  /** Neither a call nor a question whether one would be taken. */
  #answerOther(
    message: SipMessage,
    named: DrachtioUserAgent | undefined,
    request: Request,
    answer: (status: number, reason: string) => void,
  ): void {
    if (isMailboxNotice(message) && named?.takesFrom(request.source_address)) answer(200, 'OK');
    else answer(405, 'Method Not Allowed');
  }

  #lost(reason: string): void {
    if (!this.#isConnected || this.isClosed) return;
    this.#isConnected = false;
    for (const agent of this.everyone()) this.guard(() => agent.onLost(reason));
    this.#owners.clear();
  }
}

const uriOf = ({ transport, address, port }: SipTarget): string =>
  `sip:${hostPortText(address, port)};transport=${transport.toLowerCase()}`;

function listenerOf(text: string): { transport: string; address: string; port: number }[] {
  const match = /^(\w+)\/(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text.trim());
  const address = match?.[2] ?? match?.[3];
  if (match === null || address === undefined) return [];
  return [{ transport: (match[1] ?? '').toUpperCase(), address, port: Number(match[4]) }];
}
