/** Starts a run: a row and a job in one transaction; the job does the rest. */
import { notFound } from '../../contract/errors.ts';
import { RESERVE_SHARE } from '../../domain/run/plan/capacity.ts';
import { PENDING_LIMIT_SECONDS } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { holdProject } from '../../store/project/projects.ts';
import { insertEvents } from '../../store/run/events.ts';
import { appendHistory, insertRun, type NewRun } from '../../store/run/runs.ts';
import { OF_THE_RUN } from '../../store/run/views/run-counts.ts';

/** @throws ApiError NOT_FOUND: the project was deleted in the meantime */
export async function submitRun(ports: Ports, tx: Tx, run: NewRun, at: Date): Promise<void> {
  if (!(await holdProject(tx, run.projectId))) throw notFound('project', run.projectId);
  await insertRun(tx, { ...run, reserveShare: RESERVE_SHARE.load }, at);
  await appendHistory(tx, run.id, { from: null, to: 'PENDING', event: 'submitted', at });
  await insertEvents(tx, run.id, OF_THE_RUN, {
    unixMs: [at.getTime()],
    endpoint: [Number.NaN],
    kind: ['STATUS'],
    detail: ['PENDING'],
  });
  await enqueueSubmitted(ports, tx, [run.id], at, run.canary?.idleSeconds ?? null);
}

/**
 * Enqueues the first jobs of new runs. `canarySeconds`: the longest time that they wait for their canary; null: they
 * have none.
 */
export async function enqueueSubmitted(
  ports: Ports,
  tx: Tx,
  runIds: readonly string[],
  at: Date,
  canarySeconds: number | null = null,
): Promise<void> {
  const first = runIds.map((runId) => ({ runId }));
  if (canarySeconds === null) await ports.jobs.enqueueAll(tx, 'run.validate', first);
  else {
    await ports.jobs.enqueueAll(tx, 'run.canary', first);
    await ports.jobs.enqueueAll(tx, 'run.canary', first, { startAfter: secondsAfter(at, canarySeconds) });
  }
  const watch = runIds.map((runId) => ({ runId, status: 'PENDING' as const }));
  await ports.jobs.enqueueAll(tx, 'run.watch', watch, {
    startAfter: secondsAfter(at, PENDING_LIMIT_SECONDS + (canarySeconds ?? 0)),
  });
}
