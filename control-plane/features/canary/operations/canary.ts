/**
 * The canary of a run: its probe is executed before the load, and then during it. The results are kept with the run, in
 * the transaction that grades the execution.
 */
import type { Input } from '../../../contract/catalogue.ts';
import { invalid } from '../../../contract/errors.ts';
import { EXECUTION_MARGIN_SECONDS } from '../../../contract/test-settings/longest.ts';
import { isOver } from '../../../domain/run/run-machine.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import type { BeforeLoad } from '../../../hooks.ts';
import { executeProbes } from '../../../operations/probe/execute.ts';
import { byId } from '../../../operations/request/perform.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { holdProbe } from '../../../store/probe/probe-config.ts';
import { probeBrief } from '../../../store/probe/probes.ts';
import { type LockedRun, lockRun } from '../../../store/run/locked-run.ts';
import { type CanaryExecution, canaryAction, loadSeconds } from '../domain/canary.ts';
import { canaryOf, runsWithCanary, storeCanary } from '../store/canaries.ts';

/** Prepares the canary of a run that is about to be submitted. @throws ApiError VALIDATION_ERROR */
export async function newCanary(
  ports: Ports,
  tx: Tx,
  { projectId, canary }: Input<'runTest'>,
): Promise<BeforeLoad | null> {
  if (canary === undefined) return null;
  const { probeId, calls, everySeconds } = canary;
  const probe = await byId(probeId, () => probeBrief(tx, projectId, probeId));
  if (!probe) throw invalid([{ path: ['canary', 'probeId'], message: `the project has no probe ${probeId}` }]);
  const longest = probe.durationSeconds + probe.answerTimeoutSeconds + EXECUTION_MARGIN_SECONDS;
  const idleSeconds = calls * longest;
  const stored = { probeId, probeName: probe.name, mode: probe.mode, calls, everySeconds, idleSeconds, executions: [] };
  return {
    longestSeconds: idleSeconds,
    begin: async (tx, runId) => {
      await storeCanary(tx, runId, stored);
      await ports.jobs.enqueue(tx, 'run.canary', { runId });
      await ports.jobs.enqueue(tx, 'run.canary', { runId }, { startAfter: secondsAfter(ports.now(), idleSeconds) });
    },
  };
}

/** For how long the load waits for executions at most; null: the run has no canary. */
export const idleSeconds = async (tx: Tx, runId: string): Promise<number | null> =>
  (await canaryOf(tx, runId))?.idleSeconds ?? null;

/** The load has started: the canary's next execution is during it. */
export async function watchLoad(ports: Ports, tx: Tx, { id: runId, probeId }: LockedRun): Promise<void> {
  if (probeId === null && (await canaryOf(tx, runId))) await ports.jobs.enqueue(tx, 'run.canary', { runId });
}

/** Repairs the state after a crash between two jobs. */
export async function resumeCanaries(ports: Ports): Promise<void> {
  const { db } = ports.database;
  for (const runId of await runsWithCanary(db)) await ports.jobs.enqueue(db, 'run.canary', { runId });
}

/** Does what is due, whatever the reason of the call. */
export const stepCanary = (ports: Ports, { runId }: { readonly runId: string }): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    const canary = await canaryOf(tx, runId);
    if (!run || !canary || isOver(run.status)) return;
    const at = ports.now();
    const { status, submittedAt, startedAt, endedAt, endingEvent, maxExecutionSeconds: longestSeconds } = run;
    const load = loadSeconds(run.buildupSeconds, run.durationSeconds, run.loadChanges.length > 0);
    const action = canaryAction(canary, {
      startedAt,
      endedAt,
      loadSeconds: load,
      status,
      submittedAt,
      isEnding: endingEvent !== null,
      longestSeconds,
      at,
    });
    if (action.does === 'LOAD') await ports.jobs.enqueue(tx, 'run.validate', { runId });
    if (action.does === 'WAIT') await ports.jobs.enqueue(tx, 'run.canary', { runId }, { startAfter: action.until });
    if (action.does !== 'EXECUTE') return;
    if (!(await holdProbe(tx, run.projectId, canary.probeId))) {
      ports.log.warn({ runId, probeId: canary.probeId }, 'the probe of the canary is deleted');
      if (status === 'PENDING') await ports.jobs.enqueue(tx, 'run.validate', { runId });
      return;
    }
    const wanted = { probeId: canary.probeId, tickAt: null, startedBy: null, watchedRunId: runId };
    const [instance] = await executeProbes(ports, tx, [wanted], at);
    if (!instance) return;
    const begun: CanaryExecution = {
      testRunId: instance.testRunId,
      submittedAt: at.toISOString(),
      startedAt: null,
      result: null,
      setUpMs: null,
      mos: null,
      heard: null,
      message: null,
    };
    await storeCanary(tx, runId, { ...canary, executions: [...canary.executions, begun] });
  });
