/** Which workers can carry a group of a run, and why the others cannot. */
import type { TestConfig } from '../../contract/test-settings/test.ts';
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

/** The weights of the regions in which a group is; null: its placement names workers. */
export const regionsOf = ({ placement }: Pick<Group, 'placement'>): Readonly<Record<string, number>> | null =>
  placement.mode === 'REGION' ? (placement.regions ?? { [placement.region]: 1 }) : null;

/** The group as if it were in this one of its regions only. */
export const inRegion = <G extends Group>(group: G, region: string): G => ({
  ...group,
  placement: { mode: 'REGION', region },
});

/** The groups as if each were in one region only: each part needs workers of its own. */
export const inEachRegion = (groups: readonly Group[]): Group[] =>
  groups.flatMap((group) => {
    const regions = regionsOf(group);
    return regions === null ? [group] : Object.keys(regions).map((region) => inRegion(group, region));
  });

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

function placed<T extends Worker>(group: Group, workers: readonly T[]): T[] {
  const { placement } = group;
  const regions = regionsOf(group) ?? {};
  return workers.filter(({ id, region }) =>
    placement.mode === 'REGION' ? Object.hasOwn(regions, region) : placement.workerIds.includes(id),
  );
}

/** Up to this many workers are named individually, each with what it lacks. */
const NAMED_WORKERS = 5;

/** Says why no worker can carry a group. */
export function nobody(
  group: Group,
  workers: readonly Worker[],
  groups: readonly Group[],
  transports: Transports,
): string {
  const { name } = group;
  const there = placed(group, workers);
  if (there.length === 0)
    return `No worker is online ${where(group)} for group ${name}. Start an agent there and run the test again.`;
  const unable = there
    .slice(0, NAMED_WORKERS)
    .map((w) => `${w.name} lacks ${lacks(group, w.hello, groups, transports.get(group.registrarId)).join(', ')}`);
  return `No worker ${where(group)} can do what group ${name} asks of it: ${unable.join('; ')}.`;
}

export function where(group: Pick<Group, 'placement'>): string {
  const regions = regionsOf(group);
  if (regions === null) return 'among those that the placement names';
  const names = Object.keys(regions);
  return `in region${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}
