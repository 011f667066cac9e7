/**
 * The compiled tables of machines and timers for transactions: each state is a row that holds its neighbours, not their
 * names.
 */
import type { Transitions } from '@carillon/proto/base/machine.ts';
import { TIMERS, type TimerName } from '../timers.ts';
import type { StateTimers, TransactionMachine } from './tables.ts';
import { INVITE_CLIENT, INVITE_SERVER, NON_INVITE_CLIENT, NON_INVITE_SERVER } from './tables.ts';

export type Row<S extends string, E extends string, T extends string> = StateTimers<T> & {
  readonly state: S;
  readonly isFinal: boolean;
  readonly next: { readonly [event in E]?: Row<S, E, T> };
  /** First interval over UDP; 0 without such a timer. */
  readonly retransmitMs: number;
  readonly timeoutMs: number;
  /** Over TCP and TLS. */
  readonly reliableTimeoutMs: number;
};

export type Rows<S extends string, E extends string, T extends string> = {
  readonly name: string;
  readonly initial: Row<S, E, T>;
  readonly of: { readonly [state in S]?: Row<S, E, T> };
};

type Open<S extends string, E extends string, T extends string> = { [event in E]?: Row<S, E, T> };

function rowsOf<S extends string, E extends string, T extends TimerName>(
  name: string,
  machine: TransactionMachine<S, E, T>,
): Rows<S, E, T> {
  const states = Object.keys(machine.transitions) as S[];
  const of = {} as { [state in S]: Row<S, E, T> };
  const open = new Map<S, Open<S, E, T>>();
  for (const state of states) {
    const next: Open<S, E, T> = {};
    const { retransmit, timeout } = machine.timers[state];
    const end = timeout === null ? null : TIMERS[timeout];
    open.set(state, next);
    of[state] = {
      state,
      isFinal: machine.finals.includes(state),
      next,
      retransmit,
      timeout,
      retransmitMs: retransmit === null ? 0 : TIMERS[retransmit].ms,
      timeoutMs: end?.ms ?? 0,
      reliableTimeoutMs: end?.reliableMs ?? end?.ms ?? 0,
    };
  }
  for (const [state, next] of open)
    for (const [event, to] of Object.entries((machine.transitions as Transitions<S, E>)[state]) as [E, S][])
      next[event] = of[to];
  return { name, initial: of[machine.initial], of };
}

export const CLIENT_ROWS = {
  invite: rowsOf('INVITE client transaction', INVITE_CLIENT),
  other: rowsOf('non-INVITE client transaction', NON_INVITE_CLIENT),
};
export const SERVER_ROWS = {
  invite: rowsOf('INVITE server transaction', INVITE_SERVER),
  other: rowsOf('non-INVITE server transaction', NON_INVITE_SERVER),
};
