/** The jobs of a backup: pending work is done again, by any version of pg-boss that restores it. */

import { JOB_CATALOGUE } from '../../../job-catalogue.ts';
import type { JobName, JobQueue } from '../../../ports.ts';
import type { Tx } from '../../../store/db.ts';

/** Jobs in progress are included: a job is harmless if what it watches has moved on. Recurring ones are proposed anyway. */
export const KEPT_JOBS = `
  select name, data, start_after as "startAfter", group_id as "group" from pgboss.job
  where state <= 'active' and name not like '\\_\\_pgboss%' order by created_on`;

export type KeptJob = {
  readonly name: string;
  readonly data: unknown;
  readonly startAfter: string;
  readonly group: string | null;
};

const isKnown = (name: string): name is JobName => Object.hasOwn(JOB_CATALOGUE, name);

/** Unknown jobs are omitted; returns the number stored. */
export async function storeKeptJobs(queue: JobQueue, tx: Tx, jobs: readonly KeptJob[]): Promise<number> {
  let stored = 0;
  for (const { name, data, startAfter, group } of jobs) {
    if (!isKnown(name) || JOB_CATALOGUE[name].everySeconds !== undefined) continue;
    const payload = JOB_CATALOGUE[name].payload.parse(data);
    await queue.enqueue(tx, name, payload, { startAfter: new Date(startAfter), ...(group !== null && { group }) });
    stored++;
  }
  return stored;
}
