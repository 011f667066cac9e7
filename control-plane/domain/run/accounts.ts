/**
 * SIP accounts, and what draws on which: what a sub-population names is its own, what nobody names is its registrar's pool for
 * all the others. Validation counts and planning deals from the same pools. Pure.
 */
import type { TestConfig } from '../../contract/test/test.ts';

export type AccountPool<A> = {
  readonly registrarId: string;
  /** What draws on it exclusively, in words; null: the registrar's common pool. */
  readonly ownedBy: string | null;
  readonly accounts: readonly A[];
  /** Endpoints that draw on it, one account each. */
  readonly needed: number;
};

/** By sub-population; those without registration draw on none. `accounts`: by registrar. */
export function accountPools<A extends { readonly id: string }>(
  config: Pick<TestConfig, 'groups'>,
  registers: (registrarId: string) => boolean,
  accounts: ReadonlyMap<string, readonly A[]>,
): Map<string, AccountPool<A>> {
  const named = new Set(config.groups.flatMap((g) => g.subPopulations.flatMap((s) => s.sipAccountIds ?? [])));
  const drawing = config.groups
    .filter((g) => registers(g.registrarId))
    .flatMap((g) => g.subPopulations.map((s) => ({ ...s, registrarId: g.registrarId, group: g.name })));
  const common = new Map<string, AccountPool<A>>();
  const pools = new Map<string, AccountPool<A>>();
  for (const { id, name, group, registrarId, endpoints, sipAccountIds } of drawing) {
    const all = accounts.get(registrarId) ?? [];
    if (sipAccountIds) {
      const own = all.filter((a) => sipAccountIds.includes(a.id));
      pools.set(id, { registrarId, ownedBy: `${name} of group ${group}`, accounts: own, needed: endpoints });
      continue;
    }
    const pool = common.get(registrarId) ?? {
      registrarId,
      ownedBy: null,
      accounts: all.filter((a) => !named.has(a.id)),
      needed: drawing.reduce(
        (n, s) => (s.registrarId === registrarId && s.sipAccountIds === null ? n + s.endpoints : n),
        0,
      ),
    };
    common.set(registrarId, pool);
    pools.set(id, pool);
  }
  return pools;
}
