/** One fault during live calls: how REST and SIPp saw them, and differences that are not permitted. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { RunDetail } from '../../peers/lab/lab.ts';
import { until } from '../../peers/process.ts';
import type { InjectedFault } from './fault.ts';
import { CALLS, type ChaosStage } from './stage.ts';

export type ChaosTrial = {
  readonly name: string;
  readonly status: string;
  readonly rest: { readonly calls: number; readonly good: number };
  readonly sipp: { readonly calls: number; readonly ended: number };
  /** The number of endpoints by reason of failure. */
  readonly failures: Readonly<Record<string, number>>;
  /** null: the state was never normal again. */
  readonly normalAfterSeconds: number | null;
  /** The deviations from the table; empty: the row holds. */
  readonly faults: readonly string[];
};

export async function tryFault(stage: ChaosStage, fault: InjectedFault): Promise<ChaosTrial> {
  const { lab } = stage;
  await lab.online(2);
  const before = await seen(stage);
  stage.runId = await lab.begin('calls');
  await lab.reaches(stage.runId, 'has four calls up', (run) => run.progress.phases.INCALL >= 4);
  await fault.strike(stage);
  const overAtMs = Date.now();
  const isReady = async () => (await lab.troubles()).length === 0;
  const normal = until('the control plane is ready', isReady).then(() => lab.online(2));
  const normalAfterSeconds = await normal.then(
    () => (Date.now() - overAtMs) / 1000,
    () => null,
  );
  const run = await settled(stage, fault.mayLose);
  const isEnded = async () => {
    const now = await seen(stage);
    return now.calls - before.calls === now.ended - before.ended;
  };
  // A process that was killed does not end its calls.
  const hangUp = fault.mayLose !== 'ITS_OWN' && fault.mayLose !== 'ALL';
  if (hangUp) await until('SIPp has a BYE of each call', isEnded).catch(() => undefined);
  const sipp = await seen(stage);
  const endpoints = await lab.endpoints(stage.runId);
  const failures: Record<string, number> = {};
  for (const { failure } of endpoints) if (failure) failures[failure.cause] = (failures[failure.cause] ?? 0) + 1;
  const counted = {
    rest: { calls: run.callTiming.totalCalls, good: run.callTiming.successCount },
    sipp: { calls: sipp.calls - before.calls, ended: sipp.ended - before.ended },
    failures,
  };
  const named = await namedAsLost(stage);
  const isLate = normalAfterSeconds === null || normalAfterSeconds > fault.normalWithinSeconds;
  const faults = [
    ...judge(fault.mayLose, counted, named),
    ...(isLate ? [`not normal within ${fault.normalWithinSeconds} s`] : []),
  ];
  return {
    name: fault.name,
    status: `${run.status}${run.revisedAt ? ', revised' : ''}`,
    ...counted,
    normalAfterSeconds,
    faults,
  };
}

type TrialFigures = Pick<ChaosTrial, 'rest' | 'sipp' | 'failures'>;

/** The counts that exceed `cost`. `named` is the number of endpoints that the events name as lost. Pure. */
function judge(cost: InjectedFault['mayLose'], { rest, sipp, failures }: TrialFigures, named: number): string[] {
  const lost = failures['WORKER_LOST'] ?? 0;
  const notStarted = failures['NOT_STARTED'] ?? 0;
  const excused = { NOTHING: 0, ITS_OWN: lost, ALL: failedCalls(failures), NAMED: named, NOT_STARTED: notStarted }[
    cost
  ];
  const stopped = cost === 'NAMED' ? (failures['STOPPED'] ?? 0) : 0;
  const failed = failedCalls(failures);
  return [
    ...(rest.good + failed === CALLS ? [] : [`${CALLS - rest.good - failed} calls are reported nowhere`]),
    ...(failed - stopped > excused ? [`${failed - stopped - excused} calls failed, of which nothing excuses`] : []),
    ...(cost === 'ITS_OWN' && lost > CALLS / 2 ? [`${lost - CALLS / 2} calls of the other agent are lost`] : []),
    ...(cost !== 'ITS_OWN' && cost !== 'ALL' && rest.good > sipp.ended
      ? [`REST has ${rest.good} good calls, SIPp ${sipp.ended}`]
      : []),
    ...(cost === 'NOTHING' && sipp.calls !== CALLS ? [`SIPp has seen ${sipp.calls} of ${CALLS} calls`] : []),
  ];
}

const failedCalls = (failures: TrialFigures['failures']): number =>
  Object.values(failures).reduce((sum, n) => sum + n, 0);

/** By this time, the jobs that revise figures are done. */
const REVISION_MS = 4000;

/** Waits until the run has ended, and every share that was not lost for good has returned. */
async function settled({ lab, runId }: ChaosStage, mayLose: InjectedFault['mayLose']): Promise<RunDetail> {
  const ends = mayLose === 'ITS_OWN' || mayLose === 'ALL' ? ['DONE', 'LOST'] : ['DONE'];
  const isOver = ({ endedAt, subPopulationInstances }: RunDetail): boolean =>
    endedAt !== null && subPopulationInstances.every((i) => ends.includes(i.status));
  const limitMs = 180_000;
  const over = until('the run is over', async () => lab.run(runId).then(isOver, () => false), { idleMs: limitMs });
  // If this never happens, the counts show it.
  await over.catch(() => undefined);
  await sleep(REVISION_MS);
  return lab.run(runId);
}

async function seen({ sipp }: ChaosStage): Promise<{ calls: number; ended: number }> {
  const { '0_INVITE_Recv': calls = 0, '4_BYE_Recv': ended = 0 } = (await sipp.history()).at(-1)?.messages ?? {};
  return { calls, ended };
}

async function namedAsLost({ lab, runId: testRunId }: ChaosStage): Promise<number> {
  const query = { projectId: lab.projectId, testRunId, kind: 'WORKER' as const, per_page: 100 };
  const { rows } = await lab.call('listTestRunEvents', query);
  return rows.reduce((sum, { detail }) => sum + Number(/did not report the end of (\d+) of/.exec(detail)?.[1] ?? 0), 0);
}
