/** The interface of a call for its in-dialog parts, and between these. */
import type { Authorization } from '../../digest/authorization.ts';
import type { CallEvents } from '../../engine.ts';
import type { SipMessage } from '../../message/sip-message.ts';
import type { CallAgent } from '../call-agent.ts';
import type { CallState } from '../call-tables.ts';
import type { Dialog } from '../dialog.ts';

export interface DialogCall {
  readonly direction: 'OUTGOING' | 'INCOMING';
  readonly agent: CallAgent;
  readonly events: CallEvents;
  readonly state: CallState;
  readonly dialog: Dialog | null;
  /** Our session description as sent to the peer, '' if there is none. */
  localSdp: string;
  readonly authorization: Authorization | null;
  /** The other in-dialog activities; null: there were none. */
  readonly within: DialogParts | null;
  /** The same, created on demand. */
  readonly opened: DialogParts;
  hangUp(): void;
  /** The INVITE's usage of the dialog ended before, and now the last subscription (RFC 5057, 4.1): the dialog is over. */
  leaveDialog(): void;
  /**
   * The dialog in which the session can be changed now, null if there is none; before the answer only by UPDATE (RFC
   * 3311, 5.1).
   */
  dialogForChange(method: 'INVITE' | 'UPDATE'): Dialog | null;
  /** Our change must wait for the peer's (RFC 3261, 14.1; RFC 3311, 5.1). */
  mustWait(method: 'INVITE' | 'UPDATE', offer: string): boolean;
  /**
   * A 2xx to our INVITE or UPDATE sets the session interval (RFC 4028, 7.2); values below the minimum (4) count as the
   * minimum. `refreshesAlone` null: the first INVITE's.
   */
  keepTime(response: SipMessage, atMs: number, refreshesAlone: boolean | null): void;
  /** Handles a challenge of a request with its own count of them; `first`: this is the first one. Null: send again. */
  authorizeAnew(response: SipMessage, first: boolean): string | null;
}

export interface DialogParts {
  readonly timer: SessionTime | null;
  /** Refreshes the session unless a change is under way: that will do so itself, or we are asked again. */
  refresh(method: 'INVITE' | 'UPDATE'): boolean;
  /** The change that was under way is over. */
  onChanged(): void;
  /** It starts when the previous ones have ended. */
  exchange(exchange: QueuedExchange): void;
  /** The exchange that was under way is over. */
  onExchanged(): void;
  /** A subscription is over. */
  onUsageOver(): void;
}

/** The session's time, as our re-INVITE or UPDATE knows it. */
export interface SessionTime {
  /** Lines of our re-INVITE or UPDATE: the roles stay as they are (RFC 4028, 7.4). */
  requestLines(): string;
  /** A 422 requires at least this interval; false: that is what was requested. */
  lengthen(minSeconds: number): boolean;
  /** Our refresh was refused; 405 and 501 show that the peer has no UPDATE. After 408 and 481 the call is ended. */
  onRefused(status: number): void;
}

export interface QueuedExchange {
  readonly method: string;
  /** It was sent. */
  readonly isBegun: boolean;
  start(): void;
  stop(): void;
}
