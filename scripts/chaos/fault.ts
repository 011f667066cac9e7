/** A row of the table: a fault, its permitted cost, and the time until everything is normal. */
import type { ChaosStage, StageKind } from './stage.ts';

/**
 * NOTHING: every planned call is placed and good, by REST and by SIPp. ITS_OWN: calls of the agent that the fault
 * ended; every other call is good. ALL: no agent is left to place calls; every call is reported. NAMED: calls whose
 * ends are lost according to the run's events; every other call is as SIPp saw it. NOT_STARTED: calls that an agent did
 * not start, as reported by the run's validity.
 */
export type Cost = 'NOTHING' | 'ITS_OWN' | 'ALL' | 'NAMED' | 'NOT_STARTED';

export type InjectedFault = {
  readonly name: string;
  /** Absent: an installation with its embedded database. */
  readonly on?: StageKind;
  readonly mayLose: Cost;
  /** `/readyz` reports no problem, agents are online; counted from the end of the fault. */
  readonly normalWithinSeconds: number;
  /** With calls up; resolves when the fault is over. */
  strike(stage: ChaosStage): Promise<unknown>;
};
