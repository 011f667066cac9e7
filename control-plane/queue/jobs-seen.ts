/** Are jobs done? By whichever replica: the rows of pg-boss say so. */
import type { PgBoss } from 'pg-boss';
import { JOB_NAMES } from './catalogue.ts';

export type JobsSeen = {
  /** Since a job that recurs every few seconds was done; null: never, or longer ago than jobs are kept. */
  readonly idleSeconds: number | null;
  /** Of the job that has been due for longest and was not begun; null: none waits. */
  readonly waitingSeconds: number | null;
};

const SEEN = `
  select
    (select extract(epoch from now() - max(completed_on))::float8 from pgboss.job
     where name = 'workers.sweep' and state = 'completed') as "idleSeconds",
    (select extract(epoch from now() - min(start_after))::float8 from pgboss.job
     where name = any ($1) and state < 'active' and start_after <= now()) as "waitingSeconds"`;

/** Over the connections that jobs are done by: where these are silent, it fails. */
export async function jobsSeen(boss: PgBoss): Promise<JobsSeen> {
  const { rows } = (await boss.getDb().executeSql(SEEN, [JOB_NAMES])) as { rows: JobsSeen[] };
  return rows[0] ?? { idleSeconds: null, waitingSeconds: null };
}
