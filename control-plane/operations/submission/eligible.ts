/** Which workers can carry a group of a run, and why the others cannot. */
import type * as z from 'zod';
import type { Placement, TestConfig } from '../../contract/test-settings/test.ts';
import type { RegistrarPlan } from '../../domain/run/plan/plan.ts';
import { type AgentAbilities, lacks, type Transport } from '../../domain/run/preflight/abilities.ts';
import type { Tx } from '../../store/db.ts';
import { registrarPlans } from '../../store/project/registrars.ts';
import type { LockedRun } from '../../store/run/locked-run.ts';

type Group = TestConfig['groups'][number];
type Worker = { readonly id: string; readonly name: string; readonly region: string; readonly hello: AgentAbilities };

/** The transport by registrar. */
export type Transports = ReadonlyMap<string, Transport & Pick<RegistrarPlan, 'isCloud' | 'register'>>;

export const transportsOf = async (tx: Tx, run: LockedRun): Promise<Transports> =>
  new Map((await registrarPlans(tx, run.projectId)).map((r) => [r.id, r]));

/** The ids of the workers that a group's placement allows, with all needed abilities; `avoid`: one to exclude. */
export const eligible = (
  group: Group,
  workers: readonly Worker[],
  groups: readonly Group[],
  transports: Transports,
  avoid: string | null = null,
): string[] =>
  placed(group, workers)
    .filter((w) => w.id !== avoid)
    .filter((w) => lacks(group, w.hello, groups, transports.get(group.registrarId)).length === 0)
    .map((w) => w.id);

const placed = <T extends Worker>({ placement }: Group, workers: readonly T[]): T[] =>
  workers.filter((w) =>
    placement.mode === 'REGION' ? w.region === placement.region : placement.workerIds.includes(w.id),
  );

/** Up to this many workers are named individually, each with what it lacks. */
const NAMED_WORKERS = 5;

/** Says why no worker can carry a group. */
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
  const unable = there
    .slice(0, NAMED_WORKERS)
    .map((w) => `${w.name} lacks ${lacks(group, w.hello, groups, transports.get(group.registrarId)).join(', ')}`);
  return `No worker ${where(placement)} can do what group ${name} asks of it: ${unable.join('; ')}.`;
}

export const where = (placement: z.infer<typeof Placement>): string =>
  placement.mode === 'REGION' ? `in region ${placement.region}` : 'among those that the placement names';
