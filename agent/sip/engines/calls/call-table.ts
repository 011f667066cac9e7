/** A call over the library's dialogs, as far as the library does not say it itself. */
import type { Machine } from '@carillon/proto/machine.ts';

export type SessionCallState =
  /** Until the final response; for incoming calls, until ours. */
  | 'EARLY'
  /** As callee: our 2xx waits for the PRACK of what describes the session (RFC 3262, 3). */
  | 'ANSWER_WANTED'
  /** Our CANCEL is under way, or waits for a provisional response. */
  | 'CANCELLING'
  /** As callee: our 2xx waits for its ACK, ... */
  | 'ANSWERED'
  /** ... and so does our BYE (RFC 3261, 15). */
  | 'HANG_UP_WANTED'
  | 'CONFIRMED'
  | 'ENDING'
  | 'ENDED';

export type SessionCallEvent = 'CANCEL' | 'ANSWER_LATER' | 'ANSWER' | 'WANT_HANG_UP' | 'CONFIRM' | 'BYE' | 'END';

export const SESSION_CALL: Machine<SessionCallState, SessionCallEvent> = {
  initial: 'EARLY',
  finals: ['ENDED'],
  transitions: {
    EARLY: {
      CANCEL: 'CANCELLING',
      ANSWER_LATER: 'ANSWER_WANTED',
      ANSWER: 'ANSWERED',
      CONFIRM: 'CONFIRMED',
      END: 'ENDED',
    },
    ANSWER_WANTED: { ANSWER: 'ANSWERED', END: 'ENDED' },
    CANCELLING: { END: 'ENDED' },
    ANSWERED: { WANT_HANG_UP: 'HANG_UP_WANTED', CONFIRM: 'CONFIRMED', BYE: 'ENDING', END: 'ENDED' },
    HANG_UP_WANTED: { CONFIRM: 'CONFIRMED', BYE: 'ENDING', END: 'ENDED' },
    CONFIRMED: { BYE: 'ENDING', END: 'ENDED' },
    ENDING: { END: 'ENDED' },
    ENDED: {},
  },
  heldBy: {
    EARLY: 'TRANSACTION',
    ANSWER_WANTED: 'TIMER',
    CANCELLING: 'TIMER',
    ANSWERED: 'TRANSACTION',
    HANG_UP_WANTED: 'TRANSACTION',
    CONFIRMED: 'USER',
    ENDING: 'TRANSACTION',
    ENDED: 'NOBODY',
  },
};
