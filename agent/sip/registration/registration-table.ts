/** A binding at a registrar, from the first REGISTER to its removal (RFC 3261, 10.2). */
import type { Machine } from '../machine.ts';

export type RegistrationState =
  | 'REGISTERING'
  | 'REGISTERED'
  | 'REFRESHING'
  /** To be removed as soon as the REGISTER under way is answered: one at a time (10.2). */
  | 'LEAVE_WANTED'
  | 'LEAVING'
  | 'GONE';

export type RegistrationEvent =
  | 'GRANTED'
  /** 401 or 407 that we can answer. */
  | 'CHALLENGE'
  /** 423 with a Min-Expires that we can follow. */
  | 'TOO_BRIEF'
  /** Any other final response, or none. */
  | 'FAILURE'
  | 'REFRESH_DUE'
  | 'UNREGISTER';

export const REGISTRATION: Machine<RegistrationState, RegistrationEvent> = {
  initial: 'REGISTERING',
  final: 'GONE',
  transitions: {
    REGISTERING: {
      GRANTED: 'REGISTERED',
      CHALLENGE: 'REGISTERING',
      TOO_BRIEF: 'REGISTERING',
      FAILURE: 'GONE',
      UNREGISTER: 'LEAVE_WANTED',
    },
    REGISTERED: { REFRESH_DUE: 'REFRESHING', UNREGISTER: 'LEAVING' },
    REFRESHING: {
      GRANTED: 'REGISTERED',
      CHALLENGE: 'REFRESHING',
      TOO_BRIEF: 'REFRESHING',
      FAILURE: 'GONE',
      UNREGISTER: 'LEAVE_WANTED',
    },
    LEAVE_WANTED: { GRANTED: 'LEAVING', CHALLENGE: 'LEAVING', TOO_BRIEF: 'LEAVING', FAILURE: 'GONE' },
    LEAVING: { GRANTED: 'GONE', CHALLENGE: 'LEAVING', FAILURE: 'GONE' },
    GONE: {},
  },
  heldBy: {
    REGISTERING: 'TRANSACTION',
    REGISTERED: 'TIMER',
    REFRESHING: 'TRANSACTION',
    LEAVE_WANTED: 'TRANSACTION',
    LEAVING: 'TRANSACTION',
    GONE: 'NOBODY',
  },
};
