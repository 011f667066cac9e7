/**
 * The four transaction machines: RFC 3261, 17.1.1 (figure 5), 17.1.2 (figure 6), 17.2.1 (figure 7), 17.2.2 (figure 8),
 * with the Accepted states of RFC 6026. These tables only say what leads where; effects are the transactions' own.
 */
import type { Machine } from '@carillon/proto/base/machine.ts';
import type { ClientTimer, ServerTimer } from '../timers.ts';

export type ClientEvent =
  | 'RESPONSE_1XX'
  | 'RESPONSE_2XX'
  | 'RESPONSE_3XX_6XX'
  | 'TRANSPORT_ERROR'
  /** The user no longer waits for a final response to an INVITE that it cancelled (RFC 3261, 9.1). */
  | 'ABANDON'
  | ClientTimer;

export type ServerEvent =
  /** The request again. */
  'REQUEST' | 'ACK' | 'SEND_1XX' | 'SEND_2XX' | 'SEND_3XX_6XX' | 'TRANSPORT_ERROR' | ServerTimer;

/** The timers that run in a state: at most one that re-sends and one that ends it. */
export type StateTimers<T extends string> = { readonly retransmit: T | null; readonly timeout: T | null };

export type TransactionMachine<S extends string, E extends string, T extends string> = Machine<S, E> & {
  readonly timers: { readonly [state in S]: StateTimers<T> };
};

type InviteClientState = 'CALLING' | 'PROCEEDING' | 'ACCEPTED' | 'COMPLETED' | 'TERMINATED';
type NonInviteClientState = 'TRYING' | 'PROCEEDING' | 'COMPLETED' | 'TERMINATED';
type InviteServerState = 'PROCEEDING' | 'ACCEPTED' | 'COMPLETED' | 'CONFIRMED' | 'TERMINATED';
type NonInviteServerState = 'TRYING' | 'PROCEEDING' | 'COMPLETED' | 'TERMINATED';

export type ClientState = InviteClientState | NonInviteClientState;
export type ServerState = InviteServerState | NonInviteServerState;

const NO_TIMERS: StateTimers<never> = { retransmit: null, timeout: null };
const only = <T extends string>(timeout: T): StateTimers<T> => ({ retransmit: null, timeout });

/** PROCEEDING has no timer in RFC 3261 (timer C is a proxy's); the call watches it (dialog/call-tables.ts). */
export const INVITE_CLIENT: TransactionMachine<InviteClientState, ClientEvent, ClientTimer> = {
  initial: 'CALLING',
  finals: ['TERMINATED'],
  transitions: {
    CALLING: {
      RESPONSE_1XX: 'PROCEEDING',
      RESPONSE_2XX: 'ACCEPTED',
      RESPONSE_3XX_6XX: 'COMPLETED',
      TIMER_A: 'CALLING',
      TIMER_B: 'TERMINATED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    PROCEEDING: {
      RESPONSE_1XX: 'PROCEEDING',
      RESPONSE_2XX: 'ACCEPTED',
      RESPONSE_3XX_6XX: 'COMPLETED',
      ABANDON: 'TERMINATED',
    },
    ACCEPTED: { RESPONSE_2XX: 'ACCEPTED', TIMER_M: 'TERMINATED' },
    COMPLETED: { RESPONSE_3XX_6XX: 'COMPLETED', TIMER_D: 'TERMINATED', TRANSPORT_ERROR: 'TERMINATED' },
    TERMINATED: {},
  },
  timers: {
    CALLING: { retransmit: 'TIMER_A', timeout: 'TIMER_B' },
    PROCEEDING: NO_TIMERS,
    ACCEPTED: only('TIMER_M'),
    COMPLETED: only('TIMER_D'),
    TERMINATED: NO_TIMERS,
  },
  heldBy: { CALLING: 'TIMER', PROCEEDING: 'USER', ACCEPTED: 'TIMER', COMPLETED: 'TIMER', TERMINATED: 'NOBODY' },
};

export const NON_INVITE_CLIENT: TransactionMachine<NonInviteClientState, ClientEvent, ClientTimer> = {
  initial: 'TRYING',
  finals: ['TERMINATED'],
  transitions: {
    TRYING: {
      RESPONSE_1XX: 'PROCEEDING',
      RESPONSE_2XX: 'COMPLETED',
      RESPONSE_3XX_6XX: 'COMPLETED',
      TIMER_E: 'TRYING',
      TIMER_F: 'TERMINATED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    PROCEEDING: {
      RESPONSE_1XX: 'PROCEEDING',
      RESPONSE_2XX: 'COMPLETED',
      RESPONSE_3XX_6XX: 'COMPLETED',
      TIMER_E: 'PROCEEDING',
      TIMER_F: 'TERMINATED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    COMPLETED: { RESPONSE_2XX: 'COMPLETED', RESPONSE_3XX_6XX: 'COMPLETED', TIMER_K: 'TERMINATED' },
    TERMINATED: {},
  },
  timers: {
    TRYING: { retransmit: 'TIMER_E', timeout: 'TIMER_F' },
    PROCEEDING: { retransmit: 'TIMER_E', timeout: 'TIMER_F' },
    COMPLETED: only('TIMER_K'),
    TERMINATED: NO_TIMERS,
  },
  heldBy: { TRYING: 'TIMER', PROCEEDING: 'TIMER', COMPLETED: 'TIMER', TERMINATED: 'NOBODY' },
};

export const INVITE_SERVER: TransactionMachine<InviteServerState, ServerEvent, ServerTimer> = {
  initial: 'PROCEEDING',
  finals: ['TERMINATED'],
  transitions: {
    PROCEEDING: {
      REQUEST: 'PROCEEDING',
      SEND_1XX: 'PROCEEDING',
      SEND_2XX: 'ACCEPTED',
      SEND_3XX_6XX: 'COMPLETED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    ACCEPTED: { REQUEST: 'ACCEPTED', ACK: 'ACCEPTED', SEND_2XX: 'ACCEPTED', TIMER_L: 'TERMINATED' },
    COMPLETED: {
      REQUEST: 'COMPLETED',
      ACK: 'CONFIRMED',
      TIMER_G: 'COMPLETED',
      TIMER_H: 'TERMINATED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    CONFIRMED: { REQUEST: 'CONFIRMED', ACK: 'CONFIRMED', TIMER_I: 'TERMINATED' },
    TERMINATED: {},
  },
  timers: {
    PROCEEDING: NO_TIMERS,
    ACCEPTED: only('TIMER_L'),
    COMPLETED: { retransmit: 'TIMER_G', timeout: 'TIMER_H' },
    CONFIRMED: only('TIMER_I'),
    TERMINATED: NO_TIMERS,
  },
  heldBy: { PROCEEDING: 'USER', ACCEPTED: 'TIMER', COMPLETED: 'TIMER', CONFIRMED: 'TIMER', TERMINATED: 'NOBODY' },
};

export const NON_INVITE_SERVER: TransactionMachine<NonInviteServerState, ServerEvent, ServerTimer> = {
  initial: 'TRYING',
  finals: ['TERMINATED'],
  transitions: {
    TRYING: {
      REQUEST: 'TRYING',
      SEND_1XX: 'PROCEEDING',
      SEND_2XX: 'COMPLETED',
      SEND_3XX_6XX: 'COMPLETED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    PROCEEDING: {
      REQUEST: 'PROCEEDING',
      SEND_1XX: 'PROCEEDING',
      SEND_2XX: 'COMPLETED',
      SEND_3XX_6XX: 'COMPLETED',
      TRANSPORT_ERROR: 'TERMINATED',
    },
    COMPLETED: { REQUEST: 'COMPLETED', TIMER_J: 'TERMINATED', TRANSPORT_ERROR: 'TERMINATED' },
    TERMINATED: {},
  },
  timers: { TRYING: NO_TIMERS, PROCEEDING: NO_TIMERS, COMPLETED: only('TIMER_J'), TERMINATED: NO_TIMERS },
  heldBy: { TRYING: 'USER', PROCEEDING: 'USER', COMPLETED: 'TIMER', TERMINATED: 'NOBODY' },
};
