/**
 * State machines, for both sides of the link. A machine is a table: for every state, the events that it knows and where each leads. `step` refuses what
 * the table lacks; its caller performs the effects, and counts or logs at debug level what was refused. Tables are data, so laws about them
 * (every state can be reached, every state has a way out) are tested without a socket or a clock. No imports.
 */
export type Transitions<S extends string, E extends string> = {
  readonly [state in S]: { readonly [event in E]?: S };
};

/** What ends a state when no message arrives; only a final state has nothing. */
export type Holder =
  /** A timer of the state itself. */
  | 'TIMER'
  /** A transaction that is under way, with timers of its own. */
  | 'TRANSACTION'
  /** The code that uses the machine: the call above a transaction, the engine's owner above a call. */
  | 'USER'
  /** A job of the control plane: it is kept in the database and runs again after a restart. */
  | 'JOB'
  /** A person, or a program of others, which may never come: only of a machine without a final state. */
  | 'OUTSIDE'
  | 'NOBODY';

export type Machine<S extends string, E extends string> = {
  readonly initial: S;
  /** None: it goes on for as long as its thing exists. */
  readonly finals: readonly S[];
  readonly transitions: Transitions<S, E>;
  readonly heldBy: { readonly [state in S]: Holder };
};

/** Where `event` leads from `state`; null: the table has no such step, and nothing must happen. */
export function step<S extends string, E extends string>(
  transitions: Partial<Transitions<S, E>>,
  state: S,
  event: E,
): S | null {
  return transitions[state]?.[event] ?? null;
}

/** A state that nothing leaves. */
export const isFinal = <S extends string, E extends string>(transitions: Transitions<S, E>, state: S): boolean =>
  Object.keys(transitions[state]).length === 0;

/** The states that are not final, for queries. */
export const openStates = <S extends string, E extends string>(transitions: Transitions<S, E>): S[] =>
  (Object.keys(transitions) as S[]).filter((state) => !isFinal(transitions, state));
