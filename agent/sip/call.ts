/** Calls (INVITE dialogs) in the terms of RFC 3261: what their owner asks of one, and what it hears of it. A part of the interface of `engine.ts`. */
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { Explanation } from './message/explanation.ts';
import type { SipTarget } from './sip-address.ts';

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
