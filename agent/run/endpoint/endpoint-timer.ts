/** What endpoints are woken for, and what is woken to begin. */

/** What begins something at its planned instant. */
export interface Starter {
  /** Whether it would begin if it were its turn now, due at `dueAtMs`. */
  wouldStart(dueAtMs: number): boolean;
  onTimer(what: EndpointTimer, plannedAtMs: number): void;
}

export type EndpointTimer =
  | 'REGISTER'
  | 'CALL'
  | 'ANSWER_TIMEOUT'
  | 'PROGRESS'
  | 'ANSWER'
  | 'DIGITS'
  | 'LISTEN'
  | 'REFERRED'
  | 'HANG_UP'
  | 'RECEIVE_END'
  /** An action of the scenario. */
  | number;
