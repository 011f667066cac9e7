/**
 * The port every SIP engine stands behind, in the words of RFC 3261: user agents, registrations, calls (INVITE dialogs). An engine owns
 * messages, transactions and dialogs; its user decides what to call, when, and with which SDP. All instants are milliseconds on the
 * agent's clock (agent/clock.ts); those of received messages are kernel receive times where the I/O adapter has them.
 */

import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Secret } from '@carillon/proto/secret.ts';
import type { SipTransport } from '@carillon/proto/word-lists.ts';
import type { TlsSettings } from '../net/text/stream-port.ts';
import type { Explanation } from './message/explanation.ts';
import type { OwnHeader } from './message/own-headers.ts';
import type { RegisterRetry } from './register-retry.ts';
import type { ConnectionOpened, SipEngineCounters, Traffic, TrafficObserver } from './traffic.ts';

export type {
  ConnectionOpened,
  Explanation,
  OwnHeader,
  RegisterRetry,
  SipEngineCounters,
  SipTransport,
  Traffic,
  TrafficObserver,
};

export type SipAddress = { readonly address: string; readonly port: number };

/**
 * A place to send to: what RFC 3263 makes of a URI. `serverName`: the domain that was asked for, of the TLS handshake (SNI) and of the
 * check of the certificate (RFC 5922, 4); absent: the address.
 */
export type SipTarget = {
  readonly transport: SipTransport;
  readonly address: string;
  readonly port: number;
  readonly serverName?: string;
  /** Of a connection: our own port. */
  readonly localPort?: number;
};

/**
 * How a user agent speaks TLS; everything in PEM. SYSTEM: servers must show a certificate of an authority that the host trusts, CUSTOM:
 * of one in `ca`, and for the right domain (RFC 5922). SKIP: anything goes. `certificate` and `key`: ours, for servers that ask.
 */
export type { TlsSettings };

/** Finds the servers of URIs whose hosts are names (RFC 3263). */
export interface SipLocator {
  /**
   * Targets of a URI in the order to try them; a sentence if there are none. Calls back at once where it knows, else in a later
   * turn: the engine's owner pumps it. `spoken`: by the asker, most wanted first; null or absent: what the engine speaks.
   */
  locate(
    uri: string,
    done: (targets: readonly SipTarget[] | string) => void,
    spoken?: readonly SipTransport[] | null,
  ): void;
}

/** `ha1`: in the place of the password, in hexadecimal digits of the hash that it is of (RFC 7616, 3.4.2). */
export type Credentials = { readonly username: string; readonly password: Secret; readonly ha1?: Secret | null };

/** Why a registration or a call did not succeed. */
export type SipFailure = {
  /**
   * STATUS: a final response of 300 and above, the peer's or, as callee, our own. TIMEOUT: timer B or F; no decision within 200 s of
   * ringing; as callee, no ACK. TRANSPORT: could not be sent (RFC 3261, 8.1.3.1), or the engine was closed. PROTOCOL: the peer broke the
   * protocol. CANCELLED: the caller gave up, we (487 after our CANCEL, or a 2xx that crossed it) or the peer. POLICY: the host's policy
   * forbids the target, or every target that a 3xx named; NUMBER: the number in it. DNS: no server was found; the reason names every query.
   */
  readonly kind: 'STATUS' | 'TIMEOUT' | 'TRANSPORT' | 'PROTOCOL' | 'CANCELLED' | 'POLICY' | 'NUMBER' | 'DNS';
  /** The final response's status, null where there was none. */
  readonly status: number | null;
  /** The reason phrase, or a sentence of ours. */
  readonly reason: string;
  readonly atMs: number;
  /** Of a 503: for how long the peer wants no calls (RFC 3261, 21.5.4); absent: not given. */
  readonly retryAfterSeconds?: number;
  /** What the final response, or the peer's CANCEL, says beyond its status; null or absent: nothing. */
  readonly explanation?: Explanation | null;
};

/** What is known of the end of an answered call beyond its instant. */
export type Farewell = {
  /** Final response to our BYE; 0: there was none, or the BYE was the peer's. */
  readonly byeStatus: number;
  /** Why our BYE was not answered; '' it was, or it was the peer's. */
  readonly unanswered: string;
  /** What the peer's BYE says of its reason; null: nothing. */
  readonly explanation: Explanation | null;
};

/** What RFC 3263 has to do with a request: told of names and of several targets, never of a single numeric one. */
export interface LocatingEvents {
  /** The servers of a name were found, so many milliseconds after they were wanted. */
  onLocated?(tookMs: number): void;
  /** A server failed (503, timeout, transport), and the same request goes to the next (RFC 3263, 4.3). The attempt goes on. */
  onFailover?(method: string, from: SipTarget, to: SipTarget, reason: string, atMs: number): void;
}

export interface RegistrationEvents extends LocatingEvents {
  /** The first byte of the first REGISTER was written, and of each later attempt at it (`RegisterRetry`). */
  onRegisterSent(atMs: number): void;
  /** The first success. */
  onRegistered(atMs: number, expiresSeconds: number): void;
  /** A refresh was granted. */
  onRefreshed?(atMs: number, expiresSeconds: number): void;
  /** A refresh failed in a way that may pass (no answer, 408, 480, 5xx); it is tried again while the binding lasts. */
  onRefreshFailed?(failure: SipFailure): void;
  /**
   * The registration failed, at first or at a refresh, and is over: `register` may be called again. A binding that lasts on may
   * still be removed by `unregister`.
   */
  onRegistrationFailed(failure: SipFailure): void;
  /** The binding is gone, or the registrar did not answer the request to remove it. */
  onUnregistered(atMs: number): void;
}

/** What becomes of one OPTIONS; exactly one of onPingAnswered and onPingFailed comes last. */
export interface PingEvents extends LocatingEvents {
  /** The first byte of the first OPTIONS was written. */
  onPingSent(atMs: number): void;
  /** The final response, whatever it is; a 401 or 407 only where our credentials are of no use. */
  onPingAnswered(status: number, reason: string, atMs: number): void;
  /** There was none: timer F, or it could not be sent. */
  onPingFailed(failure: SipFailure): void;
}

/** Who began a change of the session: OWNER by `changeSession`, TIMER by our refresh of it (RFC 4028). */
export type SessionAsker = 'OWNER' | 'TIMER' | 'PEER';

/** Every call ends with exactly one of onFailed and onEnded. */
export interface CallEvents extends LocatingEvents {
  /** Caller: the first byte of the first INVITE was written. */
  onInviteSent(atMs: number): void;
  /** Caller: a 1xx arrived; each one that is not a retransmission, 100 included. */
  onProvisional(status: number, reason: string, atMs: number, body: string): void;
  /** Caller: the first 2xx arrived and its ACK is on its way. Callee: our 2xx was acknowledged. `body` is the peer's SDP, '' if none. */
  onAnswered(atMs: number, status: number, reason: string, body: string): void;
  /** The call was never answered. */
  onFailed(failure: SipFailure): void;
  /**
   * An answered call is over: by whom BYE was sent, when it was written or received, and when that was answered; NaN where our
   * BYE was not.
   */
  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, farewell?: Farewell): void;
  /**
   * The peer wants to change the session (re-INVITE or UPDATE: hold, resume, another address). `local` is our description as it
   * knows it. Returns our answer to its offer, or our own offer where it asks for one (`offer` is ''); a fault: 488, and the
   * session goes on as it was. Without this, the engine agrees to whatever the present session can do.
   */
  onSessionOffer?(local: string, offer: string): string | SdpFault;
  /**
   * Caller: the INVITE had no offer, the peer's came in its 2xx or reliable 1xx (RFC 3261, 13.2.1; RFC 3262, 5). Returns our answer,
   * which goes with the ACK or PRACK; a fault: the call is ended. Asked once for each fork that offers something.
   */
  onDelayedOffer?(offer: string): string | SdpFault;
  /**
   * There may be media before the answer: as caller, the peer's 1xx brought a description; as callee, it has acknowledged ours.
   * Reliable (RFC 3262): the two hold, and a 2xx of the same peer brings none (`onAnswered` has an empty body). Not reliable: a
   * preview of the 2xx's, which decides. Where the call forks, the last told is the one to follow.
   */
  onEarlyMedia?(local: string, remote: string, reliable: boolean, atMs: number): void;
  /** The session was changed: `local` and `remote` hold from now on, `offeredBy` whose the offer of the two is. */
  onSessionChanged?(
    local: string,
    remote: string,
    offeredBy: 'LOCAL' | 'REMOTE',
    atMs: number,
    askedBy: SessionAsker,
  ): void;
  /**
   * Our `changeSession` was not taken: the session goes on, or, after 408, 481 or silence, is being hung up. `status` is the response's, 408
   * where none came, or of our side where nothing was sent (491: a change of ours is under way; 405: the peer's Allow has no UPDATE; 481: no dialog).
   */
  onSessionRefused?(status: number, reason: string, atMs: number): void;
  /** The session's time was begun again (RFC 4028), by our request or the peer's. `alone`: no onSessionChanged goes with it. */
  onSessionRefreshed?(by: 'LOCAL' | 'REMOTE', atMs: number, alone: boolean): void;
  /** The session's time was up without a refresh, or our refresh found nobody (408, 481, silence): our BYE follows, and onEnded. */
  onSessionExpired?(atMs: number): void;
  /** Our INFO was answered; 408 where nothing came, and the call is being hung up. One for each `sendInfo`, in order. */
  onInfoAnswered?(status: number, atMs: number): void;
  /** The peer sent INFO, and got 200: `application/dtmf-relay`, `application/dtmf` or another type in lower case without parameters. */
  onInfo?(contentType: string, body: string, atMs: number): void;
  /**
   * What becomes of our `refer`: its refusal (final), or how the peer's own call goes on (RFC 3515, 2.4.5): the status lines of its
   * NOTIFYs. `final`: nothing more will be told. Status 0: it is over, and how it went was not told.
   */
  onReferProgress?(status: number, reason: string, final: boolean, atMs: number): void;
  /**
   * The peer refers us to another target. True: 202, and the engine's owner calls it and says how that goes by `notifyRefer`. False, or
   * without this: 603. The URI is checked; it may carry `?Replaces=…`, which `UserAgent.invite` makes a header line of the INVITE.
   */
  onRefer?(targetUri: string, atMs: number): boolean;
}

export interface Call {
  readonly callId: string;
  readonly direction: 'OUTGOING' | 'INCOMING';
  /** Value of Replaces (RFC 3891, 3) in an INVITE that takes this call's place at its far end. '': not known (no dialog; a library's callee). */
  readonly replacesValue: string;
  /** Ends the call as its state demands: CANCEL (once a 1xx allows it), BYE, or a 487 or 603 as callee. A second time: nothing. */
  hangUp(): void;
  /**
   * Offers another session in the dialog: hold, resume, another address; or the same, word for word. By UPDATE, an offer of '' changes
   * nothing and lets the peer answer. onSessionChanged or onSessionRefused follows, never within this call; of an UPDATE without an
   * offer that succeeds, nothing.
   */
  changeSession(offer: string, method: 'INVITE' | 'UPDATE'): void;
  /** Sends INFO; one is answered before the next is sent. `body` is wire text. onInfoAnswered follows. */
  sendInfo(contentType: string, body: string): void;
  /** Refers the peer to a SIP URI (RFC 3515), which may carry `?Replaces=…`. onReferProgress follows; one at a time. */
  refer(targetUri: string): void;
  /** Tells the peer how the call goes that its REFER asked for; a status of 200 and above ends it. */
  notifyRefer(status: number, reason: string): void;
}

/** An INVITE that a user agent received. The engine sends 100 Trying after a handler that neither rings nor answers. */
export interface IncomingCall extends Call {
  readonly fromUri: string;
  readonly requestUri: string;
  readonly receivedAtMs: number;
  /** Value of CORRELATION_HEADER, '' where the INVITE has none. What a stranger says is no proof of anything. */
  readonly correlation: string;
  /**
   * A call of the same user agent that this one is to take the place of (RFC 3891); what may not be replaced was refused already.
   * Our 2xx hangs it up. Null or absent: none.
   */
  readonly replaces?: Call | null;
  /** The offer, '' for a delayed offer. */
  readonly body: string;
  /** Sends 180 Ringing. */
  ring(): void;
  /**
   * Sends 180 Ringing or 183 Session Progress with our SDP, '' for none; reliably where both sides can (RFC 3262), one after
   * the other. What is described here `answer` need not describe again: its own is left out if the peer has acknowledged this.
   */
  progress(status: 180 | 183, body: string): void;
  /** Sends 200 OK with our SDP; retransmitted until the ACK (RFC 3261, 13.3.1.4). */
  answer(body: string): void;
  /** Sends a final response of 300 and above; `fault`: what was wrong with the offer, in a Warning (RFC 3261, 20.43). */
  reject(status: number, reason: string, fault?: SdpFault | null): void;
  /** Sends a 3xx that names other targets, most wanted first (RFC 3261, 21.3). */
  redirect(status: 300 | 301 | 302 | 305, contacts: readonly string[]): void;
}

/** Decides what becomes of an incoming call; the returned events receive what follows. Null: the engine answers 480. */
export type IncomingCallHandler = (call: IncomingCall) => CallEvents | null;

/** What of SIP beyond the simple call a user agent speaks; all off unless asked for. */
export type SignallingOptions = {
  /** 100rel (RFC 3262), as caller and as callee. REQUIRED: a peer without it is not called, and gets 421. */
  readonly reliableProvisional: 'NONE' | 'SUPPORTED' | 'REQUIRED';
  /** RFC 4028; null: off. `refresher` null: the peer's choice. */
  readonly sessionTimer: {
    readonly expiresSeconds: number;
    readonly minSeconds: number;
    readonly refresher: 'UAC' | 'UAS' | null;
  } | null;
  /** Callers call without an offer: `invite` with ''. */
  readonly delayedOffer: boolean;
  /** Targets named by 3xx that one call may try (RFC 3261, 8.1.3.4); 0: a 3xx ends the attempt. */
  readonly maxRedirects: number;
};

/** Tells the callee's end of a call which call it is of. Proxies pass it on (RFC 3261, 16.6); B2BUAs may not. */
export const CORRELATION_HEADER = 'X-Carillon-Call';

export const PLAIN_SIGNALLING: SignallingOptions = {
  reliableProvisional: 'NONE',
  sessionTimer: null,
  delayedOffer: false,
  maxRedirects: 0,
};

export type UserAgentOptions = {
  /** Address of record: `sip:1001@pbx.example`. From and To of REGISTER, and From of all else. */
  readonly aor: string;
  /** Of From in what is no REGISTER, where that is not the address of record. */
  readonly from?: string | null;
  readonly displayName?: string;
  /** User part of our Contact: incoming requests find the user agent by it. Unique among the engine's user agents. */
  readonly contactUser: string;
  readonly credentials: Credentials | null;
  /** Null or absent: a first REGISTER that fails is not sent again, refreshes are after RFC 5626's times (4.5). */
  readonly registerRetry?: RegisterRetry | null;
  /** Request-URI of REGISTER (`sip:pbx.example`); null where there is nothing to register with. */
  readonly registrarUri: string | null;
  /**
   * Where requests outside dialogs go (outbound proxy or registrar, resolved), in the order of RFC 3263; null: to the numeric
   * host of their Request-URI. Not empty.
   */
  readonly nextHop: readonly SipTarget[] | null;
  /**
   * URI of the next hop, where that is a name or may change: an outbound proxy, a registrar. Its servers are looked up again for
   * each request outside dialogs (RFC 3263), `;transport=` pins their transport. `nextHop` goes before it.
   */
  readonly nextHopUri?: string | null;
  /** Of WebSockets: the path of the server's resource, beginning with '/' (RFC 6455, 3). Absent or '': '/'. */
  readonly webSocketPath?: string;
  /** Preloaded route set of requests outside dialogs: `<sip:proxy.example;lr>`; usually empty. */
  readonly routeSet: readonly string[];
  /** Null or absent: `verify` SYSTEM, without a certificate of our own. */
  readonly tls?: TlsSettings | null;
  /** Connections are shared: told to whose message opened one. */
  readonly onConnectionOpened?: (opened: ConnectionOpened) => void;
  /** The policy kept a message from being sent there; what failed by it is told beside. `status` 0: a request. */
  readonly onForbidden?: (method: string, status: number, address: string) => void;
  readonly traffic: TrafficObserver;
  readonly onIncomingCall: IncomingCallHandler;
  /** May a call for it come from this address? One that is to replace a call of its may in any case. Absent: from any. */
  readonly takesFrom?: (address: string) => boolean;
  readonly isBusy?: () => boolean; // would a call be refused as busy? So is OPTIONS (RFC 3261, 11.2)
  /** `urn:uuid:…`, the same over restarts: REGISTER offers an outbound flow under it (RFC 5626, 4.1 and 4.2). Default: it does not. */
  readonly instanceId?: string;
  /** Default: PLAIN_SIGNALLING. */
  readonly signalling?: SignallingOptions;
  /** Header fields of its own; absent: none. Names are those of fields that no engine writes. */
  readonly headers?: readonly OwnHeader[];
  /** Value of CORRELATION_HEADER in INVITEs that make a call; absent: they have none. */
  readonly correlation?: string;
  /**
   * Its calls go over the registration of this user agent: by the same transport and service route (RFC 3608), and with the nonces that its
   * other calls were challenged with (RFC 7616, 3.4). Of the core only.
   */
  readonly over?: UserAgent;
  /** Whose is a call that comes for this user agent? Null or absent: its own. Of the core only. */
  readonly taker?: () => UserAgent | null;
};

export interface UserAgent {
  readonly contactUri: string;
  /** Registers and keeps the binding fresh until `unregister` or `close`. Throws while a registration is alive. */
  register(expiresSeconds: number, events: RegistrationEvents): void;
  /** Removes the binding; onUnregistered follows in any case. */
  unregister(): void;
  /** Places a call; what of headers the URI may ask for: message/uri-headers.ts. The INVITE is on the wire at the next flush. */
  invite(targetUri: string, offer: string, events: CallEvents): Call;
  /** OPTIONS, outside any dialog (RFC 3261, 11.1): the way of a call, without one. */
  ping(targetUri: string, events: PingEvents): void;
  /** Forgets the user agent: its calls are hung up, nothing more is told. A binding stays until it expires: `unregister` first. */
  close(): void;
}

export type SipEngineOptions = {
  /** Numeric address to listen on; also the address in Via and Contact. */
  readonly address: string;
  /** 0: any free port. */
  readonly port: number;
  readonly adapter: 'auto' | 'ffi' | 'dgram';
  readonly userAgentName: string;
  /** Of the TLS listener (0: any free port); without a certificate one is made that nobody has signed. PEM. */
  readonly tls?: { readonly port: number; readonly certificate?: string; readonly key?: Secret };
  /** The host's policy, asked for every address before anything is sent to it. */
  readonly mayReach: (address: string) => boolean;
  /** May a URI that a peer named (a 3xx) be called, and the number in it, whatever the rest? Default: all. */
  readonly mayCall?: (uri: string) => boolean;
  readonly mayDial?: (uri: string) => boolean;
  /** May what ends a call or a registration go to an address, or be looked up by a name, that is forbidden by now? Default: no. */
  readonly mayLeave?: (host: string, atMs: number) => boolean;
  /** May this name be looked up, wherever it stands: Request-URI, Route, Contact, redirect? Default: all. */
  readonly mayName?: (host: string) => boolean;
  /** Finds the servers of names; absent: nothing but numeric hosts can be sent to. */
  readonly locator?: SipLocator;
  /** An INVITE whose Request-URI names no user agent (a trunk's number): who takes it? Null: 404. */
  readonly onUnclaimedCall: (requestUri: string, from: SipAddress) => UserAgent | null;
  /** A stranger's INVITE: nobody takes it (404), or not from there (403). It is answered without a transaction (RFC 3261, 8.2.7). */
  readonly onStranger?: (requestUri: string, from: SipAddress) => void;
  /** For the log; the engine has gone on. */
  readonly onInternalError?: (error: unknown) => void;
};

export interface SipEngine {
  readonly name: 'core' | 'sip.js' | 'drachtio';
  readonly local: SipAddress;
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Why batched I/O is not in use although 'auto' asked for it; null otherwise. For greeting, log and metrics. */
  readonly fallbackReason: string | null;
  readonly counters: Readonly<SipEngineCounters>;
  /** Datagrams that the kernel dropped because our receive queue was full. */
  readonly receiveDrops: number;
  /** Listens for TLS, once; UDP and TCP are listened on from the start, at one port. Rejects if the port is not available. */
  listenTls(): Promise<SipAddress>;
  /** Throws if an option cannot be used: a URI that is none, a contact user that is taken. */
  createUserAgent(options: UserAgentOptions): UserAgent;
  /** One turn: receive, run timers, send; how many datagrams came. The owner calls it every few milliseconds (turns.ts), `atMs` is now. */
  turn(atMs: number): number;
  /** True while transactions, dialogs or registrations are alive: the owner may turn rarely when it is false. */
  readonly busy: boolean;
  /** What it waits for comes only by the event loop: turns.ts. */
  readonly needsLoop: boolean;
  /** Closes the socket. What is open is told that it is over: every call, every registration. */
  close(): void;
}
