/** Wake-ups of endpoints, and endpoints that start something at an instant. */
import type { Planned } from '../../order/timetable.ts';

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
  | 'HANG_UP'
  | 'RECEIVE_END'
  /** An action of the scenario. */
  | number;

/** One instant for which an endpoint has asked. */
export type Waking = {
  readonly sleeper: Sleeper;
  readonly what: EndpointTimer;
  /** The endpoint's previous request. */
  before: Planned<Waking> | null;
};

export interface Sleeper {
  /** The last pending one. Only its share's wakings write it. */
  waking: Planned<Waking> | null;
  onTimer(what: EndpointTimer, plannedAtMs: number): void;
}
