/** An execution is a run with one caller, and starts like any run. */

import { EXECUTION_MARGIN_SECONDS } from '../../contract/test-settings/longest.ts';
import { RESERVE_SHARE } from '../../domain/run/plan/capacity.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/new-id.ts';
import { type Execution, insertExecutions, insertProbeInstances } from '../../store/probe/probe-executions.ts';
import { enqueueSubmitted } from '../submission/submit.ts';

/** The caller has locked the probes, or ensured that they exist. */
export async function submitExecutions(
  ports: Ports,
  tx: Tx,
  executions: readonly Execution[],
  at: Date,
): Promise<void> {
  if (executions.length === 0) return;
  const reserveShare = RESERVE_SHARE.probe;
  await insertExecutions(tx, executions, at, { margin: EXECUTION_MARGIN_SECONDS, reserveShare });
  await enqueueSubmitted(
    ports,
    tx,
    executions.map((e) => e.runId),
    at,
  );
}

export type WantedExecution = {
  readonly probeId: string;
  /** Null: requested by a user. */
  readonly tickAt: Date | null;
  readonly startedBy: string | null;
  /** The run beside whose load a feature asked for it; absent: none. */
  readonly watchedRunId?: string;
};

/** Starts one execution for each probe; the ids are in the same order. */
export async function executeProbes(ports: Ports, tx: Tx, wanted: readonly WantedExecution[], at: Date) {
  const instances = wanted.map(({ probeId, tickAt, startedBy, watchedRunId = null }) => ({
    id: newId(),
    probeId,
    testRunId: newId(),
    scheduledAt: tickAt ?? at,
    tickAt,
    startedBy,
    watchedRunId,
  }));
  const runs = instances.map((i) => ({
    runId: i.testRunId,
    probeId: i.probeId,
    startedBy: i.startedBy,
    avoidWorkerId: null,
  }));
  await submitExecutions(ports, tx, runs, at);
  if (instances.length > 0) await insertProbeInstances(tx, instances);
  return instances;
}
