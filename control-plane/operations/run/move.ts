/**
 * The state changes of a run. The caller has locked the row; the step is taken, stored with its history and event, and
 * the new state's watch is enqueued, all in the caller's transaction.
 */

import { step } from '@carillon/proto/base/machine.ts';
import type { RunError } from '../../contract/run/run.ts';
import type { RunErrorCode } from '../../contract/run/words.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import { longestRegistering } from '../../contract/test-settings/longest.ts';
import { usedSeconds } from '../../domain/plans.ts';
import { encodingSeconds, mediaFileIds } from '../../domain/run/preflight/needs.ts';
import {
  isOver,
  PENDING_LIMIT_SECONDS,
  READY_LIMIT_SECONDS,
  RUN,
  type RunEvent,
} from '../../domain/run/run-machine.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { dropStaleCommands } from '../../store/agents/commands.ts';
import type { Tx } from '../../store/db.ts';
import { addUsage } from '../../store/people/usage.ts';
import { mediaDurationsMs } from '../../store/project/media-files.ts';
import { insertEvents } from '../../store/run/events.ts';
import { appendHistory, changeRun, type LockedRun, type RunChange } from '../../store/run/locked-run.ts';
import { OF_THE_RUN } from '../../store/run/views/run-counts.ts';
import { resultOfRun } from '../../store/run/views/run-results.ts';
import { announce } from '../notify/announce.ts';
import { settleExecution } from '../probe/settle.ts';

export const runError = (code: RunErrorCode, message: string, at: Date): RunError => ({
  code,
  message,
  at: at.toISOString(),
});

export const overtime = (ports: Ports, run: LockedRun): RunError => {
  const message = `The run was still going on ${run.maxExecutionSeconds} s after its start, its maximum execution time.`;
  return runError('EXECUTION_TIME_EXCEEDED', message, ports.now());
};

/** The new status; undefined: the event has no effect in this state, and nothing was changed. */
export async function moveRun(
  ports: Ports,
  tx: Tx,
  run: LockedRun,
  event: RunEvent,
  change: Omit<RunChange, 'status'> = {},
): Promise<RunStatus | undefined> {
  const to = step(RUN.transitions, run.status, event);
  if (to === null) {
    ports.log.debug({ runId: run.id, status: run.status, event }, 'the run ignores this event');
    return undefined;
  }
  const at = ports.now();
  await changeRun(tx, run.id, { ...change, status: to, ...(isOver(to) && { endedAt: at }) });
  await appendHistory(tx, run.id, { from: run.status, to, event, at });
  const detail = change.error ? `${to}: ${change.error.code}: ${change.error.message}` : to;
  await insertEvents(tx, run.id, OF_THE_RUN, {
    unixMs: [at.getTime()],
    endpoint: [Number.NaN],
    kind: ['STATUS'],
    detail: [detail],
  });
  if (isOver(to)) {
    await dropStaleCommands(tx, run.id);
    // A final status never changes, so this happens once.
    if (run.startedAt) {
      await addUsage(tx, run.organizationId, at, usedSeconds(run.endpoints, run.startedAt, at));
    }
  }
  if (isOver(to)) for (const { runEnded } of ports.hooks) await runEnded?.(ports, tx, run.id);
  if (isOver(to) && run.probeId !== null) await settleExecution(ports, tx, run, to, change.error);
  // After the grade of a probe's execution, which is part of its result.
  await announce(ports, tx, {
    kind: 'test_run.status_changed',
    organizationId: run.organizationId,
    projectId: run.projectId,
    at,
    data: {
      testRunId: run.id,
      testId: run.testId,
      testName: run.testName,
      isProbeRun: run.probeId !== null,
      from: run.status,
      to,
      errorCode: change.error?.code ?? null,
      reason: change.error?.message ?? null,
      result: isOver(to) ? await resultOfRun(tx, run.id) : null,
    },
  });
  if (to === 'RUNNING' && run.config.abortOn) await ports.jobs.enqueue(tx, 'run.abort', { runId: run.id });
  if (to === 'RUNNING') for (const { runStarted } of ports.hooks) await runStarted?.(ports, tx, run);
  const due = await dueAt(ports, tx, { ...run, ...change, status: to });
  if (due) await ports.jobs.enqueue(tx, 'run.watch', { runId: run.id, status: to }, { startAfter: due });
  ports.log.info({ runId: run.id, from: run.status, to, event, error: change.error?.code }, 'run moved');
  return to;
}

type Timed = Pick<
  LockedRun,
  | 'id'
  | 'status'
  | 'projectId'
  | 'config'
  | 'submittedAt'
  | 'queuedAt'
  | 'deadlineAt'
  | 'endingDeadlineAt'
  | 'buildupSeconds'
>;

/** For how long a run waits at most for what a feature does before its load; null: it does not wait. */
export async function waitSeconds(ports: Ports, tx: Tx, runId: string): Promise<number | null> {
  for (const { waitSeconds: ask } of ports.hooks) {
    const found = await ask?.(tx, runId);
    if (found !== undefined && found !== null) return found;
  }
  return null;
}

/** The time at which a run's present state must end; null: the run has ended. */
export async function dueAt(ports: Ports, tx: Tx, run: Timed): Promise<Date | null> {
  if (run.status === 'PENDING')
    return secondsAfter(run.submittedAt, PENDING_LIMIT_SECONDS + ((await waitSeconds(ports, tx, run.id)) ?? 0));
  if (run.status === 'QUEUED') {
    const durationsMs = await mediaDurationsMs(tx, run.projectId, mediaFileIds(run.config));
    const limit =
      READY_LIMIT_SECONDS +
      run.buildupSeconds +
      longestRegistering(run.config) +
      encodingSeconds(run.config, durationsMs);
    return secondsAfter(run.queuedAt ?? run.submittedAt, limit);
  }
  return run.status === 'RUNNING' ? (run.endingDeadlineAt ?? run.deadlineAt) : null;
}
