/**
 * Measured tables in a Citus cluster: each run's rows of all of them are on one node, so a statement about one run is sent there
 * whole. Everything else stays on the coordinator, where foreign keys and locks are.
 */
import { sql } from 'kysely';
import type { Tx } from '../../../store/db.ts';

export type CitusTables = {
  /** Null: the database has no Citus. */
  readonly version: string | null;
  /** `group` null: it is on the coordinator alone. Tables of one group have the rows of a run on the same node. */
  readonly tables: readonly { readonly name: string; readonly group: number | null; readonly shards: number }[];
  readonly nodes: readonly {
    readonly address: string;
    readonly isActive: boolean;
    readonly isForShards: boolean;
    readonly shards: number;
  }[];
};

/** True if the server can have the extension: it has loaded the library. */
export async function hasCitus(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select current_setting('citus.shard_count', true) is not null as has`.execute(tx);
  return rows[0]?.has === true;
}

/** The tables whose key begins with the run and that have no foreign key: the schema says it, so no list of them can be wrong. */
async function measuredTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'run_id'
      and not exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')
    order by 1`.execute(tx);
  return rows.map(({ name }) => name);
}

export async function distributionOf(tx: Tx): Promise<CitusTables> {
  const names = await measuredTables(tx);
  const version = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(tx);
  if (!version.rows[0])
    return { version: null, tables: names.map((name) => ({ name, group: null, shards: 0 })), nodes: [] };
  const { rows: found } = await sql<{ name: string; group: number; shards: number }>`
    select c.relname as name, p.colocationid as group, (select count(*) from pg_dist_shard s where s.logicalrelid = c.oid) as shards
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where p.partmethod = 'h' and c.relname = any (${sql.val(names)}::text[])`.execute(tx);
  const nodes = await sql<CitusTables['nodes'][number]>`
    select n.nodename || ':' || n.nodeport as address, n.isactive as "isActive", n.shouldhaveshards as "isForShards",
      (select count(*) from pg_dist_placement p where p.groupid = n.groupid) as shards
    from pg_dist_node n where n.noderole = 'primary' order by n.groupid, 1`.execute(tx);
  const tables = names.map((name) => found.find((table) => table.name === name) ?? { name, group: null, shards: 0 });
  return { version: version.rows[0].version, tables, nodes: nodes.rows };
}

/**
 * Distributes the measured tables that are not yet, with their rows; returns their names. Writes to a table wait while its rows
 * are copied. `shards`: of each table, if none is distributed yet; null: as many as the cluster's settings say.
 */
export async function distribute(tx: Tx, shards: number | null): Promise<string[]> {
  await sql`create extension if not exists citus`.execute(tx);
  const { tables } = await distributionOf(tx);
  let beside = tables.find(({ group }) => group !== null)?.name;
  const missing = tables.filter(({ group }) => group === null);
  for (const { name } of missing) {
    const where = beside === undefined ? sql`'none', shard_count => ${shards}::int` : sql`${beside}::text`;
    await sql`select create_distributed_table(${name}, 'run_id', colocate_with => ${where})`.execute(tx);
    // What was copied would otherwise stay on the coordinator, unseen.
    await sql`select truncate_local_data_after_distributing_table(${name}::regclass)`.execute(tx);
    beside ??= name;
  }
  return missing.map(({ name }) => name);
}
