/** A call, as those parts of it know it that go on within its dialog, and as they know each other. */
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
  /** Our session description as the peer knows it, '' if there is none. */
  localSdp: string;
  readonly authorization: Authorization | null;
  /** What goes on within the dialog besides; null: nothing ever did. */
  readonly within: DialogParts | null;
  /** The same, made now if it was not. */
  readonly opened: DialogParts;
  hangUp(): void;
  /** The dialog in which the session can be changed now, null if there is none; before the answer by UPDATE only (RFC 3311, 5.1). */
  dialogForChange(method: 'INVITE' | 'UPDATE'): Dialog | null;
  /** A change of ours has to wait for what the peer has begun (RFC 3261, 14.1; RFC 3311, 5.1). */
  mustWait(method: 'INVITE' | 'UPDATE', offer: string): boolean;
  /**
   * A 2xx to an INVITE or UPDATE of ours says how long the session may last (RFC 4028, 7.2); less than the least (4) counts as
   * that. `refreshesAlone` null: the first INVITE's.
   */
  keepTime(response: SipMessage, atMs: number, refreshesAlone: boolean | null): void;
  /** Takes a challenge of a request that has its own count of them; `first`: this is the first one. Null: send again. */
  authorizeAnew(response: SipMessage, first: boolean): string | null;
}

export interface DialogParts {
  readonly timer: SessionTime | null;
  /** Refreshes the session unless a change is under way: that will do so itself, or we are asked again. */
  refresh(method: 'INVITE' | 'UPDATE'): boolean;
  /** The change that was under way is over. */
  onChanged(): void;
  /** It begins when those before it are over. */
  exchange(exchange: QueuedExchange): void;
  /** The exchange that was under way is over. */
  onExchanged(): void;
}

/** The session's time, as our re-INVITE or UPDATE knows it. */
export interface SessionTime {
  /** Lines of a re-INVITE or UPDATE of ours: the roles stay as they are (RFC 4028, 7.4). */
  requestLines(): string;
  /** A 422 wants at least so much; false: that is what it was asked for. */
  lengthen(minSeconds: number): boolean;
  /** Our refresh was refused; 405 and 501 tell that the peer has no UPDATE after all. After 408 and 481 the call is being hung up. */
  onRefused(status: number): void;
}

export interface QueuedExchange {
  start(): void;
  stop(): void;
}
