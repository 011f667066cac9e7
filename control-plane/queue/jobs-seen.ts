/** Whether jobs are being done, by any replica: from the rows of pg-boss. */
import type { PgBoss } from 'pg-boss';
import { JOB_CATALOGUE, JOB_NAMES } from './catalogue.ts';

export type JobsSeen = {
  /** Waiting time of the oldest due job that was not started; null: none waits. */
  readonly waitingSeconds: number | null;
};

/** Deliveries may have to wait: their concurrency is limited. */
const PROMPT = JOB_NAMES.filter((name) => JOB_CATALOGUE[name].atOnce === undefined);

const SEEN = `
  select extract(epoch from now() - min(start_after))::float8 as "waitingSeconds" from pgboss.job
  where name = any ($1) and state < 'active' and start_after <= now()`;

/** Over the connections that jobs are done by: where these are silent, it fails. */
export async function jobsSeen(boss: PgBoss): Promise<JobsSeen> {
  const { rows } = (await boss.getDb().executeSql(SEEN, [PROMPT])) as { rows: JobsSeen[] };
  return { waitingSeconds: rows[0]?.waitingSeconds ?? null };
}
