/**
 * The two ends of a call: caller (RFC 3261, 13.2, 9.1, 15.1.1) and callee (13.3, 9.2, 15.1.2), from the INVITE to the
 * end. outgoing-call.ts and incoming-call.ts have the effects of the events.
 */
import type { Machine, Transitions } from '@carillon/proto/base/machine.ts';
import { T1_MS } from '../timers.ts';

export type CallEvent =
  /** The user's commands. */
  | 'HANG_UP'
  | 'RING'
  | 'ANSWER'
  | 'REJECT'
  /** Events of the INVITE that we sent. */
  | 'PROVISIONAL'
  | 'SUCCESS'
  | 'FAILURE'
  /** 401 or 407 to our INVITE or BYE, and we can answer it. */
  | 'CHALLENGE'
  /** A refusal of our INVITE that can be handled: 422, a redirect; a failed target or server. */
  | 'RETRY'
  /** Timer B or F, or the transport. */
  | 'NO_RESPONSE'
  /** Events of the INVITE that we received. */
  | 'CANCEL'
  | 'ACK'
  /** 64 T1 after the 2xx (13.3.1.4). */
  | 'NO_ACK'
  /** The same as ANSWER, while a reliable provisional response that describes the session is not acknowledged (RFC 3262, 3). */
  | 'ANSWER_LATER'
  /** No such response is left; 64 T1 after one. */
  | 'PRACKED'
  | 'NO_PRACK'
  /** Events of either end. */
  | 'BYE'
  | 'BYE_ANSWERED'
  /** The state's own timer, see CALL_LIMITS_MS. */
  | 'LIMIT';

type Tail = 'CONFIRMED' | 'ENDING' | 'ENDED';
export type OutgoingState = 'INVITING' | 'PROCEEDING' | 'CANCEL_WANTED' | 'CANCELLING' | Tail;
export type IncomingState = 'RECEIVED' | 'RINGING' | 'ANSWER_WANTED' | 'ANSWERED' | 'HANG_UP_WANTED' | Tail;
export type CallState = OutgoingState | IncomingState;

const TAIL: Transitions<Tail, CallEvent> = {
  CONFIRMED: { HANG_UP: 'ENDING', NO_ACK: 'ENDING', NO_RESPONSE: 'ENDED', BYE: 'ENDED' },
  /** Our BYE is pending. The peer's may cross it: that one is answered, ours decides. */
  ENDING: { CHALLENGE: 'ENDING', BYE_ANSWERED: 'ENDED', NO_RESPONSE: 'ENDED' },
  ENDED: {},
};

export const OUTGOING_CALL: Machine<OutgoingState, CallEvent> = {
  initial: 'INVITING',
  finals: ['ENDED'],
  transitions: {
    INVITING: {
      PROVISIONAL: 'PROCEEDING',
      SUCCESS: 'CONFIRMED',
      CHALLENGE: 'INVITING',
      RETRY: 'INVITING',
      FAILURE: 'ENDED',
      NO_RESPONSE: 'ENDED',
      HANG_UP: 'CANCEL_WANTED',
    },
    PROCEEDING: {
      PROVISIONAL: 'PROCEEDING',
      SUCCESS: 'CONFIRMED',
      CHALLENGE: 'INVITING',
      RETRY: 'INVITING',
      FAILURE: 'ENDED',
      NO_RESPONSE: 'ENDED',
      HANG_UP: 'CANCELLING',
      LIMIT: 'CANCELLING',
    },
    /** No CANCEL before a provisional response (9.1); the INVITE is retransmitted until one comes. */
    CANCEL_WANTED: { PROVISIONAL: 'CANCELLING', SUCCESS: 'ENDED', FAILURE: 'ENDED', NO_RESPONSE: 'ENDED' },
    CANCELLING: { PROVISIONAL: 'CANCELLING', SUCCESS: 'ENDED', FAILURE: 'ENDED', NO_RESPONSE: 'ENDED', LIMIT: 'ENDED' },
    ...TAIL,
  },
  heldBy: {
    INVITING: 'TRANSACTION',
    PROCEEDING: 'TIMER',
    CANCEL_WANTED: 'TRANSACTION',
    CANCELLING: 'TIMER',
    CONFIRMED: 'USER',
    ENDING: 'TRANSACTION',
    ENDED: 'NOBODY',
  },
};

export const INCOMING_CALL: Machine<IncomingState, CallEvent> = {
  initial: 'RECEIVED',
  finals: ['ENDED'],
  transitions: {
    RECEIVED: {
      RING: 'RINGING',
      ANSWER: 'ANSWERED',
      REJECT: 'ENDED',
      HANG_UP: 'ENDED',
      CANCEL: 'ENDED',
      BYE: 'ENDED',
      LIMIT: 'ENDED',
    },
    RINGING: {
      RING: 'RINGING',
      ANSWER: 'ANSWERED',
      ANSWER_LATER: 'ANSWER_WANTED',
      REJECT: 'ENDED',
      HANG_UP: 'ENDED',
      CANCEL: 'ENDED',
      BYE: 'ENDED',
      NO_PRACK: 'ENDED',
      LIMIT: 'ENDED',
    },
    ANSWER_WANTED: {
      PRACKED: 'ANSWERED',
      REJECT: 'ENDED',
      HANG_UP: 'ENDED',
      CANCEL: 'ENDED',
      BYE: 'ENDED',
      NO_PRACK: 'ENDED',
    },
    ANSWERED: { ACK: 'CONFIRMED', NO_ACK: 'ENDED', BYE: 'ENDED', HANG_UP: 'HANG_UP_WANTED' },
    /** A callee sends no BYE before the ACK, or before giving up on it (15). */
    HANG_UP_WANTED: { ACK: 'ENDING', NO_ACK: 'ENDED', BYE: 'ENDED' },
    ...TAIL,
  },
  heldBy: {
    RECEIVED: 'TIMER',
    RINGING: 'TIMER',
    ANSWER_WANTED: 'TRANSACTION',
    ANSWERED: 'TRANSACTION',
    HANG_UP_WANTED: 'TRANSACTION',
    CONFIRMED: 'USER',
    ENDING: 'TRANSACTION',
    ENDED: 'NOBODY',
  },
};

/**
 * How long a state may last without any message. Ringing: a little more than a proxy's timer C (16.6, step 11: over
 * three minutes), so that a network's own limit is visible. CANCELLING: 64 T1 after the CANCEL the call has ended, with
 * or without a final response (9.1).
 */
export const CALL_LIMITS_MS: { readonly [state in CallState]?: number } = {
  PROCEEDING: 200_000,
  RECEIVED: 200_000,
  RINGING: 200_000,
  CANCELLING: 64 * T1_MS,
};

/** States whose limit restarts with each step within them: confirmed ringing continues, as for timer C. */
const LIMIT_RESTARTS: ReadonlySet<CallState> = new Set(['PROCEEDING']);

/** The compiled tables: a state's row holds its neighbours, not their names. */
export type CallRow = {
  readonly state: CallState;
  readonly next: { readonly [event in CallEvent]?: CallRow };
  /** 0: none. */
  readonly limitMs: number;
  readonly limitRestarts: boolean;
};

export type CallRows = { readonly initial: CallRow; readonly ended: CallRow };

function rowsOf<S extends CallState>({ initial, finals: [ended], transitions }: Machine<S, CallEvent>): CallRows {
  const rows = new Map<CallState, CallRow & { readonly next: { [event in CallEvent]?: CallRow } }>();
  for (const state of Object.keys(transitions) as S[])
    rows.set(state, { state, next: {}, limitMs: CALL_LIMITS_MS[state] ?? 0, limitRestarts: LIMIT_RESTARTS.has(state) });
  for (const { state, next } of rows.values())
    for (const [event, to] of Object.entries(transitions[state as S]) as [CallEvent, S][])
      next[event] = rows.get(to) as CallRow;
  return { initial: rows.get(initial) as CallRow, ended: rows.get(ended as S) as CallRow };
}

export const CALL_ROWS = { OUTGOING: rowsOf(OUTGOING_CALL), INCOMING: rowsOf(INCOMING_CALL) } as const;
