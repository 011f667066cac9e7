/**
 * PENDING: checks that everything exists that the test needs, and that the plan allows it. The run is then QUEUED, and
 * workers are sought.
 */

import { isLimited, longestRun, planRefusal } from '../../domain/plans.ts';
import { mediaFileIds, missing, type RunRefusal } from '../../domain/run/preflight/needs.ts';
import type { Ports } from '../../ports.ts';
import { onlineWorkers } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { admittedRuns, lockUsage, tierOf, usedEndpointSeconds } from '../../store/people/usage.ts';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { registrarPlans, sipAccountFacts } from '../../store/project/registrars.ts';
import { type LockedRun, lockRun } from '../../store/run/locked-run.ts';
import { eligible, inEachRegion, nobody, transportsOf } from '../submission/eligible.ts';
import { moveRun, runError } from './move.ts';

export const validateRun = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'PENDING') return;
    const at = ports.now();
    const limits = ports.settings.plans[await tierOf(tx, run.organizationId)];
    const maxExecutionSeconds = longestRun(limits, run.maxExecutionSeconds);
    const capped = { ...run, maxExecutionSeconds };
    const refusal =
      (await lacking(tx, run)) ??
      (isLimited(limits) ? await beyondPlan(ports, tx, capped, at) : null) ??
      (await unmanned(tx, run));
    if (refusal) {
      await moveRun(ports, tx, run, 'refused', { error: runError(refusal.code, refusal.message, at) });
      return;
    }
    await moveRun(ports, tx, run, 'validated', { queuedAt: at, maxExecutionSeconds });
    await ports.jobs.enqueue(tx, 'run.allocate', { runId });
  });

async function lacking(tx: Tx, run: LockedRun): Promise<RunRefusal | null> {
  const registrars = new Map((await registrarPlans(tx, run.projectId)).map((r) => [r.id, r]));
  const accounts = Map.groupBy(await sipAccountFacts(tx, run.projectId), (a) => a.registrarId);
  const media = await mediaChecksums(tx, run.projectId, mediaFileIds(run.config));
  return missing(run.config, registrars, accounts, new Set(media.keys()), run.durationSeconds);
}

/** If two runs are validated at the same time, the second waits here, and sees the reservations of the first. */
async function beyondPlan({ settings }: Ports, tx: Tx, run: LockedRun, at: Date): Promise<RunRefusal | null> {
  const { organizationId } = run;
  const plan = await lockUsage(tx, organizationId);
  const open = await admittedRuns(tx, organizationId);
  const use = { open, usedEndpointSeconds: await usedEndpointSeconds(tx, organizationId, at) };
  return planRefusal(settings.plans, plan, use, run, at);
}

/** The first group that no online worker could carry. */
async function unmanned(tx: Tx, run: LockedRun): Promise<RunRefusal | null> {
  const online = await onlineWorkers(tx, run.organizationId);
  const { groups } = run.config;
  const registrars = await transportsOf(tx, run);
  const group = inEachRegion(groups).find(
    (g) => eligible(g, online, groups, registrars, run.avoidWorkerId).length === 0,
  );
  return group ? { code: 'NO_ONLINE_WORKER', message: nobody(group, online, groups, registrars) } : null;
}
