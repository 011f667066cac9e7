/**
 * SIP accounts and their users: accounts named by a sub-population are reserved for it, the others form the registrar's
 * pool. To register, each endpoint needs its own; over a trunk, and for single requests, they are shared in turn.
 * Validation counts and planning deals from the same pools. Pure.
 */
import type { TestConfig } from '../../../contract/test-settings/test.ts';
import { isOneRequest } from './scenario.ts';

/** An account without its secret. */
export type AccountNames = {
  readonly id: string;
  readonly username: string;
  readonly authName: string | null;
  readonly displayName: string | null;
  readonly number: string | null;
  /** The account's own values, by column. */
  readonly values: Readonly<Record<string, string>>;
};

export type AccountPool<A> = {
  readonly registrarId: string;
  /** Its exclusive user, in words; null: the registrar's common pool. */
  readonly ownedBy: string | null;
  readonly accounts: readonly A[];
  /** The number of endpoints that use the pool. */
  readonly needed: number;
  /** True: each of them has its own account; otherwise they take turns. */
  readonly isForEach: boolean;
};

type Registrar = { readonly register: boolean; readonly isCloud: boolean };

/**
 * The pools by sub-population; sub-populations over a trunk without accounts, or over the built-in registrar, use none.
 * `accounts`: by registrar.
 */
export function accountPools<A extends { readonly id: string }>(
  config: Pick<TestConfig, 'groups'>,
  registrars: ReadonlyMap<string, Registrar>,
  accounts: ReadonlyMap<string, readonly A[]>,
): Map<string, AccountPool<A>> {
  const named = new Set(config.groups.flatMap((g) => g.subPopulations.flatMap((s) => s.sipAccountIds ?? [])));
  const drawing = config.groups
    .map((g) => ({ ...g, isForEach: (registrars.get(g.registrarId)?.register ?? false) && !isOneRequest(g) }))
    .filter(({ registrarId: id, isForEach }) => {
      const { isCloud = true } = registrars.get(id) ?? {};
      return !isCloud && (isForEach || (accounts.get(id)?.length ?? 0) > 0);
    })
    .flatMap(({ subPopulations, registrarId, name: group, isForEach }) =>
      subPopulations.map((s) => ({ ...s, registrarId, group, isForEach })),
    );
  const common = new Map<string, AccountPool<A>>();
  const pools = new Map<string, AccountPool<A>>();
  for (const { id, name, group, registrarId, endpoints, sipAccountIds, isForEach } of drawing) {
    const all = accounts.get(registrarId) ?? [];
    const key = `${registrarId} ${isForEach}`;
    if (sipAccountIds) {
      const own = all.filter((a) => sipAccountIds.includes(a.id));
      pools.set(id, { registrarId, ownedBy: `${name} of group ${group}`, accounts: own, needed: endpoints, isForEach });
      continue;
    }
    const pool = common.get(key) ?? {
      registrarId,
      ownedBy: null,
      accounts: all.filter((a) => !named.has(a.id)),
      needed: drawing.reduce(
        (n, s) =>
          s.registrarId === registrarId && s.isForEach === isForEach && s.sipAccountIds === null ? n + s.endpoints : n,
        0,
      ),
      isForEach,
    };
    common.set(key, pool);
    pools.set(id, pool);
  }
  return pools;
}
