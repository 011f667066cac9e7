/** SIP.js, as used by this agent: the sessions and registrations of its public interface. The only file that uses the library. */
import {
  type Core,
  type Invitation,
  Inviter,
  Registerer,
  RegistererState,
  type Session,
  type SessionDescriptionHandler,
  SessionState,
  type Transport,
  TransportState,
  type URI,
  UserAgent,
  type UserAgentOptions,
} from 'sip.js';
import { EmitterImpl } from 'sip.js/lib/api/emitter.js';
import type { Credentials } from '../../engine.ts';

export {
  type Core,
  EmitterImpl,
  type Invitation,
  Inviter,
  Registerer,
  RegistererState,
  type Session,
  type SessionDescriptionHandler,
  SessionState,
  type Transport,
  TransportState,
  type URI,
  UserAgent,
};

export type Parts = {
  readonly aor: URI;
  readonly displayName: string;
  readonly contactName: string;
  readonly host: string;
  readonly routeSet: readonly string[];
  readonly userAgentName: string;
  readonly credentials: Credentials | null;
  readonly transport: Transport;
  readonly describe: (session: Session) => SessionDescriptionHandler;
  readonly onInvite: (invitation: Invitation) => void;
};

/** How long an incoming call may be undecided, in seconds. */
const DECIDE_SECONDS = 200;

/** Makes a user agent as a page does, except for the media, the WebSocket and the log: errors are reported as events, or counted. */
export function userAgentOf(parts: Parts): UserAgent {
  const { credentials, transport } = parts;
  const options: UserAgentOptions = {
    uri: parts.aor,
    displayName: parts.displayName,
    contactName: parts.contactName,
    viaHost: parts.host,
    preloadedRouteSet: [...parts.routeSet],
    userAgentString: parts.userAgentName,
    authorizationUsername: credentials?.username ?? '',
    authorizationPassword: credentials?.ha1 ? '' : (credentials?.password.reveal() ?? ''),
    authorizationHa1: credentials?.ha1?.reveal() ?? '',
    noAnswerTimeout: DECIDE_SECONDS,
    // The owner of the call says when it rings.
    sendInitialProvisionalResponse: false,
    logBuiltinEnabled: false,
    logConfiguration: false,
    sessionDescriptionHandlerFactory: parts.describe,
    transportConstructor: function given() {
      return transport;
    } as unknown as NonNullable<UserAgentOptions['transportConstructor']>,
    delegate: { onInvite: parts.onInvite },
  };
  return new UserAgent(options);
}
