/**
 * sip.js, as used by this agent: its transactions and dialogs (`UserAgentCore`), with its bugs fixed from outside. The
 * only file that uses the library; it is loaded with the first WebSocket endpoint.
 * Fixed: repeating branches (1e7 values), here unique; its slow grammar, replaced by our parser; URIs and headers that
 * it rewrites; digest, which only had MD5, one challenge, and no content; UPDATE, which it lacked; subscriptions that
 * outlive a BYE; its log.
 */

import * as Core from 'sip.js/lib/core/index.js';
import { AllowedMethods } from 'sip.js/lib/core/user-agent-core/allowed-methods.js';
import { NameAddrHeader } from 'sip.js/lib/grammar/name-addr-header.js';
import { URI } from 'sip.js/lib/grammar/uri.js';
import type { Authorization } from '../../digest/authorization.ts';
import { SUPPORTED_BODY } from '../../message/build.ts';
import { parseNameAddress } from '../../message/name-address.ts';
import { membersOf } from '../../message/scan.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import { parseUri } from '../../message/uri.ts';
import { type Server, type SessionDelegate, sourceOf } from '../stack.ts';

export { Core };

/** A URI that is written as it was read. */
export class WireUri extends URI {
  readonly text: string;

  /** Anything that parseUri accepts; the host `invalid` means none. */
  constructor(text: string) {
    const uri = parseUri(text);
    const read = typeof uri === 'string' ? { user: '', host: 'invalid', port: 0 } : uri;
    // The library refuses every scheme but this one.
    super('sip', read.user, read.host || 'invalid', read.port || undefined);
    this.text = text;
  }

  override clone(): WireUri {
    return this;
  }

  override toRaw(): string {
    return this.text;
  }

  override toString(): string {
    return this.text;
  }
}

export type Incoming = (Core.IncomingRequestMessage | Core.IncomingResponseMessage) & { readonly source: SipMessage };

/** A received message for the library; null if it could not even be answered. */
export function incoming(source: SipMessage): Incoming | null {
  const from = parseNameAddress(source.from);
  const to = parseNameAddress(source.to);
  if (from === null || to === null || source.fault !== null) return null;
  const message = source.isRequest ? new Core.IncomingRequestMessage() : new Core.IncomingResponseMessage();
  message.parseHeader = (name, index = 0) => parsedHeader(message, name.toLowerCase(), index);
  for (const name of HEADERS) for (const value of headersOf(source, name)) message.addHeader(name, value);
  // Of several parts the library would see none.
  const sdp = source.isPlainSdp ? '' : source.sdp;
  if (sdp !== '') message.setHeader('content-type', SUPPORTED_BODY);
  Object.assign(message, {
    source,
    data: source.text,
    method: source.method,
    from: nameAddress(from.uri, source.fromTag),
    to: nameAddress(to.uri, source.toTag),
    fromTag: source.fromTag,
    toTag: source.toTag,
    callId: source.callId,
    cseq: source.cseq,
    viaBranch: source.branch,
    body: sdp || source.body,
    ...(source.isRequest
      ? { ruri: new WireUri(source.requestUri) }
      : { statusCode: statusFor(source), reasonPhrase: source.reason }),
  });
  return message as Incoming;
}

/** The library drops 1xx responses without a dialog, and would wait for timer B: it gets a 100 instead. */
function statusFor({ status, method, toTag, contactEnd }: SipMessage): number {
  const makesNone = method === 'INVITE' && status > 100 && status < 200 && (toTag === '' || contactEnd === 0);
  return makesNone ? 100 : status;
}

/** What the library reads, or writes into responses. */
const HEADERS = ['via', 'from', 'to', 'contact', 'record-route', 'require', 'rseq', 'event', 'content-type'] as const;
const LISTS: ReadonlySet<string> = new Set(['via', 'record-route']);

const headersOf = (source: SipMessage, name: string): readonly string[] =>
  LISTS.has(name) ? source.headerMembers(name) : source.headerLines(name).slice(0, 1);

function parsedHeader(message: Core.IncomingMessage, name: string, index: number): unknown {
  const value = message.getHeaders(name)[index];
  if (value === undefined) return undefined;
  switch (name) {
    case 'contact': {
      const address = parseNameAddress(membersOf(value)[0] ?? '');
      return address === null ? undefined : nameAddress(address.uri, '');
    }
    case 'from':
      return message.from;
    case 'to':
      return message.to;
    case 'event':
      return { event: value.split(';')[0]?.trim() };
    case 'content-type':
      return value.split(';')[0]?.trim().toLowerCase();
    default:
      return undefined;
  }
}

const nameAddress = (uri: string, tag: string): NameAddrHeader =>
  new NameAddrHeader(new WireUri(uri), '', tag === '' ? {} : { tag });

/** Common parts of one user agent's requests. */
export type RequestMaker = {
  /** A branch that no other request has. */
  branch(): string;
  /** `From` without its tag, outside and inside of dialogs; of REGISTER. */
  readonly fromValue: string;
  readonly aorValue: string;
  readonly userAgentName: string;
  /** Option tags, '' if there are none. */
  supportedIn(method: string, isWithin: boolean): string;
  /** Of the registration or call with that Call-ID. */
  authorizationOf(callId: string): Authorization | null;
};

/** A request with credentials, and its own branch. */
export class WireRequest extends Core.OutgoingRequestMessage {
  authorization: Authorization | null = null;
  maker: RequestMaker | null = null;
  /** Of an INVITE that was sent; its ACK carries the same (RFC 3261, 13.2.2.4). */
  credentials = '';
  /** Its answer is no longer needed: a challenge is final. */
  isGivenUp = false;

  override setViaHeader(branch: string, transport?: string): void {
    // The library generates its own for an ACK to a 2xx.
    const own = this.method === 'ACK' && this.maker !== null ? this.maker.branch() : branch;
    super.setViaHeader(own, transport ?? 'WS');
  }

  override toString(): string {
    const body = typeof this.body === 'object' ? this.body : { body: this.body ?? '', contentType: 'application/sdp' };
    const uri = this.ruri.toRaw();
    if (this.method !== 'ACK' && this.method !== 'CANCEL') {
      this.credentials = this.authorization?.headers(this.method, uri, body.body) ?? '';
    }
    let text = `${this.method} ${uri} SIP/2.0\r\n`;
    for (const [name, values] of Object.entries(this.headers)) {
      for (const value of values)
        if (value !== undefined && value !== '') text += `${name}: ${this.ours(name, value)}\r\n`;
    }
    for (const line of this.extraHeaders) text += `${line.trim()}\r\n`;
    text += this.credentials;
    const supported = SUPPORTED_IN.has(this.method)
      ? (this.maker?.supportedIn(this.method, this.toTag !== undefined && this.toTag !== '') ?? '')
      : '';
    if (supported !== '') text += `Supported: ${supported}\r\n`;
    text += `User-Agent: ${this.maker?.userAgentName ?? ''}\r\n`;
    if (body.body !== '') text += `Content-Type: ${body.contentType}\r\n`;
    return `${text}Content-Length: ${body.body.length}\r\n\r\n${body.body}`;
  }

  /** With our display name, which the library drops in dialogs. */
  private ours(name: string, value: string): string {
    if (name !== 'From' || this.maker === null) return value;
    const { aorValue, fromValue } = this.maker;
    const own = this.method === 'REGISTER' ? aorValue : fromValue;
    const isOurs = this.fromURI.toString() === parseNameAddress(own)?.uri;
    return isOurs ? `${own};tag=${this.fromTag}` : value;
  }
}

const SUPPORTED_IN: ReadonlySet<string> = new Set(['INVITE', 'REGISTER', 'OPTIONS', 'REFER', 'UPDATE']);

/** A user agent's share of the library; its requests are WireRequests. */
export function createCore(
  configuration: Omit<
    Core.UserAgentCoreConfiguration,
    'loggerFactory' | 'authenticationFactory' | 'hackViaTcp' | 'sipjsId'
  >,
  delegate: Core.UserAgentCoreDelegate,
  maker: RequestMaker,
): Core.UserAgentCore {
  const core = new Core.UserAgentCore(
    { ...configuration, hackViaTcp: false, sipjsId: '', loggerFactory: SILENT, authenticationFactory: () => undefined },
    delegate,
  );
  core.makeOutgoingRequestMessage = (method, requestUri, fromUri, toUri, options, extraHeaders, body) => {
    const made = new WireRequest(
      method,
      requestUri,
      fromUri,
      toUri,
      {
        forceRport: false,
        viaHost: configuration.viaHost,
        ...options,
        // In one line: of several the library's ACK to a refusal knows only the first.
        routeSet: [(options?.routeSet ?? configuration.routeSet).join(', ')],
      },
      extraHeaders,
      body,
    );
    made.maker = maker;
    made.authorization = maker.authorizationOf(made.callId);
    return made;
  };
  return core;
}

/** The library's log is not used: errors are reported as events, or counted. */
const SILENT = new Core.LoggerFactory();
SILENT.builtinEnabled = false;
SILENT.level = Core.Levels.error;

type Guarded = { challenged: boolean; core: Core.UserAgentCore; message: WireRequest; init(): void };
type Numbered = { localSequenceNumber?: number; incrementLocalSequenceNumber(): void };

/**
 * RFC 3261, 22.2: every challenge of every realm is answered, with any algorithm; false: the request was sent again.
 */
function authenticationGuard(this: Guarded, response: Core.IncomingResponseMessage): boolean {
  const source = sourceOf(response);
  if (source === null || (source.status !== 401 && source.status !== 407)) return true;
  const { message } = this;
  if (!(message instanceof WireRequest) || message.authorization === null || message.isGivenUp) return true;
  const problem = message.authorization.accept(source);
  if (problem !== null) {
    source.reason += ` (${problem})`;
    return true;
  }
  message.cseq++;
  // The dialog's next request counts from here.
  const dialog = this.core.dialogs.get(`${message.callId}${message.fromTag}${message.toTag}`) as Numbered | undefined;
  if (dialog?.localSequenceNumber !== undefined) {
    dialog.incrementLocalSequenceNumber();
    message.cseq = dialog.localSequenceNumber;
  }
  message.setHeader('cseq', `${message.cseq} ${message.method}`);
  this.init();
  return false;
}

function makeId(request: Core.OutgoingRequestMessage): string {
  if (request.method === 'CANCEL') return request.branch ?? '';
  const maker = request instanceof WireRequest ? request.maker : null;
  if (maker === null) throw new Error('a request that was not made here');
  return maker.branch();
}

/** UPDATE (RFC 3311), which the library does not know. */
type Updated = Core.SessionDialog & {
  dialogState: Core.DialogState;
  sequenceGuard(request: Core.IncomingRequestMessage): boolean;
};

function update(this: Core.SessionDialog, heard: Core.OutgoingRequestDelegate, options: Core.RequestOptions): object {
  const message = this.createOutgoingRequestMessage('UPDATE', options);
  return new Core.UserAgentClient(Core.NonInviteClientTransaction, this.userAgentCore, message, heard);
}

const { receiveRequest } = Core.SessionDialog.prototype;

function receiveWithin(this: Updated, request: Core.IncomingRequestMessage): void {
  if (request.method !== 'UPDATE') {
    receiveRequest.call(this, request);
    return;
  }
  if (!this.sequenceGuard(request)) return;
  Core.Dialog.prototype.receiveRequest.call(this, request);
  const server = new Core.UserAgentServer(Core.NonInviteServerTransaction, this.userAgentCore, request);
  const { onUpdate } = (this.delegate ?? {}) as SessionDelegate;
  // Before the answer the dialog has no listener yet.
  if (onUpdate === undefined) {
    server.reject({ statusCode: 500, extraHeaders: [`Retry-After: ${Math.floor(Math.random() * 11)}`] });
    return;
  }
  const contact: NameAddrHeader | undefined = request.parseHeader('contact');
  if (contact !== undefined) this.dialogState.remoteTarget = contact.uri;
  onUpdate(server as Server);
}

const { dispose } = Core.SessionDialog.prototype;

/** With the BYE, which ends only one usage of the dialog (RFC 5057, 4.1). */
function disposeSession(this: Core.SessionDialog): void {
  dispose.call(this);
  if ((this.delegate as SessionDelegate | undefined)?.isUsed?.()) this.userAgentCore.dialogs.set(this.id, this);
}

function forget(this: Core.SessionDialog): void {
  this.userAgentCore.dialogs.delete(this.id);
}

const { accept } = Core.InviteUserAgentServer.prototype;

/** Without a body: the library would repeat the description of a reliable response (RFC 3262, 5). */
function acceptOnce(this: { earlyDialog?: { _answer: unknown } }, options: Core.ResponseOptions): object {
  if (options.body === undefined && this.earlyDialog !== undefined) this.earlyDialog._answer = undefined;
  return accept.call(this as unknown as Core.InviteUserAgentServer, options);
}

AllowedMethods.push('UPDATE');
Object.assign(Core.SessionDialog.prototype, { update, receiveRequest: receiveWithin, dispose: disposeSession, forget });
Object.assign(Core.InviteUserAgentServer.prototype, { accept: acceptOnce });
Object.assign(Core.ClientTransaction, { makeId });
Object.assign(Core.UserAgentClient.prototype, { authenticationGuard });
