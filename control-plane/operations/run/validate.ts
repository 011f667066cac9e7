/** PENDING: is everything there that the test needs? Then QUEUED, and workers are sought. */

import type * as z from 'zod';
import type { Placement, TestConfig } from '../../contract/test.ts';
import { missing, type Refusal } from '../../domain/needs.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import { registrarPlans, sipAccountIds } from '../../store/registrars.ts';
import { type LockedRun, lockRun } from '../../store/runs.ts';
import { onlineWorkers } from '../../store/workers.ts';
import { moveRun, runError } from './move.ts';

export const validateRun = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'PENDING') return;
    const refusal = await refusalOf(tx, run);
    const at = ports.now();
    if (refusal) {
      await moveRun(ports, tx, run, 'refused', { error: runError(refusal.code, refusal.message, at) });
      return;
    }
    await moveRun(ports, tx, run, 'validated', { queuedAt: at });
    await ports.jobs.enqueue(tx, 'run.allocate', { runId });
  });

async function refusalOf(tx: Tx, run: LockedRun): Promise<Refusal | null> {
  const registrars = new Map((await registrarPlans(tx, run.projectId)).map((r) => [r.id, r]));
  const accounts = Map.groupBy(await sipAccountIds(tx, run.projectId), (a) => a.registrarId);
  return missing(run.config, registrars, accounts) ?? (await unmanned(tx, run));
}

/** The first group that no online worker could carry. */
async function unmanned(tx: Tx, run: LockedRun): Promise<Refusal | null> {
  const online = await onlineWorkers(tx, run.organizationId);
  const group = run.config.groups.find((g) => eligible(g, online).length === 0);
  return group ? { code: 'NO_ONLINE_WORKER', message: nobody(group) } : null;
}

/** Ids of the workers that a group's placement allows. */
export const eligible = (
  group: TestConfig['groups'][number],
  workers: readonly { id: string; region: string }[],
): string[] => {
  const { placement } = group;
  const fits = workers.filter((w) =>
    placement.mode === 'REGION' ? w.region === placement.region : placement.workerIds.includes(w.id),
  );
  return fits.map((w) => w.id);
};

const nobody = ({ name, placement }: TestConfig['groups'][number]): string =>
  `No worker is online ${where(placement)} for group ${name}. Start an agent there and run the test again.`;

export const where = (placement: z.infer<typeof Placement>): string =>
  placement.mode === 'REGION' ? `in region ${placement.region}` : 'among those that the placement names';
