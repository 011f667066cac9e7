/** A binding at a registrar, from the first REGISTER to its removal (RFC 3261, 10.2). */
import type { Machine } from '@carillon/proto/base/machine.ts';

export type RegistrationState =
  | 'REGISTERING'
  /** The first REGISTER failed in a way that may pass: the next attempt is waited for. */
  | 'WAITING'
  | 'REGISTERED'
  | 'REFRESHING'
  /** A refresh failed: the next attempt is waited for. */
  | 'RETRYING'
  /** Over, but the registrar still has the binding. */
  | 'LAPSED'
  /** To be removed as soon as the REGISTER under way is answered: one at a time (10.2). */
  | 'LEAVE_WANTED'
  | 'LEAVING'
  | 'GONE';

export type RegistrationEvent =
  | 'GRANTED'
  /** Refused, and the same REGISTER may do better another way: 401, 407, 423, 439. */
  | 'AGAIN'
  /** No answer, or a temporary refusal, and time for another attempt. */
  | 'SETBACK'
  /** Any other final response, or none. */
  | 'FAILURE'
  /** What the registrar granted is over. */
  | 'EXPIRED'
  /** So is the next attempt. */
  | 'REFRESH_DUE'
  | 'UNREGISTER'
  /** The engine closes, or another registration replaces this one: no more requests to the registrar. */
  | 'STOPPED';

export const REGISTRATION: Machine<RegistrationState, RegistrationEvent> = {
  initial: 'REGISTERING',
  finals: ['GONE'],
  transitions: {
    REGISTERING: {
      GRANTED: 'REGISTERED',
      AGAIN: 'REGISTERING',
      SETBACK: 'WAITING',
      FAILURE: 'GONE',
      UNREGISTER: 'LEAVE_WANTED',
      STOPPED: 'GONE',
    },
    WAITING: { REFRESH_DUE: 'REGISTERING', UNREGISTER: 'GONE', STOPPED: 'GONE' },
    REGISTERED: { REFRESH_DUE: 'REFRESHING', UNREGISTER: 'LEAVING', STOPPED: 'GONE' },
    REFRESHING: {
      GRANTED: 'REGISTERED',
      AGAIN: 'REFRESHING',
      SETBACK: 'RETRYING',
      FAILURE: 'LAPSED',
      EXPIRED: 'GONE',
      UNREGISTER: 'LEAVE_WANTED',
      STOPPED: 'GONE',
    },
    RETRYING: { REFRESH_DUE: 'REFRESHING', UNREGISTER: 'LEAVING', STOPPED: 'GONE' },
    LAPSED: { EXPIRED: 'GONE', UNREGISTER: 'LEAVING', STOPPED: 'GONE' },
    LEAVE_WANTED: { GRANTED: 'LEAVING', AGAIN: 'LEAVING', SETBACK: 'LEAVING', FAILURE: 'GONE', STOPPED: 'GONE' },
    LEAVING: { GRANTED: 'GONE', AGAIN: 'LEAVING', FAILURE: 'GONE', STOPPED: 'GONE' },
    GONE: {},
  },
  heldBy: {
    REGISTERING: 'TRANSACTION',
    WAITING: 'TIMER',
    REGISTERED: 'TIMER',
    REFRESHING: 'TRANSACTION',
    RETRYING: 'TIMER',
    LAPSED: 'TIMER',
    LEAVE_WANTED: 'TRANSACTION',
    LEAVING: 'TRANSACTION',
    GONE: 'NOBODY',
  },
};
