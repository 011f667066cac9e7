/** PENDING: is everything there that the test needs, and does the plan allow it? Then QUEUED, and workers are sought. */

import type * as z from 'zod';
import type { Placement, TestConfig } from '../../contract/test/test.ts';
import { isLimited, longestRun, planRefusal } from '../../domain/plans.ts';
import { type Abilities, hearsDigits, lacks, type Transport } from '../../domain/run/abilities.ts';
import { mediaFileIds, missing, type Refusal } from '../../domain/run/needs.ts';
import type { Ports } from '../../ports.ts';
import { onlineWorkers } from '../../store/agents/workers.ts';
import type { Tx } from '../../store/db.ts';
import { admittedRuns, lockUsage, planOf, usedEndpointSeconds } from '../../store/people/usage.ts';
import { mediaChecksums } from '../../store/project/media-files.ts';
import { registrarPlans, sipAccountIds } from '../../store/project/registrars.ts';
import { type LockedRun, lockRun } from '../../store/run/runs.ts';
import { moveRun, runError } from './move.ts';

export const validateRun = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'PENDING') return;
    const at = ports.now();
    const limits = ports.settings.plans[await planOf(tx, run.organizationId)];
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

async function lacking(tx: Tx, run: LockedRun): Promise<Refusal | null> {
  const registrars = new Map((await registrarPlans(tx, run.projectId)).map((r) => [r.id, r]));
  const accounts = Map.groupBy(await sipAccountIds(tx, run.projectId), (a) => a.registrarId);
  const media = await mediaChecksums(tx, run.projectId, mediaFileIds(run.config));
  return missing(run.config, registrars, accounts, new Set(media.keys()));
}

/** Of two runs that are validated at once, the second waits here, and sees what the first one took. */
async function beyondPlan({ settings }: Ports, tx: Tx, run: LockedRun, at: Date): Promise<Refusal | null> {
  const { organizationId } = run;
  const plan = await lockUsage(tx, organizationId);
  const open = await admittedRuns(tx, organizationId);
  const use = { open, usedEndpointSeconds: await usedEndpointSeconds(tx, organizationId, at) };
  return planRefusal(settings.plans, plan, use, run, at);
}

type Group = TestConfig['groups'][number];
type Worker = { readonly id: string; readonly name: string; readonly region: string; readonly hello: Abilities };

/** The first group that no online worker could carry. */
async function unmanned(tx: Tx, run: LockedRun): Promise<Refusal | null> {
  const online = await onlineWorkers(tx, run.organizationId);
  const { groups } = run.config;
  const registrars = await transportsOf(tx, run);
  const group = groups.find((g) => eligible(g, online, groups, registrars, run.avoidWorkerId).length === 0);
  return group ? { code: 'NO_ONLINE_WORKER', message: nobody(group, online, groups, registrars) } : null;
}

/** By registrar. */
export type Transports = ReadonlyMap<string, Transport>;

export const transportsOf = async (tx: Tx, run: LockedRun): Promise<Transports> =>
  new Map((await registrarPlans(tx, run.projectId)).map((r) => [r.id, r]));

/** Ids of the workers that a group's placement allows, and that can do what it asks; `avoid`: one that shall not. */
export const eligible = (
  group: Group,
  workers: readonly Worker[],
  groups: readonly Group[],
  transports: Transports,
  avoid: string | null = null,
): string[] =>
  placed(group, workers)
    .filter((w) => w.id !== avoid)
    .filter((w) => lacks(group, w.hello, hearsDigits(group, groups), transports.get(group.registrarId)).length === 0)
    .map((w) => w.id);

const placed = <T extends Worker>({ placement }: Group, workers: readonly T[]): T[] =>
  workers.filter((w) =>
    placement.mode === 'REGION' ? w.region === placement.region : placement.workerIds.includes(w.id),
  );

/** Of so many workers each is named with what it lacks. */
const NAMED_WORKERS = 5;

/** Why no worker can carry a group. */
export function nobody(
  group: Group,
  workers: readonly Worker[],
  groups: readonly Group[],
  transports: Transports,
): string {
  const { name, placement } = group;
  const there = placed(group, workers);
  if (there.length === 0)
    return `No worker is online ${where(placement)} for group ${name}. Start an agent there and run the test again.`;
  const isSentDigits = hearsDigits(group, groups);
  const unable = there
    .slice(0, NAMED_WORKERS)
    .map((w) => `${w.name} lacks ${lacks(group, w.hello, isSentDigits, transports.get(group.registrarId)).join(', ')}`);
  return `No worker ${where(placement)} can do what group ${name} asks of it: ${unable.join('; ')}.`;
}

export const where = (placement: z.infer<typeof Placement>): string =>
  placement.mode === 'REGION' ? `in region ${placement.region}` : 'among those that the placement names';
