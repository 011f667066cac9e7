/** What the operator of a Citus cluster must know about the measured tables, and do. Pure. */
import { type CheckResult, fail, ok, warn } from '@carillon/proto/check-result.ts';
import type { CitusTables } from '../store/distribution.ts';

/** `command`: how the operator distributes them. */
export function findingsOf({ version, tables, nodes }: CitusTables, command: string): CheckResult[] {
  if (version === null)
    return [
      fail('extension', 'this database has no Citus', `shared_preload_libraries = 'citus', restart, then ${command}`),
    ];
  const isSpread = tables.some(({ group }) => group !== null);
  return [
    ok('extension', `Citus ${version}`),
    tablesOf(tables, command),
    ...nodes.map((node) => nodeOf(node, isSpread)),
  ];
}

function tablesOf(tables: CitusTables['tables'], command: string): CheckResult {
  const check = 'measured tables';
  if (tables.length === 0) return fail(check, 'the database has none yet', command);
  const missing = tables.filter(({ group }) => group === null).map(({ name }) => name);
  if (missing.length > 0) return fail(check, `on the coordinator alone: ${missing.join(', ')}`, command);
  const [first, ...others] = tables;
  const apart = others.filter(({ group }) => group !== first?.group).map(({ name }) => name);
  if (apart.length > 0) {
    const cure = `select undistribute_table('NAME') for each of them, then ${command}`;
    return fail(check, `not on the same nodes as ${first?.name}: ${apart.join(', ')}`, cure);
  }
  return ok(check, `all ${tables.length} are distributed by run, in ${first?.shards} shards each`);
}

function nodeOf(
  { address, isActive, isForShards, shards }: CitusTables['nodes'][number],
  isSpread: boolean,
): CheckResult {
  const check = `node ${address}`;
  const text = `${shards} shards`;
  if (!isActive) return fail(check, `${text}, and it is not active`, 'start it, then: select citus_activate_node(…)');
  if (isSpread && isForShards && shards === 0) return warn(check, 'it has no shards', 'select citus_rebalance_start()');
  return ok(check, isForShards ? text : `${text}, and none will be moved to it`);
}
