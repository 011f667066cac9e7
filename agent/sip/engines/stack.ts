/**
 * What calls and registrations over a library need: transactions and dialogs, in SIP terms. sip.js provides most of it;
 * for others it is built. Messages are objects; `sourceOf` is the received text, null if the stack generated the
 * message because no answer came.
 */
import type { Authorization } from '../digest/authorization.ts';
import type { RegisterRetry, SignallingOptions, SipEngineCounters, SipFailure, SipTarget } from '../engine.ts';
import type { Identifiers } from '../identifiers.ts';
import type { OwnHeader } from '../message/own-headers.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { TimerWheel } from '../timer-wheel.ts';

export type Body = { readonly contentDisposition: string; readonly contentType: string; readonly content: string };
export type Received = { readonly message: object };

export const sourceOf = (message: object): SipMessage | null =>
  (message as { readonly source?: SipMessage }).source ?? null;

/** Events of our request. */
export type ResponseHandler = {
  onTrying?(response: Received): void;
  onProgress?(response: Progressed): void;
  /** `session`, `ack`: of an INVITE; the ACK is the listener's to send. */
  onAccept?(response: Accepted): void;
  onRedirect?(response: Received): void;
  onReject?(response: Received): void;
};
/** `session`: the early dialog that it creates or belongs to; `prack` acknowledges it (RFC 3262), if the stack can. */
export type Progressed = Received & { readonly session?: Session; prack?(options?: Extra): unknown };
export type Accepted = Received & { readonly session: Session; ack(options?: Extra): unknown };
export type Extra = { readonly extraHeaders?: string[]; readonly body?: Body };
export type Reply = Extra & { readonly statusCode: number; readonly reasonPhrase?: string };

/** A request of the peer's that waits for our response. */
export interface Server {
  readonly message: object;
  accept(reply?: Reply): unknown;
  reject(reply?: Reply): unknown;
}
export interface InviteServer extends Server {
  delegate?: { onCancel?(message: object): void } | undefined;
  trying(): unknown;
  progress(reply: Reply): { readonly session: Session };
  accept(reply?: Reply): { readonly session: Session };
  redirect(contacts: never[], reply?: Reply): unknown;
}

export type SessionDelegate = {
  /** Does anything but the session use the dialog (RFC 5057, 4.1)? A stack with `forget` keeps it then, past the BYE. */
  isUsed?(): boolean;
  onAck?(ack: Received): void;
  onAckTimeout?(): void;
  onBye?(server: Server): void;
  onInfo?(server: Server): void;
  onInvite?(server: Server): void;
  onMessage?(server: Server): void;
  onNotify?(server: Server): void;
  onPrack?(server: Server): void;
  onRefer?(server: Server): void;
  onUpdate?(server: Server): void;
};

/** A dialog created by INVITE; `invite` throws while another change is pending. */
export interface Session {
  delegate: SessionDelegate | undefined;
  bye(heard?: ResponseHandler, options?: Extra): unknown;
  info(heard?: ResponseHandler, options?: Extra): unknown;
  invite(heard?: ResponseHandler, options?: Extra): unknown;
  notify(heard?: ResponseHandler, options?: Extra): unknown;
  refer(heard?: ResponseHandler, options?: Extra): unknown;
  /** Ends a dialog that was kept past the BYE; absent: the stack keeps none. */
  forget?(): void;
  /** RFC 3311; absent: the stack cannot. */
  update?(heard?: ResponseHandler, options?: Extra): unknown;
}

export type Parts = {
  readonly callId: string;
  readonly cseq: number;
  readonly fromTag: string;
  /** Whole lines without their ends. */
  readonly lines: readonly string[];
  readonly routes: readonly string[];
  readonly body: Body | null;
};

/** A request outside dialogs that is under way; challenges are answered by the stack. */
export interface Outgoing {
  /** Of its last transmission. */
  readonly cseq: number;
  /** The lines that answered challenges, '' if there are none. */
  readonly credentials: string;
  /** CANCEL, once a provisional response allows it; challenges are no longer answered. */
  cancel(): void;
}

export type Loss = Pick<SipFailure, 'kind' | 'reason'>;

/** Sends requests with its own Call-ID. */
export interface RequestSender {
  readonly callId: string;
  readonly authorization: Authorization | null;
  onSent(method: string, atMs: number): void;
  /** Pending requests are lost with the connection. */
  onLost(loss: Loss, atMs: number): void;
  onLocated?(tookMs: number): void;
  onFailover?(from: SipTarget, to: SipTarget, reason: string, atMs: number): void;
  /** The engine closes. */
  abort(atMs: number): void;
}

/** The engine, as calls know it. */
export interface StackEngine {
  readonly wheel: TimerWheel;
  readonly clock: () => number;
  readonly identifiers: Identifiers;
  /** Calls that have not ended. */
  openCalls: number;
  mayCall(uri: string): boolean;
  mayDial(uri: string): boolean;
  /** Reports after the owner's call, or the library's, has returned. */
  tell(event: () => void): void;
  /** Pending events come before one that needs an immediate answer. */
  tellAll(): void;
}

/** The engine, as its user agents know it. */
export interface StackHost extends StackEngine {
  readonly options: { readonly userAgentName: string };
  readonly counts: SipEngineCounters;
  /** May a message go there? What ends a call or a registration may where it has gone before, for a while. */
  maySend(isEnding: boolean, host: string): boolean;
  /** Neither the library nor a listener may end the process. False: it threw, and that was counted. */
  guard(what: () => void): boolean;
}

/** A user agent, as its calls and its registration know it. */
export interface StackAgent {
  readonly engine: StackEngine;
  readonly contactUri: string;
  /** `Contact: <…>`, as requests and responses in dialogs have it. */
  readonly contactLine: string;
  readonly fromValue: string;
  /** Of REGISTER. */
  readonly aorValue: string;
  /** `Allow: …`, what the stack can be asked within a dialog. */
  readonly allowLine: string;
  /** Of INVITEs that create a call: links its legs. */
  readonly correlationLines: readonly string[];
  readonly headers: readonly OwnHeader[];
  readonly instanceId: string | null;
  readonly registrarUri: string | null;
  readonly registerRetry: RegisterRetry | null;
  readonly signalling: SignallingOptions;
  /** Of requests outside dialogs; REGISTER goes by the preloaded ones only (RFC 3608, 6.1). */
  readonly routeSet: readonly string[];
  readonly preloaded: readonly string[];
  /** When the message arrived that is being read. */
  readonly receivedAtMs: number;
  newAuthorization(): Authorization;
  /** Requests with the sender's Call-ID go to it. */
  attach(sender: RequestSender): void;
  detach(sender: RequestSender): void;
  followServiceRoute(registered: SipMessage): void;
  request(method: 'INVITE' | 'REGISTER' | 'OPTIONS', target: string, parts: Parts, heard: ResponseHandler): Outgoing;
}
