/** An entry of the catalogue of jobs. */
import type * as z from 'zod';

export type JobEntry<Data> = {
  readonly payload: z.ZodType<Data>;
  readonly retries: number;
  /** A delayed job has no NOTIFY: this is its maximum delay if others of its kind wait as well; otherwise a second. */
  readonly pollSeconds: number;
  /** The number of concurrent individual jobs per replica: a slow one blocks no other. Absent: batches, done together. */
  readonly atOnce?: number;
  /** The number of these per group over all replicas; slightly more if several replicas fetch at the same moment. */
  readonly atOnceInGroup?: number;
  /** A job that takes longer, or whose process was killed, is given to another; absent: 30. */
  readonly expireSeconds?: number;
  /** Every replica proposes the job at this interval if there is work, and it is created once. */
  readonly everySeconds?: number;
};

/** Jobs about runs are repeated until they succeed: an unavailable database must not leave a run hanging. */
export const UNTIL_IT_WORKS = 100;
