/**
 * The canary of a run: its probe is executed before the load, and then during it. The results are kept with the run, in
 * the transaction that grades the execution.
 */

import { invalid } from '../../contract/errors.ts';
import type { CanaryStart } from '../../contract/run/canary.ts';
import { EXECUTION_MARGIN_SECONDS } from '../../contract/test-settings/longest.ts';
import { type CanaryExecution, canaryAction, loadSeconds, type StoredCanary } from '../../domain/probe/canary.ts';
import { isOver } from '../../domain/run/run-machine.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { holdProbe } from '../../store/probe/probe-config.ts';
import { probeBrief } from '../../store/probe/probes.ts';
import { canaryOf, storeCanary } from '../../store/run/canaries.ts';
import { lockRun } from '../../store/run/runs.ts';
import { executeProbes } from '../probe/execute.ts';
import { byId } from '../request/perform.ts';

/** Prepares the canary of a run that is about to be submitted. @throws ApiError VALIDATION_ERROR */
export async function newCanary(
  tx: Tx,
  projectId: string,
  { probeId, calls, everySeconds }: CanaryStart,
): Promise<StoredCanary> {
  const probe = await byId(probeId, () => probeBrief(tx, projectId, probeId));
  if (!probe) throw invalid([{ path: ['canary', 'probeId'], message: `the project has no probe ${probeId}` }]);
  const longest = probe.durationSeconds + probe.answerTimeoutSeconds + EXECUTION_MARGIN_SECONDS;
  return {
    ...{ probeId, probeName: probe.name, mode: probe.mode, calls, everySeconds },
    idleSeconds: calls * longest,
    executions: [],
  };
}

/** Does what is due, whatever the reason of the call. */
export const stepCanary = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    const canary = await canaryOf(tx, runId);
    if (!run || !canary || isOver(run.status)) return;
    const at = ports.now();
    const { status, submittedAt, startedAt, endedAt, endingEvent, maxExecutionSeconds: longestSeconds } = run;
    const load = loadSeconds(run.buildupSeconds, run.durationSeconds, run.loadChanges.length > 0);
    const action = canaryAction(canary, {
      ...{ startedAt, endedAt, loadSeconds: load },
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
    const wanted = { probeId: canary.probeId, tickAt: null, startedBy: null, canaryOf: runId };
    const [instance] = await executeProbes(ports, tx, [wanted], at);
    if (!instance) return;
    const begun: CanaryExecution = {
      ...{ testRunId: instance.testRunId, submittedAt: at.toISOString(), startedAt: null, result: null },
      ...{ setUpMs: null, mos: null, heard: null, message: null },
    };
    await storeCanary(tx, runId, { ...canary, executions: [...canary.executions, begun] });
  });
