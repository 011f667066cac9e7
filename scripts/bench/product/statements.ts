/** What the statements of a lab's embedded PostgreSQL take: its own counters (pg_stat_statements), switched on for this. */
import type { Lab } from '../../peers/lab/lab.ts';

/** The database has to start again: the lab's control plane does, and its agents come back. */
export async function countStatements(lab: Lab): Promise<void> {
  await lab.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await lab.query(`alter system set pg_stat_statements.track = 'all'`);
  await lab.controlPlane.stop();
  await lab.startControlPlane();
  await lab.online(lab.agents.length);
  await lab.query('create extension if not exists pg_stat_statements');
}

export type StatementCost = {
  readonly usPerCall: number;
  readonly times: number;
  readonly rows: number;
  readonly logBytesPerCall: number;
  readonly query: string;
};

/** The statements with most database time, per call of the run. */
export const costliest = (lab: Lab, calls: number): Promise<StatementCost[]> =>
  lab.query<StatementCost>(
    `select round((total_exec_time * 1000 / $1)::numeric, 1)::float8 as "usPerCall", calls as times, rows,
      round((wal_bytes / $1)::numeric)::float8 as "logBytesPerCall", left(regexp_replace(query, '\\s+', ' ', 'g'), 80) as query
    from pg_stat_statements order by total_exec_time desc limit 25`,
    [calls],
  );

export type TableSize = {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  /** Of those: on the row's own page, no index told. */
  readonly updatedInPlace: number;
  readonly bytesPerCall: number;
};

/** The largest tables, by call of the run. */
export const largestTables = (lab: Lab, calls: number): Promise<TableSize[]> =>
  lab.query<TableSize>(
    `select relname as table, n_tup_ins as inserted, n_tup_upd as updated, n_tup_hot_upd as "updatedInPlace",
      round(pg_total_relation_size(relid) / $1::numeric)::float8 as "bytesPerCall"
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 10`,
    [calls],
  );
