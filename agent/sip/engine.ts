/**
 * The interface of SIP engines, in the terms of RFC 3261: user agents, registrations, calls (INVITE dialogs). An engine owns messages, transactions
 * and dialogs; its user decides what to call, when, and with which SDP. All instants are milliseconds on the agent's clock (agent/clock.ts); those of
 * received messages are kernel receive times if the I/O adapter has them.
 */

import type { Secret } from '@carillon/proto/base/secret.ts';
import type { SipTransport } from '@carillon/proto/words/word-lists.ts';
import type { TlsSettings } from '../net/text/stream-port.ts';
import {
  type ByeDetails,
  type Call,
  type CallEvents,
  CORRELATION_HEADER,
  type IncomingCall,
  type IncomingCallHandler,
  type LocatingEvents,
  PLAIN_SIGNALLING,
  type SessionAsker,
  type SignallingOptions,
  type SipFailure,
} from './call.ts';
import type { Explanation } from './message/explanation.ts';
import type { OwnHeader } from './message/own-headers.ts';
import type { RegisterRetry } from './register-retry.ts';
import type { Announced, SipAddress, SipTarget } from './sip-address.ts';
import type { ConnectionOpened, SipEngineCounters, Traffic, TrafficObserver } from './traffic.ts';

export type {
  Announced,
  ByeDetails,
  Call,
  CallEvents,
  ConnectionOpened,
  Explanation,
  IncomingCall,
  IncomingCallHandler,
  LocatingEvents,
  OwnHeader,
  RegisterRetry,
  SessionAsker,
  SignallingOptions,
  SipAddress,
  SipEngineCounters,
  SipFailure,
  SipTarget,
  SipTransport,
  TlsSettings,
  Traffic,
  TrafficObserver,
};
export { CORRELATION_HEADER, PLAIN_SIGNALLING };

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

export interface RegistrationEvents extends LocatingEvents {
  /** The first byte of the first REGISTER was written, and of each retry (`RegisterRetry`). */
  onRegisterSent(atMs: number): void;
  /** The first success. */
  onRegistered(atMs: number, expiresSeconds: number): void;
  /** A refresh was granted. */
  onRefreshed?(atMs: number, expiresSeconds: number): void;
  /** A refresh failed in a way that may pass (no answer, 408, 480, 5xx); it is tried again. */
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
  /** The value of From of requests other than REGISTER, if it differs from the address of record. */
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
