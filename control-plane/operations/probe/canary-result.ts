/** The result of a canary's execution, kept with the run whose canary it is. */
import type { CanaryExecution } from '../../domain/probe/canary.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { canaryOf, storeCanary } from '../../store/run/canaries.ts';
import { lockRun } from '../../store/run/runs.ts';

/** An execution has been graded. */
export async function settleCanary(
  ports: Ports,
  tx: Tx,
  runId: string,
  found: Omit<CanaryExecution, 'submittedAt'>,
): Promise<void> {
  // Other executions may be settled at the same time.
  if (!(await lockRun(tx, runId))) return;
  const canary = await canaryOf(tx, runId);
  if (!canary) return;
  const executions = canary.executions.map((e) => (e.testRunId === found.testRunId ? { ...e, ...found } : e));
  await storeCanary(tx, runId, { ...canary, executions });
  await ports.jobs.enqueue(tx, 'run.canary', { runId });
}
