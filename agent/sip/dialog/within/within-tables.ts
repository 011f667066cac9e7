/**
 * The machines of in-dialog activities. The end of the call ends what belongs to the session; subscriptions of REFER go on
 * until their own end (RFC 5057, 4.1), or until the user agent closes.
 */
import type { Machine } from '@carillon/proto/base/machine.ts';
import { T1_MS } from '../../timers.ts';

/** Our re-INVITE or UPDATE (RFC 3261, 14.1; RFC 3311). */
export type ChangeState = 'DUE' | 'WAITING' | 'SENT' | 'CANCELLING' | 'SETTLED';
export type ChangeEvent =
  | 'SEND'
  /** 491, or a concurrent change by the peer: retry later. */
  | 'GLARE'
  /** 401, 407 or 422 that can be handled: retry now. */
  | 'AGAIN'
  | 'PROVISIONAL'
  | 'LIMIT'
  | 'SUCCESS'
  | 'REFUSED';

export const SESSION_CHANGE: Machine<ChangeState, ChangeEvent> = {
  initial: 'DUE',
  finals: ['SETTLED'],
  transitions: {
    DUE: { SEND: 'SENT', GLARE: 'WAITING', REFUSED: 'SETTLED' },
    WAITING: { SEND: 'SENT', GLARE: 'WAITING', REFUSED: 'SETTLED' },
    SENT: {
      AGAIN: 'SENT',
      GLARE: 'WAITING',
      PROVISIONAL: 'SENT',
      LIMIT: 'CANCELLING',
      SUCCESS: 'SETTLED',
      REFUSED: 'SETTLED',
    },
    /** A re-INVITE that is neither accepted nor refused is given up (9.1); its 2xx may cross that. */
    CANCELLING: { LIMIT: 'SETTLED', SUCCESS: 'SETTLED', REFUSED: 'SETTLED' },
    SETTLED: {},
  },
  heldBy: { DUE: 'TIMER', WAITING: 'TIMER', SENT: 'TIMER', CANCELLING: 'TIMER', SETTLED: 'NOBODY' },
};

/** After its first provisional response a re-INVITE has as long as a first INVITE, see CALL_LIMITS_MS. */
export const CHANGE_LIMITS_MS = { SENT: 200_000, CANCELLING: 64 * T1_MS } as const;

/** The session's time (RFC 4028, 7.2, 10). */
export type SessionTimerState = 'KEEPING' | 'REFRESHING' | 'WATCHING' | 'OVER';
export type SessionTimerEvent =
  /** A 2xx to re-INVITE or UPDATE names the refresher. */
  | 'OURS'
  | 'THEIRS'
  /** Half of the interval has passed, or nearly all of it. */
  | 'HALF'
  | 'LATE'
  /** Our refresh was refused. */
  | 'FAILED'
  /** A 2xx without Session-Expires. */
  | 'OFF'
  /** The call ends. */
  | 'STOPPED';

export const SESSION_TIMER: Machine<SessionTimerState, SessionTimerEvent> = {
  initial: 'WATCHING',
  finals: ['OVER'],
  transitions: {
    KEEPING: { OURS: 'KEEPING', THEIRS: 'WATCHING', HALF: 'REFRESHING', LATE: 'OVER', OFF: 'OVER', STOPPED: 'OVER' },
    REFRESHING: { OURS: 'KEEPING', THEIRS: 'WATCHING', FAILED: 'KEEPING', LATE: 'OVER', OFF: 'OVER', STOPPED: 'OVER' },
    WATCHING: { OURS: 'KEEPING', THEIRS: 'WATCHING', LATE: 'OVER', OFF: 'OVER', STOPPED: 'OVER' },
    OVER: {},
  },
  heldBy: { KEEPING: 'TIMER', REFRESHING: 'TIMER', WATCHING: 'TIMER', OVER: 'NOBODY' },
};

/** Our REFER and its subscription (RFC 3515, 2.4.4). */
export type ReferralState = 'REFERRING' | 'ACCEPTED' | 'SUBSCRIBED' | 'ENDING' | 'OVER';
export type ReferralEvent =
  | 'ACCEPTED'
  | 'REFUSED'
  | 'NOTIFIED'
  /** A final status, in a subscription that goes on. */
  | 'RESULT'
  | 'LAST'
  | 'LIMIT'
  | 'STOPPED';

export const REFERRAL: Machine<ReferralState, ReferralEvent> = {
  initial: 'REFERRING',
  finals: ['OVER'],
  transitions: {
    /** A NOTIFY may come before the 202 (RFC 6665, 4.1.2.4). */
    REFERRING: {
      ACCEPTED: 'ACCEPTED',
      REFUSED: 'OVER',
      NOTIFIED: 'SUBSCRIBED',
      RESULT: 'ENDING',
      LAST: 'OVER',
      STOPPED: 'OVER',
    },
    ACCEPTED: { NOTIFIED: 'SUBSCRIBED', RESULT: 'ENDING', LAST: 'OVER', LIMIT: 'OVER', STOPPED: 'OVER' },
    SUBSCRIBED: {
      ACCEPTED: 'SUBSCRIBED',
      REFUSED: 'OVER',
      NOTIFIED: 'SUBSCRIBED',
      RESULT: 'ENDING',
      LAST: 'OVER',
      LIMIT: 'OVER',
      STOPPED: 'OVER',
    },
    /** The result is known; the NOTIFY that ends the subscription may follow. */
    ENDING: {
      ACCEPTED: 'ENDING',
      REFUSED: 'OVER',
      NOTIFIED: 'ENDING',
      RESULT: 'ENDING',
      LAST: 'OVER',
      LIMIT: 'OVER',
      STOPPED: 'OVER',
    },
    OVER: {},
  },
  heldBy: { REFERRING: 'TRANSACTION', ACCEPTED: 'TIMER', SUBSCRIBED: 'TIMER', ENDING: 'TIMER', OVER: 'NOBODY' },
};

/** The peer's REFER that we accepted: the owner executes it, we notify (RFC 3515, 2.4.4). */
export type ReferredState = 'TELLING' | 'OVER';
export type ReferredEvent = 'PROGRESS' | 'LAST' | 'UNWANTED' | 'LIMIT' | 'STOPPED';

export const REFERRED: Machine<ReferredState, ReferredEvent> = {
  initial: 'TELLING',
  finals: ['OVER'],
  transitions: {
    TELLING: { PROGRESS: 'TELLING', LAST: 'OVER', UNWANTED: 'OVER', LIMIT: 'OVER', STOPPED: 'OVER' },
    OVER: {},
  },
  heldBy: { TELLING: 'TIMER', OVER: 'NOBODY' },
};
