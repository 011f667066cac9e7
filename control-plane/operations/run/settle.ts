/** Everything is closed: computes the figures and the verdict, and ends the run. */

import { step } from '@carillon/proto/base/machine.ts';
import type { RunError } from '../../contract/run/run.ts';
import { addSkipped, addStart } from '../../domain/figures/noise-tally.ts';
import { judge } from '../../domain/figures/validity.ts';
import { judgeTest } from '../../domain/probe/grade.ts';
import { isInstanceOver } from '../../domain/run/instance-machine.ts';
import { isOver, RUN, type RunEvent } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { copiedWorkersOf } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { skippedOfRun, startNoiseOfRun } from '../../store/measured/noise.ts';
import { closeLostEndpoints } from '../../store/run/endpoint-ends.ts';
import { insertEvents, insertWorkerEvent } from '../../store/run/events.ts';
import { type InstanceRow, instancesWithOpenEndpoints, lockInstancesOfRun } from '../../store/run/instances.ts';
import { markRevised } from '../../store/run/late-shares.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { storeFigures } from '../../store/run/run-figures.ts';
import { OF_THE_RUN } from '../../store/run/views/run-counts.ts';
import { callSource } from '../run-view/call-source.ts';
import { drawAhead } from '../run-view/draw-ahead.ts';
import { drawFigures } from '../run-view/figures.ts';
import { noiseOfIntervals } from '../run-view/noise.ts';
import { foldLost } from './fold.ts';
import { finishLostStreams } from './lost-streams.ts';
import { moveRun, overtime, runError } from './move.ts';
import { pairCalls } from './pair-calls.ts';

/** Retries before the run ends without figures. */
const ATTEMPTS = 5;
/** Two agents with one key are recognized when the first one returns. */
const COPY_MARGIN_SECONDS = 30;

/** `attempt`: 1 for the first. */
export async function settleRun(ports: Ports, runId: string, attempt: number): Promise<void> {
  try {
    const settled = await settle(ports, runId);
    if (settled) await drawAhead(ports, { projectId: settled.projectId, testRunId: runId });
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

/** @returns undefined: the run is gone */
const settle = (ports: Ports, runId: string): Promise<LockedRun | undefined> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run || !isToSettle(run)) return run;
    const instances = await lockInstancesOfRun(tx, runId);
    if (instances.some((i) => !isInstanceOver(i.status))) return run;
    const unreported = await closeUnreported(ports, tx, run, instances);
    const lost = instances.filter((i) => i.status === 'LOST').map((i) => i.id);
    await finishLostStreams(tx, run, [...lost, ...unreported]);
    await pairCalls(ports, tx, run);
    const calls = callSource(tx, run);
    const figures = await drawFigures(tx, runId, calls, await calls.totals(), await calls.scales());
    const validity = await verdict(tx, run, ports.now());
    const end = isOver(run.status) ? null : ending(ports, run, instances);
    const isComplete = (end ? step(RUN.transitions, run.status, end.event) : run.status) === 'COMPLETED';
    const judged = { ...figures, quality: figures.callQuality };
    const judgement = judgeTest(judged, validity.verdict, isComplete, run.config.thresholds);
    await storeFigures(tx, runId, { ...figures, ...judgement, validity });
    if (end) await moveRun(ports, tx, run, end.event, end.error && { error: end.error });
    else await noteRevision(ports, tx, run);
    return run;
  });

/** True if nothing is settled yet, or if a share has returned since. */
const isToSettle = ({ status, lateAt, revisedAt }: LockedRun): boolean =>
  isOver(status) ? lateAt !== null && (revisedAt === null || revisedAt < lateAt) : status === 'RUNNING';

async function noteRevision(ports: Ports, tx: Tx, run: LockedRun): Promise<void> {
  const at = ports.now();
  await markRevised(tx, run.id, at);
  await insertEvents(tx, run.id, OF_THE_RUN, {
    unixMs: [at.getTime()],
    endpoint: [Number.NaN],
    kind: ['STATUS'],
    detail: [`${run.status}: the figures were recalculated with late results`],
  });
  ports.log.info({ runId: run.id, status: run.status }, 'run revised');
}

const UNREPORTED = "Its agent has ended its share, and did not report the end of this call: the run's events say why.";

/** Every agent has ended, but the end of some endpoints was lost on the way. Returns the instances of these endpoints. */
async function closeUnreported(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  instances: readonly InstanceRow[],
): Promise<string[]> {
  const open = await instancesWithOpenEndpoints(tx, run.id);
  const unreported = instances.filter((i) => open.has(i.id));
  for (const instance of unreported) {
    const closed = await closeLostEndpoints(tx, run.id, instance.id, UNREPORTED, ports.now());
    if (run.isFolded) await foldLost(tx, instance, closed, UNREPORTED);
    const words = `has ended its share, and did not report the end of ${closed.length} of ${instance.endpoints} endpoints: they count as lost`;
    await insertWorkerEvent(tx, instance, ports.now(), words);
  }
  return unreported.map((i) => i.id);
}

type End = { readonly event: RunEvent; readonly error: RunError | undefined };

/** The end that was decided while the run was in progress. */
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

async function verdict(tx: Tx, run: LockedRun, at: Date) {
  const { id: runId, startedAt } = run;
  const tally = await noiseOfIntervals(tx, runId);
  for await (const s of startNoiseOfRun(tx, runId)) {
    addStart(tally, {
      worker: s.workerName,
      inviteLate: s.invite_late,
      actionLate: s.action_late,
      planned: s.planned,
      notStarted: s.not_started,
    });
  }
  for (const skipped of await skippedOfRun(tx, run)) addSkipped(tally, skipped);
  return judge(tally, await copiedWorkersOf(tx, runId, secondsAfter(startedAt ?? at, -COPY_MARGIN_SECONDS)));
}
