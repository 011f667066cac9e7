/**
 * The interface of SIP engines, in the terms of RFC 3261: user agents, registrations, calls (INVITE dialogs). An engine owns messages, transactions
 * and dialogs; its user decides what to call, when, and with which SDP. All instants are milliseconds on the agent's clock (agent/clock.ts); those of
 * received messages are kernel receive times if the I/O adapter has them.
 */

import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Secret } from '@carillon/proto/secret.ts';
import type { SipTransport } from '@carillon/proto/word-lists.ts';
import type { TlsSettings } from '../net/text/stream-port.ts';
import type { Explanation } from './message/explanation.ts';
import type { OwnHeader } from './message/own-headers.ts';
import type { Announced, SipAddress, SipTarget } from './places.ts';
import type { RegisterRetry } from './register-retry.ts';
import type { ConnectionOpened, SipEngineCounters, Traffic, TrafficObserver } from './traffic.ts';

/**
 * TLS settings of a user agent, in PEM. SYSTEM: servers need a certificate of an authority trusted by the host, CUSTOM: of one in `ca`, and for the
 * right domain (RFC 5922). SKIP: no verification. `certificate` and `key`: ours, for servers that ask.
 */
export type {
  Announced,
  ConnectionOpened,
  Explanation,
  OwnHeader,
  RegisterRetry,
  SipAddress,
  SipEngineCounters,
  SipTarget,
  SipTransport,
  TlsSettings,
  Traffic,
  TrafficObserver,
};

/** Finds the servers of URIs whose hosts are names (RFC 3263). */
export interface SipLocator {
  /**
   * Targets of a URI in the order of attempts; a sentence if there are none. Calls back immediately if they are known, otherwise in a later turn,
   * driven by the engine's owner. `spoken`: transports in order of preference; null or absent: those of the engine.
   */
  locate(
    uri: string,
    done: (targets: readonly SipTarget[] | string) => void,
    spoken?: readonly SipTransport[] | null,
  ): void;
}

/** `ha1`: instead of the password, as hexadecimal digits of its hash (RFC 7616, 3.4.2). */
export type Credentials = { readonly username: string; readonly password: Secret; readonly ha1?: Secret | null };

/** Why a registration or a call did not succeed. */
export type SipFailure = {
  /**
   * STATUS: a final response of 300 and above, the peer's or, as callee, our own. TIMEOUT: timer B or F; no decision within 200 s of ringing; as
   * callee, no ACK. TRANSPORT: could not be sent (RFC 3261, 8.1.3.1), or the engine was closed. PROTOCOL: the peer violated the protocol. CANCELLED:
   * the caller gave up: we (487 after our CANCEL, or a 2xx that crossed it) or the peer. POLICY: the host's policy forbids the target, or every
   * target of a 3xx; NUMBER: the number in it. DNS: no server was found; the reason names every query.
   */
  readonly kind: 'STATUS' | 'TIMEOUT' | 'TRANSPORT' | 'PROTOCOL' | 'CANCELLED' | 'POLICY' | 'NUMBER' | 'DNS';
  /** The final response's status, null if there was none. */
  readonly status: number | null;
  /** The reason phrase, or our own sentence. */
  readonly reason: string;
  readonly atMs: number;
  /** The time for which a 503 asks for no calls (RFC 3261, 21.5.4); absent: not given. */
  readonly retryAfterSeconds?: number;
  /** Explanations in the final response, or in the peer's CANCEL; null or absent: none. */
  readonly explanation?: Explanation | null;
};

/** Details of the end of an answered call. */
export type ByeDetails = {
  /** Final response to our BYE; 0: there was none, or the BYE was the peer's. */
  readonly byeStatus: number;
  /** Why our BYE was not answered; '' it was, or it was the peer's. */
  readonly unanswered: string;
  /** The reason in the peer's BYE; null: none. */
  readonly explanation: Explanation | null;
};

/** RFC 3263 events of a request: for names and for several targets, never for a single numeric one. */
export interface LocatingEvents {
  /** The servers of a name were found, this many milliseconds after the request. */
  onLocated?(tookMs: number): void;
  /** A server failed (503, timeout, transport), and the same request goes to the next (RFC 3263, 4.3). The attempt continues. */
  onFailover?(method: string, from: SipTarget, to: SipTarget, reason: string, atMs: number): void;
  /** The request waited so long for a connection, whether that opened or not. */
  onConnectionWait?(waitedMs: number): void;
  /** A request that is too large for UDP (RFC 3261, 18.1.1) was sent by UDP: the peer does not take TCP. */
  onSentByUdp?(method: string, reason: string, atMs: number): void;
}

export interface RegistrationEvents extends LocatingEvents {
  /** The first byte of the first REGISTER was written, and of each retry (`RegisterRetry`). */
  onRegisterSent(atMs: number): void;
  /** The first success. */
  onRegistered(atMs: number, expiresSeconds: number): void;
  /** A refresh was granted. */
  onRefreshed?(atMs: number, expiresSeconds: number): void;
  /** A refresh failed in a way that may pass (no answer, 408, 480, 5xx); it is tried again while the binding lasts. */
  onRefreshFailed?(failure: SipFailure): void;
  /**
   * The registration failed, initially or at a refresh, and is over: `register` may be called again. A binding that lasts on may
   * still be removed by `unregister`.
   */
  onRegistrationFailed(failure: SipFailure): void;
  /** The binding is gone, or the registrar did not answer the request to remove it. */
  onUnregistered(atMs: number): void;
}

/** Events of one OPTIONS; the last is either onPingAnswered or onPingFailed. */
export interface PingEvents extends LocatingEvents {
  /** The first byte of the first OPTIONS was written. */
  onPingSent(atMs: number): void;
  /** Any final response; a 401 or 407 only if our credentials do not help. */
  onPingAnswered(status: number, reason: string, atMs: number): void;
  /** There was none: timer F, or it could not be sent. */
  onPingFailed(failure: SipFailure): void;
}

/** Initiator of a session change: OWNER by `changeSession`, TIMER by our refresh (RFC 4028). */
export type SessionAsker = 'OWNER' | 'TIMER' | 'PEER';

/** Every call ends with exactly one of onFailed and onEnded. Only reports of our REFER may follow that (RFC 5057, 4.1). */
export interface CallEvents extends LocatingEvents {
  /** Caller: the first byte of the first INVITE was written. */
  onInviteSent(atMs: number): void;
  /** Caller: a 1xx arrived, including 100, but not retransmissions. */
  onProvisional(status: number, reason: string, atMs: number, body: string): void;
  /** Caller: the first 2xx arrived and its ACK was sent. Callee: our 2xx was acknowledged. `body` is the peer's SDP, '' if none. */
  onAnswered(atMs: number, status: number, reason: string, body: string): void;
  /** The call was never answered. */
  onFailed(failure: SipFailure): void;
  /** An answered call has ended: the sender of BYE, when it was written or received, and when it was answered; NaN if our BYE was not. */
  onEnded(by: 'LOCAL' | 'REMOTE', byeAtMs: number, endedAtMs: number, bye?: ByeDetails): void;
  /**
   * The peer wants to change the session (re-INVITE or UPDATE: hold, resume, another address). `local` is our description as sent to the peer.
   * Returns our answer to its offer, or our own offer if it asks for one (`offer` is ''); a fault: 488, and the session is unchanged. Without this
   * handler, the engine agrees to anything that the current session supports.
   */
  onSessionOffer?(local: string, offer: string): string | SdpFault;
  /**
   * Caller: the INVITE had no offer, the peer's came in its 2xx or reliable 1xx (RFC 3261, 13.2.1; RFC 3262, 5). Returns our answer, sent with the
   * ACK or PRACK; a fault: the call is ended. Called once per fork with an offer.
   */
  onDelayedOffer?(offer: string): string | SdpFault;
  /**
   * Early media are possible: as caller, the peer's 1xx had a description; as callee, it has acknowledged ours. Reliable (RFC 3262): the two are
   * final, and a 2xx of the same peer has none (`onAnswered` has an empty body). Not reliable: a preview of the 2xx's, which decides. If the call
   * forks, follow the last one reported.
   */
  onEarlyMedia?(local: string, remote: string, reliable: boolean, atMs: number): void;
  /** The session was changed: `local` and `remote` are valid from now on, `offeredBy` is the side of the offer. */
  onSessionChanged?(
    local: string,
    remote: string,
    offeredBy: 'LOCAL' | 'REMOTE',
    atMs: number,
    askedBy: SessionAsker,
  ): void;
  /**
   * Our `changeSession` was refused: the session continues or, after 408, 481 or silence, is being ended. `status` is the response's, 408 if none
   * came, or our own if nothing was sent (491: our change is pending; 405: the peer's Allow lacks UPDATE; 481: no dialog).
   */
  onSessionRefused?(status: number, reason: string, atMs: number): void;
  /** The ACK to our 2xx has no answer to the offer in it, which the peer's re-INVITE asked for: the session stays. */
  onOfferUnanswered?(atMs: number): void;
  /** The session interval was restarted (RFC 4028), by our request or the peer's. `alone`: no onSessionChanged follows. */
  onSessionRefreshed?(by: 'LOCAL' | 'REMOTE', atMs: number, alone: boolean): void;
  /** The session interval ended without a refresh, or our refresh failed (408, 481, silence): our BYE follows, and onEnded. */
  onSessionExpired?(atMs: number): void;
  /** Our INFO was answered; 408 without a response, and the call is being ended. Once per `sendInfo`, in order. */
  onInfoAnswered?(status: number, atMs: number): void;
  /** The peer sent INFO, and got 200: `application/dtmf-relay`, `application/dtmf` or another type in lower case without parameters. */
  onInfo?(contentType: string, body: string, atMs: number): void;
  /**
   * Results of our `refer`: its refusal (final), or the progress of the peer's own call (RFC 3515, 2.4.5): the status lines of its NOTIFYs. `final`:
   * the last report; it may come after the call's end. Status 0: it ended without a reported result.
   */
  onReferProgress?(status: number, reason: string, final: boolean, atMs: number): void;
  /**
   * The peer refers us to another target. True: 202, and the engine's owner calls it and reports by `notifyRefer`. False, or without this handler:
   * 603. The URI is checked; it may have `?Replaces=…`, which `UserAgent.invite` turns into a header line of the INVITE.
   */
  onRefer?(targetUri: string, atMs: number): boolean;
}

export interface Call {
  readonly callId: string;
  readonly direction: 'OUTGOING' | 'INCOMING';
  /** Value of Replaces (RFC 3891, 3) in an INVITE that takes this call's place at its far end. '': not known (no dialog; a library's callee). */
  readonly replacesValue: string;
  /** Ends the call according to its state: CANCEL (once a 1xx allows it), BYE, or a 487 or 603 as callee. No effect the second time. */
  hangUp(): void;
  /**
   * Offers a changed session in the dialog: hold, resume, another address; or an unchanged one. An UPDATE with an offer of '' changes nothing and
   * makes the peer respond. onSessionChanged or onSessionRefused follows, never within this call; nothing follows a successful UPDATE without an
   * offer.
   */
  changeSession(offer: string, method: 'INVITE' | 'UPDATE'): void;
  /** Sends INFO; one is answered before the next is sent. `body` is wire text. onInfoAnswered follows. */
  sendInfo(contentType: string, body: string): void;
  /** Refers the peer to a SIP URI (RFC 3515), which may carry `?Replaces=…`. onReferProgress follows; one at a time. */
  refer(targetUri: string): void;
  /** Notifies the peer of the progress of the call requested by its REFER, also after the end; a status of 200 and above is the last. */
  notifyRefer(status: number, reason: string): void;
}

/** An INVITE that a user agent received. The engine sends 100 Trying after a handler that neither rings nor answers. */
export interface IncomingCall extends Call {
  readonly fromUri: string;
  readonly requestUri: string;
  readonly receivedAtMs: number;
  /** Value of CORRELATION_HEADER, '' if the INVITE has none. It is not authenticated. */
  readonly correlation: string;
  /** A call of the same user agent that this one replaces (RFC 3891); invalid ones were refused already. Our 2xx ends it. Null or absent: none. */
  readonly replaces?: Call | null;
  /** The offer, '' for a delayed offer. */
  readonly body: string;
  /** Sends 180 Ringing. */
  ring(): void;
  /**
   * Sends 180 Ringing or 183 Session Progress with our SDP, '' for none; reliably if both sides support it (RFC 3262), in order. `answer` need not
   * repeat this description: it is left out if the peer has acknowledged it.
   */
  progress(status: 180 | 183, body: string): void;
  /** Sends 200 OK with our SDP; retransmitted until the ACK (RFC 3261, 13.3.1.4). */
  answer(body: string): void;
  /** Sends a final response of 300 and above; `fault`: the fault of the offer, for a Warning (RFC 3261, 20.43). */
  reject(status: number, reason: string, fault?: SdpFault | null): void;
  /** Sends a 3xx that names other targets, most wanted first (RFC 3261, 21.3). */
  redirect(status: 300 | 301 | 302 | 305, contacts: readonly string[]): void;
}

/** Decides about an incoming call; the returned listener receives its events. Null: the engine answers 480. */
export type IncomingCallHandler = (call: IncomingCall) => CallEvents | null;

/** Optional SIP features of a user agent; all off by default. */
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

/** Tells the callee the name of the call. Proxies pass it on (RFC 3261, 16.6); B2BUAs may not. */
export const CORRELATION_HEADER = 'X-Carillon-Call';

export const PLAIN_SIGNALLING: SignallingOptions = {
  reliableProvisional: 'NONE',
  sessionTimer: null,
  delayedOffer: false,
  maxRedirects: 0,
};

/** What a user agent asks its owner and reports to it: of the user agent itself, not of a call or a registration. */
export interface UserAgentOwner {
  readonly onIncomingCall: IncomingCallHandler;
  /** Would a call be refused as busy? So is OPTIONS (RFC 3261, 11.2). */
  isBusy?(): boolean;
  /** The user agent that takes a call for this one; null or absent: this one. Only the core uses it. */
  taker?(): UserAgent | null;
  /** Connections are shared: reported to the owner of the message that opened one. */
  onConnectionOpened?(opened: ConnectionOpened): void;
  /** The policy prevented a message; the resulting failure is reported separately. `status` 0: a request. */
  onForbidden?(method: string, status: number, address: string): void;
}

export type UserAgentOptions = {
  /** Address of record: `sip:1001@pbx.example`. From and To of REGISTER, and From of other requests. */
  readonly aor: string;
  /** From of requests other than REGISTER, if it differs from the address of record. */
  readonly from?: string | null;
  readonly displayName?: string;
  /** User part of our Contact, which routes incoming requests to the user agent. Unique among the engine's user agents. */
  readonly contactUser: string;
  readonly credentials: Credentials | null;
  /** Null or absent: a first REGISTER that fails is not sent again, refreshes are after RFC 5626's times (4.5). */
  readonly registerRetry?: RegisterRetry | null;
  /** Request-URI of REGISTER (`sip:pbx.example`); null without a registrar. */
  readonly registrarUri: string | null;
  /**
   * Where requests outside dialogs go (outbound proxy or registrar, resolved), in the order of RFC 3263; null: to the numeric
   * host of their Request-URI. Not empty.
   */
  readonly nextHop: readonly SipTarget[] | null;
  /**
   * URI of the next hop, if it is a name or may change: an outbound proxy, a registrar. Its servers are resolved for each request outside dialogs
   * (RFC 3263), `;transport=` fixes their transport. Takes precedence over `nextHop`.
   */
  readonly nextHopUri?: string | null;
  /** The path of a WebSocket server's resource, beginning with '/' (RFC 6455, 3). Absent or '': '/'. */
  readonly webSocketPath?: string;
  /** Preloaded route set of requests outside dialogs: `<sip:proxy.example;lr>`; usually empty. */
  readonly routeSet: readonly string[];
  /** Null or absent: `verify` SYSTEM, without a certificate of our own. */
  readonly tls?: TlsSettings | null;
  readonly traffic: TrafficObserver;
  readonly owner: UserAgentOwner;
  /** Whether a call may come from this address. A replacing call always may. Null or absent: any address. */
  readonly takesFrom?: ((address: string) => boolean) | null;
  /** `urn:uuid:…`, the same over restarts: REGISTER offers an outbound flow under it (RFC 5626, 4.1 and 4.2). Null or absent: it does not. */
  readonly instanceId?: string | null;
  /** Default: PLAIN_SIGNALLING. */
  readonly signalling?: SignallingOptions;
  /** Additional header fields; absent: none. Names are those of fields that no engine writes. */
  readonly headers?: readonly OwnHeader[];
  /** Value of CORRELATION_HEADER in INVITEs that create a call; absent or '': none. */
  readonly correlation?: string;
  /**
   * Its calls use the registration of this user agent: the same transport and service route (RFC 3608), and the nonces of its other calls (RFC 7616,
   * 3.4). Only in the built-in engine.
   */
  readonly over?: UserAgent | null;
};

export interface UserAgent {
  readonly contactUri: string;
  /** Registers and keeps the binding fresh until `unregister` or `close`. Throws while a registration is alive. */
  register(expiresSeconds: number, events: RegistrationEvents): void;
  /** Removes the binding; onUnregistered always follows. */
  unregister(): void;
  /** Places a call; message/uri-headers.ts lists the headers that the URI may set. The INVITE is sent at the next flush. */
  invite(targetUri: string, offer: string, events: CallEvents): Call;
  /** OPTIONS, outside any dialog (RFC 3261, 11.1): takes the route of a call, without a call. */
  ping(targetUri: string, events: PingEvents): void;
  /** Removes the user agent: its calls and referrals are ended, without further events. A binding stays until it expires: `unregister` first. */
  close(): void;
}

export type SipEngineOptions = {
  /** Numeric address to listen on; also the address in Via and Contact, unless peers know another. */
  readonly address: string;
  /** How peers reach us where it is not the address: by a name that a trunk wants, or through a 1:1 NAT. Null or absent: it is. */
  readonly announced?: Announced | null;
  /** 0: any free port. */
  readonly port: number;
  readonly adapter: 'auto' | 'ffi' | 'dgram';
  readonly userAgentName: string;
  /** The port of the TLS listener (0: any free one), its certificate and key in PEM; absent: a self-signed one is created. */
  readonly tls?: { readonly port: number; readonly certificate?: string; readonly key?: Secret };
  /** The host's policy, checked for every address before anything is sent to it. */
  readonly mayReach: (address: string) => boolean;
  /** Whether a URI named by a peer (a 3xx), and the number in it, may be called. Default: all. */
  readonly mayCall?: (uri: string) => boolean;
  readonly mayDial?: (uri: string) => boolean;
  /** May what ends a call or a registration go to an address, or be looked up by a name, that is forbidden by now? Default: no. */
  readonly mayLeave?: (host: string, atMs: number) => boolean;
  /** Whether this name may be resolved, wherever it occurs: Request-URI, Route, Contact, redirect. Default: all. */
  readonly mayName?: (host: string) => boolean;
  /** Resolves names; absent: only numeric hosts can be used. */
  readonly locator?: SipLocator;
  /** An INVITE whose Request-URI names no user agent (a trunk's number): returns the receiver. Null: 404. */
  readonly onUnclaimedCall: (requestUri: string, from: SipAddress) => UserAgent | null;
  /** An INVITE of an unknown peer: no receiver (404), or forbidden source (403). It is answered without a transaction (RFC 3261, 8.2.7). */
  readonly onStranger?: (requestUri: string, from: SipAddress) => void;
  /** For the log; the engine has gone on. */
  readonly onInternalError?: (error: unknown) => void;
};

/** The SIP stack that a group asks for. */
export type ChosenEngine = 'CORE' | 'SIPJS';

export interface SipEngine {
  readonly name: 'core' | 'sip.js' | 'drachtio';
  readonly local: SipAddress;
  /** Null or absent: `local`. */
  readonly announced?: Announced | null;
  readonly adapter: 'ffi' | 'dgram';
  readonly stamps: 'kernel' | 'user';
  /** Why batched I/O is not used although 'auto' was requested; otherwise null. For greeting, log and metrics. */
  readonly fallbackReason: string | null;
  readonly counters: Readonly<SipEngineCounters>;
  /** Datagrams that the kernel dropped because our receive queue was full. */
  readonly receiveDrops: number;
  /** Starts the TLS listener, once; UDP and TCP listeners exist from the start, on one port. Rejects if the port is not available. */
  listenTls(): Promise<SipAddress>;
  /** Throws if an option is invalid: a faulty URI, a contact user in use. */
  createUserAgent(options: UserAgentOptions): UserAgent;
  /** One turn: receive, run timers, send; how many datagrams came. The owner calls it every few milliseconds (turns.ts), `atMs` is now. */
  turn(atMs: number): number;
  /** True while transactions, dialogs or registrations are alive: the owner may turn rarely when it is false. */
  readonly busy: boolean;
  /** It waits for events of the event loop only: turns.ts. */
  readonly needsLoop: boolean;
  /** Why no message can be sent or received now, in a sentence, for readiness; null: they can. */
  readonly obstacle: string | null;
  /** Closes the socket. Every open call and registration is reported as ended. */
  close(): void;
}
