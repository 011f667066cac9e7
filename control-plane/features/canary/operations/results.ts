/** The results of a canary's executions: kept with the run whose canary it is, and shown in the answer about it. */
import type { CallTiming } from '../../../contract/run/run.ts';
import type { FeatureRunFields, RunDetailRow, WatchingExecution } from '../../../hooks.ts';
import type { Ports } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';
import { evidenceOf } from '../../../store/probe/probe-grades.ts';
import { lockRun } from '../../../store/run/locked-run.ts';
import {
  type CanaryExecution,
  canaryResult,
  canarySetUp,
  canaryView,
  loadSeconds,
  type StoredCanary,
} from '../domain/canary.ts';
import { canaryOf, storeCanary } from '../store/canaries.ts';

/** An execution has been graded. */
export async function settleCanary(
  ports: Ports,
  tx: Tx,
  { watchedRunId: runId, testRunId, status, heard, message }: WatchingExecution,
): Promise<void> {
  // Other executions may be settled at the same time.
  if (!(await lockRun(tx, runId))) return;
  const canary = await canaryOf(tx, runId);
  if (!canary) return;
  const found = { ...(await measured(tx, testRunId, status, canary.mode)), heard, message };
  const executions = canary.executions.map((e) => (e.testRunId === testRunId ? { ...e, ...found } : e));
  await storeCanary(tx, runId, { ...canary, executions });
  await ports.jobs.enqueue(tx, 'run.canary', { runId });
}

type Measured = Pick<CanaryExecution, 'startedAt' | 'result' | 'setUpMs' | 'mos'>;

async function measured(
  tx: Tx,
  testRunId: string,
  status: WatchingExecution['status'],
  mode: StoredCanary['mode'],
): Promise<Measured> {
  const found = await evidenceOf(tx, testRunId);
  // The run was deleted.
  if (!found) return { startedAt: null, result: 'NOT_JUDGED', setUpMs: null, mos: null };
  const { startedAt, summary, callTiming, outcome, validity, registerMs, optionsMs } = found;
  const result = canaryResult({ status, outcome, validity });
  const isAnswered = (callTiming?.successCount ?? 0) > 0;
  const setUpMs = { CALL: pddOf(callTiming), REGISTER: registerMs, OPTIONS: optionsMs }[mode];
  return {
    startedAt: startedAt?.toISOString() ?? null,
    result,
    setUpMs: canarySetUp(result, isAnswered, setUpMs),
    mos: summary && summary.measured.mos > 0 ? summary.avgMos : null,
  };
}

/** The post-dial delay of a run with one call. */
const pddOf = (timing: CallTiming | null): number | null => (timing && timing.pdd.count > 0 ? timing.pdd.p50 : null);

/** The field of the answer about a run. */
export async function canaryField(tx: Tx, run: RunDetailRow): Promise<Pick<FeatureRunFields, 'canary'>> {
  const canary = await canaryOf(tx, run.id);
  const { startedAt, endedAt, buildup, durationSeconds, loadChanges } = run;
  const span = { startedAt, endedAt, loadSeconds: loadSeconds(buildup, durationSeconds, loadChanges.length > 0) };
  return { canary: canary && canaryView(canary, span) };
}
