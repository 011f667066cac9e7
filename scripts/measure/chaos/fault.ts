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
  readonly on: StageKind;
  readonly mayLose: Cost;
  /** The time until `/readyz` reports no problem and agents are online, counted from the end of the fault. */
  readonly normalWithinSeconds: number;
  /** Called during calls. It resolves when the fault is over. */
  strike(stage: ChaosStage): Promise<unknown>;
};

type MakeFault = (name: string, normalWithinSeconds: number, strike: InjectedFault['strike']) => InjectedFault;

/** Creates rows for a stage, by what they may lose. */
export const onStage = (
  on: StageKind,
): Readonly<Record<'nothing' | 'itsOwn' | 'all' | 'named' | 'notStarted', MakeFault>> => {
  const row =
    (mayLose: Cost): MakeFault =>
    (name, normalWithinSeconds, strike) => ({ on, mayLose, name, normalWithinSeconds, strike });
  return {
    nothing: row('NOTHING'),
    itsOwn: row('ITS_OWN'),
    all: row('ALL'),
    named: row('NAMED'),
    notStarted: row('NOT_STARTED'),
  };
};
