/** Starts a run: a row and a job in one transaction; the job does the rest. */
import { notFound } from '../../contract/errors.ts';
import { RESERVE_SHARE } from '../../domain/run/plan/capacity.ts';
import { PENDING_LIMIT_SECONDS } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { BeforeLoad } from '../../hooks.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { holdProject } from '../../store/project/projects.ts';
import { insertEvents } from '../../store/run/events.ts';
import { appendHistory } from '../../store/run/locked-run.ts';
import { insertRun, type NewRun } from '../../store/run/new-run.ts';
import { OF_THE_RUN } from '../../store/run/views/run-counts.ts';

/** `beforeLoad`: what precedes the load; absent: nothing. */
export type SubmittedRun = NewRun & { readonly beforeLoad?: BeforeLoad };

/** @throws ApiError NOT_FOUND: the project was deleted in the meantime */
export async function submitRun(ports: Ports, tx: Tx, run: SubmittedRun, at: Date): Promise<void> {
  if (!(await holdProject(tx, run.projectId))) throw notFound('project', run.projectId);
  await insertRun(tx, { ...run, reserveShare: RESERVE_SHARE.load }, at);
  await appendHistory(tx, run.id, { from: null, to: 'PENDING', event: 'submitted', at });
  await insertEvents(tx, run.id, OF_THE_RUN, {
    unixMs: [at.getTime()],
    endpoint: [Number.NaN],
    kind: ['STATUS'],
    detail: ['PENDING'],
  });
  if (run.beforeLoad === undefined) return enqueueSubmitted(ports, tx, [run.id], at);
  await run.beforeLoad.begin(tx, run.id);
  await watchPending(ports, tx, [run.id], secondsAfter(at, run.beforeLoad.longestSeconds));
}

/** Enqueues the first jobs of new runs whose load waits for nothing. */
export async function enqueueSubmitted(ports: Ports, tx: Tx, runIds: readonly string[], at: Date): Promise<void> {
  const first = runIds.map((runId) => ({ runId }));
  await ports.jobs.enqueueAll(tx, 'run.validate', first);
  await watchPending(ports, tx, runIds, at);
}

/** `from`: the time at which they can be validated at the latest. */
const watchPending = (ports: Ports, tx: Tx, runIds: readonly string[], from: Date): Promise<void> => {
  const watch = runIds.map((runId) => ({ runId, status: 'PENDING' as const }));
  return ports.jobs.enqueueAll(tx, 'run.watch', watch, { startAfter: secondsAfter(from, PENDING_LIMIT_SECONDS) });
};
