/** A row of the table: a fault, what it may cost, and how soon everything is as before. */
import type { Stage, StageKind } from './stage.ts';

/**
 * NOTHING: every planned call is placed and good, by REST and by SIPp. ITS_OWN: calls of the agent that the fault ended; every other call is
 * good. ALL: no agent is left to place calls; every call is told of. NAMED: calls whose ends the run's events say are lost; every other call
 * is as SIPp saw it. NOT_STARTED: calls that an agent did not begin, which the run's validity says.
 */
export type Cost = 'NOTHING' | 'ITS_OWN' | 'ALL' | 'NAMED' | 'NOT_STARTED';

export type Fault = {
  readonly name: string;
  /** Absent: an installation with its embedded database. */
  readonly on?: StageKind;
  readonly mayLose: Cost;
  /** `/readyz` tells no trouble, agents online; counted from when the fault is over. */
  readonly normalWithinSeconds: number;
  /** With calls up; resolves when the fault is over. */
  strike(stage: Stage): Promise<void>;
};
