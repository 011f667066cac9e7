/** Nothing is open any more: the figures are drawn, the verdict is given, the run ends. */

import { isInstanceOver } from '../../domain/instance-machine.ts';
import type { RunEvent } from '../../domain/run-machine.ts';
import { judge } from '../../domain/validity.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { type InstanceRow, lockInstancesOfRun } from '../../store/instances.ts';
import { noiseOfRun, startNoiseOfRun } from '../../store/noise.ts';
import { type LockedRun, lockRun, storeFigures } from '../../store/runs.ts';
import { streamFigures } from '../../store/streams.ts';
import { drawFigures } from '../figures.ts';
import { finishLostStreams } from './lost-streams.ts';
import { moveRun, runError } from './move.ts';

export const settleRun = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'RUNNING') return;
    const instances = await lockInstancesOfRun(tx, runId);
    if (instances.some((i) => !isInstanceOver(i.status))) return;
    await finishLostStreams(tx, runId);
    const figures = await drawFigures(tx, runId, await streamFigures(tx, runId));
    await storeFigures(tx, runId, { ...figures, validity: await verdict(tx, runId) });
    const { event, error } = ending(ports, run, instances);
    await moveRun(ports, tx, run, event, error && { error });
  });

function ending(ports: Ports, run: LockedRun, instances: readonly InstanceRow[]) {
  if (run.endingEvent !== null) {
    return { event: run.endingEvent as RunEvent, error: run.endingError ? { ...run.endingError } : undefined };
  }
  if (instances.some((i) => i.status === 'DONE')) return { event: 'closed' as const, error: undefined };
  const message = 'Every worker of the run was lost. What they had reported until then is kept.';
  return { event: 'lost' as const, error: runError('ALL_WORKERS_LOST', message, ports.now()) };
}

async function verdict(tx: Tx, runId: string) {
  const noise = await noiseOfRun(tx, runId);
  const starts = await startNoiseOfRun(tx, runId);
  return judge(
    noise.map((n) => ({
      worker: n.workerName,
      atMs: n.at.getTime(),
      seconds: n.seconds,
      pacingError: n.pacing_error,
      slotsPlanned: n.slots_planned,
      slotsSkipped: n.slots_skipped,
      loopDelay: n.loop_delay,
      threadCpu: n.thread_cpu,
      steal: n.steal,
      receiveDrops: n.receive_drops,
      received: n.received,
    })),
    starts.map((s) => ({
      worker: s.workerName,
      inviteLate: s.invite_late,
      planned: s.planned,
      started: s.started,
      notStarted: s.not_started,
    })),
  );
}
