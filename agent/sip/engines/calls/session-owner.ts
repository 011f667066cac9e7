/** The interface of a call for its session changes and REFERs. */
import type { SdpFault } from '@carillon/media/sdp/session-description.ts';
import type { CallEvents } from '../../engine.ts';
import type { Body, Session, StackAgent } from '../stack.ts';
import type { SessionCallState } from './call-table.ts';
import type { StackSessionTime } from './session-time.ts';

export interface SessionOwner {
  readonly direction: 'OUTGOING' | 'INCOMING';
  readonly agent: StackAgent;
  readonly events: CallEvents;
  readonly state: SessionCallState;
  readonly session: Session | null;
  /** Whether the peer's Allow has UPDATE. Null: it sent none. */
  peerUpdates: boolean | null;
  readonly time: StackSessionTime;
  /** Our description of the session as the peer knows it. */
  local: string;
  hangUp(): void;
  /** A referral is over. */
  onUsageOver(): void;
  /** Does this status end the session: 408, 481, silence? (RFC 3261, 12.2.1.2) */
  lostBy(status: number): boolean;
  /** Our answer to an offer within the session, or our own offer. */
  describe(offer: string): string | SdpFault;
  /** With the next moment in which the owner's call has returned. */
  tell(what: (events: CallEvents, atMs: number) => void): void;
}

/** Null: there is none. */
export const bodyOf = (
  content: string,
  contentType = 'application/sdp',
  contentDisposition = 'session',
): Body | null => (content === '' ? null : { contentDisposition, contentType, content });
