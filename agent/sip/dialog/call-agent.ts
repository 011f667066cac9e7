/** What senders of requests need of their user agent and engine. */
import type { KnownChallenges } from '../digest/authorization.ts';
import type { Credentials, SignallingOptions, SipTarget, SipTransport } from '../engine.ts';
import type { Identifiers } from '../identifiers.ts';
import type { SipMessage } from '../message/sip-message.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';
import type { Vias } from '../transport/readdress.ts';
import type { MessageOwner } from '../transport/send-queue.ts';
import type { TargetJudge } from './redirects.ts';

/** Header lines, each ended by CRLF, that are equal in all messages of a kind. */
export type FixedHeaders = {
  /** `Via: SIP/2.0/UDP 192.0.2.1:5060;rport;branch=`: the branch completes it. By the transport of the request's target. */
  readonly via: Vias;
  /** Contact, Allow, Supported, User-Agent: requests that create or refresh a dialog. */
  readonly invite: string;
  /** The same without 100rel: of re-INVITE and UPDATE, whose provisional responses are not waited for. */
  readonly refresh: string;
  /** Session-Expires and Min-SE of a first INVITE (RFC 4028, 7.1), '' without session timers. */
  readonly session: string;
  /** Only Contact. */
  readonly contact: string;
  /** User-Agent. */
  readonly plain: string;
  /** The same, plus the user agent's additions. */
  readonly register: string;
  readonly bye: string;
  /** Contact, Allow, Supported, Server: responses that create or refresh a dialog. */
  readonly answer: string;
  /** Server. */
  readonly response: string;
};

export interface CallAgent extends MessageOwner, TargetJudge {
  /** The URI at which the peer finds us, by the transport of our requests. */
  readonly contactUri: string;
  /** The same in REGISTER. */
  readonly registeredUri: string;
  readonly layer: TransactionLayer;
  readonly identifiers: Identifiers;
  readonly headers: FixedHeaders;
  /** Our From value without a tag. */
  readonly fromValue: string;
  /** The value of From, without a tag, and of To of REGISTER. */
  readonly aorValue: string;
  /** The From line up to its tag. */
  readonly fromHead: string;
  readonly credentials: Credentials | null;
  /** Nonces of earlier calls; null: none. */
  readonly challenges: KnownChallenges | null;
  readonly nextHop: readonly SipTarget[] | null;
  readonly signalling: SignallingOptions;
  /** Preloaded Route line, '' without a route set. */
  readonly routeLine: string;
  /** The same of REGISTER, which a registrar's word does not lead (RFC 3608, 6.1). */
  readonly registerRouteLine: string;
  /** A registrar's word on the way that our other requests go (RFC 3608). */
  followServiceRoute(registered: SipMessage): void;
  /** Requests go by this transport from now on: Contact names it. */
  speak(transport: SipTransport): void;
}
