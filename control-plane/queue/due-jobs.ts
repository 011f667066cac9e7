/**
 * Jobs that become due after they were stored, which have no notification. One statement queries all queues, and wakes
 * the workers of those with such jobs; individual queries would cost a statement per worker.
 */
import type { PgBoss } from 'pg-boss';
import { JOB_CATALOGUE } from '../job-catalogue.ts';
import type { JobName } from '../ports.ts';

const DUE = `
  select distinct name from pgboss.job
  where name = any ($1) and state < 'active' and start_after <= now()`;

/** The inaccuracy of the calling timer: without this slack, a queue that may be woken every second would miss turns. */
const SLACK_MS = 100;

export class DueJobs {
  readonly #boss: PgBoss;
  /** The ids of each queue's workers. */
  readonly #workers: ReadonlyMap<JobName, readonly string[]>;
  readonly #wokenAtMs = new Map<JobName, number>();

  constructor(boss: PgBoss, workers: ReadonlyMap<JobName, readonly string[]>) {
    this.#boss = boss;
    this.#workers = workers;
  }

  /** A queue at its limit (groups, or all of its workers are busy) is not woken more often than its own interval. */
  async wake(nowMs: number): Promise<void> {
    const { rows } = (await this.#boss.getDb().executeSql(DUE, [[...this.#workers.keys()]])) as {
      rows: { name: JobName }[];
    };
    for (const { name } of rows) {
      const wokenAtMs = this.#wokenAtMs.get(name) ?? Number.NEGATIVE_INFINITY;
      if (nowMs - wokenAtMs < JOB_CATALOGUE[name].pollSeconds * 1000 - SLACK_MS) continue;
      this.#wokenAtMs.set(name, nowMs);
      for (const id of this.#workers.get(name) ?? []) this.#boss.notifyWorker(id);
    }
  }
}
