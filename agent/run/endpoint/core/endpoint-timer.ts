/** Wake-ups of endpoints, and endpoints that start something at an instant. */

/** An endpoint that starts something at its planned instant. */
export interface Starter {
  /** Whether it would start if it were its turn now, due at `dueAtMs`. */
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
  /** The consultation call of an attended transfer was to be answered. */
  | 'CONSULTED'
  /** The last report on our REFER was to come, after the end of the call. */
  | 'REPORT_DUE'
  | 'HANG_UP'
  | 'RECEIVE_END'
  /** An action of the scenario. */
  | number;

export interface Sleeper {
  /** Its last pending entry, initially NO_ENTRY. Only its share's wakings write it. */
  waking: number;
  onTimer(what: EndpointTimer, plannedAtMs: number): void;
}
