/** Nothing is open any more: the figures are drawn, the verdict is given, the run ends. */

import { step } from '@carillon/proto/machine.ts';
import type { RunError } from '../../contract/run/run.ts';
import { addInterval, addStart, type NoiseTally } from '../../domain/figures/noise-tally.ts';
import { judge } from '../../domain/figures/validity.ts';
import { judgeTest } from '../../domain/probe/grade.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import { RUN, type RunEvent } from '../../domain/run/run-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { noiseOfRun, startNoiseOfRun } from '../../store/measured/noise.ts';
import { type InstanceRow, lockInstancesOfRun } from '../../store/run/instances.ts';
import { type LockedRun, lockRun, storeFigures } from '../../store/run/runs.ts';
import { callSource } from '../run-view/call-source.ts';
import { drawFigures } from '../run-view/figures.ts';
import { intervalOf } from '../run-view/noise.ts';
import { finishLostStreams } from './lost-streams.ts';
import { moveRun, overtime, runError } from './move.ts';
import { pairCalls } from './pair-calls.ts';

/** Retries before the run ends without figures. */
const ATTEMPTS = 5;

/** `attempt`: 1 for the first. */
export async function settleRun(ports: Ports, runId: string, attempt: number): Promise<void> {
  try {
    await settle(ports, runId);
  } catch (error) {
    if (attempt < ATTEMPTS) throw error;
    const { message, stack } = error as Error;
    ports.log.error({ runId, attempt, error: message, stack }, 'the run cannot be settled');
    await giveUp(ports, runId);
  }
}

const giveUp = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'RUNNING') return;
    const message = 'The figures of the run could not be drawn. What its agents reported is kept.';
    const broken = { event: 'broken' as const, error: runError('INTERNAL', message, ports.now()) };
    const { event, error } = pendingEnd(run) ?? broken;
    await moveRun(ports, tx, run, event, error && { error });
  });

const settle = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'RUNNING') return;
    const instances = await lockInstancesOfRun(tx, runId);
    if (instances.some((i) => !isInstanceOver(i.status))) return;
    const lost = instances.filter((i) => i.status === 'LOST');
    await finishLostStreams(
      tx,
      run,
      lost.map((i) => i.id),
    );
    await pairCalls(tx, run);
    const calls = callSource(tx, run);
    const figures = await drawFigures(tx, runId, calls, await calls.totals(), await calls.scales());
    const validity = await verdict(tx, runId);
    const { event, error } = ending(ports, run, instances);
    const isComplete = step(RUN.transitions, run.status, event) === 'COMPLETED';
    const judged = { ...figures, quality: figures.callQuality };
    const judgement = judgeTest(judged, validity.verdict, isComplete, run.config.thresholds);
    await storeFigures(tx, runId, { ...figures, ...judgement, validity });
    await moveRun(ports, tx, run, event, error && { error });
  });

type End = { readonly event: RunEvent; readonly error: RunError | undefined };

/** The end that was decided while the run was going on. */
const pendingEnd = (run: LockedRun): End | null =>
  run.endingEvent === null ? null : { event: run.endingEvent as RunEvent, error: run.endingError ?? undefined };

function ending(ports: Ports, run: LockedRun, instances: readonly InstanceRow[]): End {
  const pending = pendingEnd(run);
  if (pending) return pending;
  if (run.deadlineAt && ports.now() >= run.deadlineAt) return { event: 'overdue', error: overtime(ports, run) };
  if (instances.some((i) => i.status === 'DONE')) return { event: 'closed', error: undefined };
  const message = 'Every worker of the run was lost. What they had reported until then is kept.';
  return { event: 'lost', error: runError('ALL_WORKERS_LOST', message, ports.now()) };
}

async function verdict(tx: Tx, runId: string) {
  const tally: NoiseTally = new Map();
  for await (const n of noiseOfRun(tx, runId)) {
    addInterval(tally, intervalOf(n, n.workerName));
  }
  for await (const s of startNoiseOfRun(tx, runId)) {
    addStart(tally, {
      worker: s.workerName,
      inviteLate: s.invite_late,
      actionLate: s.action_late,
      planned: s.planned,
      notStarted: s.not_started,
    });
  }
  return judge(tally);
}
