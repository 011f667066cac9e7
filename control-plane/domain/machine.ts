/** A state machine is a table. An empty row is a final state. */
export type Table<S extends string, E extends string> = { readonly [state in S]: { readonly [event in E]?: S } };

/** undefined: the table lacks this event in this state; the caller changes nothing and says so. */
export const step = <S extends string, E extends string>(table: Table<S, E>, from: S, event: E): S | undefined =>
  table[from][event];

export const isFinal = <S extends string, E extends string>(table: Table<S, E>, state: S): boolean =>
  Object.keys(table[state]).length === 0;

/** The states that are not final, for queries. */
export const openStates = <S extends string, E extends string>(table: Table<S, E>): S[] =>
  (Object.keys(table) as S[]).filter((state) => !isFinal(table, state));
