/**
 * State machines, for both sides of the link. A machine is a table: for every state, the known events and the next
 * states. `step` refuses what the table lacks; its caller performs the effects, and counts refusals or logs them at
 * debug level. Tables are data, so laws about them (every state is reachable, every state has an exit) are tested
 * without a socket or a clock. No imports.
 */
export type Transitions<S extends string, E extends string> = {
  readonly [state in S]: { readonly [event in E]?: S };
};

/** The condition that ends a state if no message arrives; only a final state has none. */
export type Holder =
  /** A timer of the state itself. */
  | 'TIMER'
  /** A transaction in progress, with its own timers. */
  | 'TRANSACTION'
  /** The code that uses the machine: the call uses a transaction, and the engine's owner uses a call. */
  | 'USER'
  /** A job of the control plane: it is kept in the database and runs again after a restart. */
  | 'JOB'
  /** A person, or a program of others, which may never act. Only a machine without a final state has this holder. */
  | 'OUTSIDE'
  | 'NOBODY';

export type Machine<S extends string, E extends string> = {
  readonly initial: S;
  /** Empty: the machine lasts as long as its object exists. */
  readonly finals: readonly S[];
  readonly transitions: Transitions<S, E>;
  readonly heldBy: { readonly [state in S]: Holder };
};

/** The next state after `event` in `state`; null: the table has no such step, and nothing may happen. */
export function step<S extends string, E extends string>(
  transitions: Partial<Transitions<S, E>>,
  state: S,
  event: E,
): S | null {
  return transitions[state]?.[event] ?? null;
}

/** True: the state has no exit. */
export const isFinal = <S extends string, E extends string>(transitions: Transitions<S, E>, state: S): boolean =>
  Object.keys(transitions[state]).length === 0;

/** The states that are not final, for queries. */
export const openStates = <S extends string, E extends string>(transitions: Transitions<S, E>): S[] =>
  (Object.keys(transitions) as S[]).filter((state) => !isFinal(transitions, state));
