/**
 * A drachtio-server with the engine interface: it has the sockets and the transactions, we have the calls. Its
 * messages wait for the next turn, with their arrival times. One agent thread per server: it distributes received
 * messages among all connected clients.
 */
import type { Secret } from '@carillon/proto/secret.ts';
import type { SipAddress, SipEngine, SipEngineOptions, SipTarget, UserAgentOptions } from '../../engine.ts';
import { isEnding, isMailboxNotice } from '../../message/methods.ts';
import { parseMessage } from '../../message/parse.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { hostPortText, parseUri } from '../../message/uri.ts';
import { LibraryEngine } from '../library-engine.ts';
import { PolicyGate } from './gate.ts';
import {
  type OutgoingRequest,
  type RequestOptions,
  type Responder,
  ServerLink,
  type ServerRequest,
} from './library.ts';
import { type DrachtioHost, DrachtioUserAgent } from './user-agent.ts';

export type DrachtioServerOptions = { readonly host: string; readonly port: number; readonly secret: Secret };
export type DrachtioEngineOptions = Pick<
  SipEngineOptions,
  | 'address'
  | 'userAgentName'
  | 'mayReach'
  | 'mayLeave'
  | 'mayCall'
  | 'mayDial'
  | 'mayName'
  | 'locator'
  | 'onUnclaimedCall'
  | 'onStranger'
  | 'onInternalError'
> & { readonly server: DrachtioServerOptions };

const CONNECT_MS = 10_000;

/** Rejects if the server cannot be reached within 10 s, or does not accept the secret. */
export async function createDrachtioEngine(options: DrachtioEngineOptions): Promise<DrachtioEngine> {
  const engine = new DrachtioEngine(options);
  await engine.opened;
  return engine;
}

export class DrachtioEngine extends LibraryEngine<DrachtioUserAgent> implements SipEngine, DrachtioHost {
  readonly name = 'drachtio';
  readonly options: DrachtioEngineOptions;
  readonly opened: Promise<void>;
  readonly #gate: PolicyGate;
  readonly #link: ServerLink;
  /** By dialog. */
  readonly #owners = new Map<string, DrachtioUserAgent>();
  /** `udp/192.0.2.1:5060`: where the server listens. */
  #listeners: { readonly transport: string; readonly address: string; readonly port: number }[] = [];
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

  adopt(dialogId: string, agent: DrachtioUserAgent): void {
    this.#owners.set(dialogId, agent);
  }

  dismiss(dialogId: string): void {
    this.#owners.delete(dialogId);
  }

  forget(contactUser: string): void {
    this.userAgents.delete(contactUser);
  }

  request(
    options: RequestOptions,
    hopUri: string,
    done: (error: Error | null, request?: OutgoingRequest) => void,
  ): void {
    const lines = `Expires: ${options.headers['Expires']}`;
    this.permitted(isEnding(options.method, lines), hopUri, (reason, target) => {
      if (reason !== null) this.tell(() => done(new Error(reason)));
      else if (!this.#isConnected) this.tell(() => done(new Error('the drachtio-server is not connected')));
      else {
        // The server would use another DNS, and might get another address.
        const pinned = target === null || options.stackDialogId !== undefined ? {} : { proxy: uriOf(target) };
        const asked = { ...options, ...pinned };
        if (!this.guard(() => this.#link.request(asked, (error, sent) => this.guard(() => done(error, sent)))))
          this.tell(() => done(new Error('the request could not be made')));
      }
    });
  }

  permitted(isLast: boolean, uri: string, done: (reason: string | null, target: SipTarget | null) => void): void {
    this.#gate.ask(isLast, uri, ({ reason, target }) => {
      if (this.isClosed) return;
      if (reason?.startsWith('the policy')) this.counts.refusedByPolicy++;
      this.guard(() => done(reason, target));
    });
  }

  #received(request: ServerRequest, responder: Responder): void {
    const owner = this.#owners.get(request.stackDialogId);
    if (request.source !== 'network') {
      // What the server itself has sent: a BYE after an ACK that never came.
      if (request.method === 'BYE') owner?.abandoned(request.stackDialogId);
      this.tellAll();
      return;
    }
    // A source that may not be sent to is not answered; the server's own 100 has left.
    if (!this.maySend(false, request.source_address)) return;
    if (owner !== undefined) owner.within(request, responder);
    else this.#outside(request, responder);
    this.tellAll();
  }

  #outside(request: ServerRequest, responder: Responder): void {
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
      } else if (method === 'INVITE') taker.invited(request, responder);
      // As an INVITE would be answered (RFC 3261, 11.2).
      else if (taker.isBusy) answer(486, 'Busy Here');
      else answer(200, 'OK');
    }
  }

  /** Neither a call nor a question whether one would be taken. */
  #answerOther(
    message: SipMessage,
    named: DrachtioUserAgent | undefined,
    request: ServerRequest,
    answer: (status: number, reason: string) => void,
  ): void {
    if (isMailboxNotice(message) && named?.takesFrom(request.source_address)) answer(200, 'OK');
    else answer(405, 'Method Not Allowed');
  }

  #lost(reason: string): void {
    if (!this.#isConnected || this.isClosed) return;
    this.#isConnected = false;
    this.#owners.clear();
    for (const agent of this.userAgents.values()) this.guard(() => agent.onLost(reason));
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
