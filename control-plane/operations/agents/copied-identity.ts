/**
 * Recognizes two agents with one key, such as a cloned host or a stolen state folder. A process keeps one id for its
 * life, and a restarted agent has a new one. So a process that returns after another one has replaced it proves that
 * both are alive. The second one is refused, and the worker gets no runs until only one agent has connected for a
 * while. Keys are left as they are.
 */
import { step } from '@carillon/proto/base/machine.ts';
import { isOver, REVISABLE_SECONDS } from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { WORKER } from '../../domain/worker-machine.ts';
import type { Ports } from '../../ports.ts';
import { markCopied, type WorkerRow } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { insertWorkerEvent } from '../../store/run/events.ts';
import { openInstancesOfWorker } from '../../store/run/instances.ts';
import { believedRunsOf, markLate } from '../../store/run/late-shares.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { announceWorker } from './announce-worker.ts';

const ALONE_SECONDS = 600;
export const SECOND_RETRY_MS = 30_000;

export const COPIED =
  'Another agent uses the key of this one: a copy of its host, or of its state folder. Stop one of them, and enroll it with a join token of its own worker.';

/** A second agent that was last seen before this instant no longer counts. */
export const copiesSince = (at: Date): Date => secondsAfter(at, -ALONE_SECONDS);

export const isCopied = ({ copiedAt }: Pick<WorkerRow, 'copiedAt'>, at: Date): boolean =>
  copiedAt !== null && copiedAt >= copiesSince(at);

/** True if another process, which is connected, has replaced this one. */
export const isSecond = (worker: WorkerRow, bootId: string): boolean =>
  worker.status !== 'OFFLINE' && worker.bootId !== bootId && worker.formerBoots.includes(bootId);

const IN_DOUBT = 'is used by two agents with one key: what the run measured there is not to be trusted';

/**
 * Judges runs again that had ended before the first agent returned, when the copy could not be known yet. This takes a
 * transaction after that of the greeting, because runs are locked before workers.
 */
export async function judgeAgain(ports: Ports, workerId: string): Promise<void> {
  const at = ports.now();
  const since = secondsAfter(at, -REVISABLE_SECONDS);
  for (const runId of await believedRunsOf(ports.database.db, workerId, since)) {
    await ports.database.transaction(async (tx) => {
      const run = await lockRun(tx, runId);
      if (!run || !isOver(run.status)) return;
      await insertWorkerEvent(tx, { runId, workerId }, at, IN_DOUBT);
      await markLate(tx, runId, at);
      await ports.jobs.enqueue(tx, 'run.settle', { runId });
    });
  }
}

/** Reports the copy to the organization by its webhooks, and in the runs that the worker carries. */
export async function noteSecond(ports: Ports, tx: Tx, worker: WorkerRow): Promise<void> {
  const at = ports.now();
  const status = step(WORKER.transitions, worker.status, 'faulted') ?? worker.status;
  await markCopied(tx, worker.id, status, at);
  await announceWorker(ports, tx, worker, worker.status, status);
  if (isCopied(worker, at)) return;
  ports.log.error({ workerId: worker.id, name: worker.name }, 'two agents have the key of one worker');
  const runs = new Set((await openInstancesOfWorker(tx, worker.id)).map((i) => i.runId));
  for (const runId of runs) await insertWorkerEvent(tx, { runId, workerId: worker.id }, at, IN_DOUBT);
}
