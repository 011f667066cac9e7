/** Wake-ups of endpoints, and endpoints that start something at an instant. */

/** An endpoint that starts something at its planned instant. */
export interface Starter {
  /** Whether it would start if it had its turn now; its instant is `dueAtMs`. */
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
  /** The consultation call of an attended transfer should have been answered by now. */
  | 'CONSULTED'
  /** The last report on our REFER should have arrived by now, after the end of the call. */
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
