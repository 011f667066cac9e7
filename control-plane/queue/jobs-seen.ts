/** Shows from the rows of pg-boss whether any replica does jobs. */
import type { PgBoss } from 'pg-boss';
import { JOB_CATALOGUE, JOB_NAMES } from '../job-catalogue.ts';

export type JobsSeen = {
  /** The waiting time of the oldest due job that was not started; null: no job waits. */
  readonly waitingSeconds: number | null;
};

/** Deliveries are left out, because they may have to wait: their concurrency is limited. */
const PROMPT = JOB_NAMES.filter((name) => JOB_CATALOGUE[name].atOnce === undefined);

const SEEN = `
  select extract(epoch from now() - min(start_after))::float8 as "waitingSeconds" from pgboss.job
  where name = any ($1) and state < 'active' and start_after <= now()`;

/** Uses the connections of the jobs themselves: if these are silent, it fails. */
export async function jobsSeen(boss: PgBoss): Promise<JobsSeen> {
  const { rows } = (await boss.getDb().executeSql(SEEN, [PROMPT])) as { rows: JobsSeen[] };
  return { waitingSeconds: rows[0]?.waitingSeconds ?? null };
}
