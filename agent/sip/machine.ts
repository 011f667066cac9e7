/**
 * A machine is a table: for every state, the events it knows and where they lead. `step` refuses what the table lacks;
 * whoever calls it performs the effects. Tables are data, so laws about them can be tested (every state reachable, no
 * state without a way out) without a socket or a clock.
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
  /** Whoever uses the machine: the call above a transaction, the engine's owner above a call. */
  | 'USER'
  | 'NOBODY';

export type Machine<S extends string, E extends string> = {
  readonly initial: S;
  readonly final: S;
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
