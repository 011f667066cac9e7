/** What endpoints are woken for, and what is woken to begin. */
import type { Planned } from '../order/timetable.ts';

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
  /** The one that the endpoint asked for before. */
  before: Planned<Waking> | null;
};

export interface Sleeper {
  /** The last one of those that are to come. Only its share's wakings write it. */
  waking: Planned<Waking> | null;
  onTimer(what: EndpointTimer, plannedAtMs: number): void;
}
