/** pg-boss: jobs stored in the transaction that decides them, and the workers that do them. */
import { fromKysely, PgBoss } from 'pg-boss';
import type { JobName, JobOptions, JobQueue, Jobs, Log } from '../ports.ts';
import { type ConnectionConfig, openedConnection } from '../store/db.ts';
import { JOB_CATALOGUE, JOB_NAMES } from './catalogue.ts';

/** `attempt`: 1 for the first. */
type Handle = <N extends JobName>(name: N, data: Jobs[N], attempt: number) => Promise<void>;

export type Queue = JobQueue & {
  /** Begins to do jobs. */
  work(handle: Handle): Promise<void>;
  /** Takes no more jobs, lets those under way finish. */
  stop(): Promise<void>;
};

const jobOptions = (options: JobOptions | undefined) => ({
  ...(options?.startAfter && { startAfter: options.startAfter }),
  ...(options?.group && { group: { id: options.group } }),
});

/** A job that a killed process had begun is given to another after this. */
const EXPIRE_SECONDS = 30;
const STOP_TIMEOUT_MS = 5000;
/** Jobs of one kind that a replica does at once. */
const BATCH = 10;

export async function startQueue(connection: ConnectionConfig, log: Log): Promise<Queue> {
  const boss = new PgBoss({
    ...openedConnection(connection),
    application_name: 'carillon queue',
    max: 4,
    useListenNotify: true,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    schedule: false,
  });
  boss.on('error', (error) => log.warn({ error: error.message }, 'the queue has trouble with the database'));
  boss.on('warning', (warning) => log.debug({ warning }, 'queue'));
  await boss.start();
  for (const name of JOB_NAMES) {
    const options = {
      notify: true,
      retryLimit: JOB_CATALOGUE[name].retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 10,
      expireInSeconds: JOB_CATALOGUE[name].expireSeconds ?? EXPIRE_SECONDS,
      deleteAfterSeconds: 3600,
    };
    if (await boss.getQueue(name)) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
  }
  const proposers: NodeJS.Timeout[] = [];
  let handler: Handle = async () => undefined;

  async function perform<N extends JobName>(
    name: N,
    payload: { parse(data: unknown): Jobs[N] },
    job: { id: string; data: unknown; retryCount: number },
  ) {
    try {
      await handler(name, payload.parse(job.data), job.retryCount + 1);
      return { id: job.id, status: 'completed' as const };
    } catch (error) {
      const { message, stack } = error as Error;
      log.error({ job: name, data: job.data, error: message, stack }, 'job failed');
      return { id: job.id, status: 'failed' as const, output: { message } };
    }
  }

  return {
    async enqueue(tx, name, data, options) {
      await boss.send(name, data, { db: fromKysely(tx), ...jobOptions(options) });
    },
    async enqueueAll(tx, name, data, options) {
      if (data.length === 0) return;
      const each = jobOptions(options);
      await boss.insert(
        name,
        data.map((d) => ({ data: d, ...each })),
        { db: fromKysely(tx) },
      );
    },
    async work(handle) {
      handler = handle;
      for (const name of JOB_NAMES) {
        const { payload, pollSeconds, everySeconds, atOnce, atOnceInGroup } = JOB_CATALOGUE[name];
        const options = {
          ...(atOnce === undefined ? { batchSize: BATCH } : { batchSize: 1, localConcurrency: atOnce }),
          ...(atOnceInGroup !== undefined && { groupConcurrency: atOnceInGroup }),
          // A full batch means that there is more: it is fetched at once.
          burstWhenBatchFull: true,
          perJobResults: true,
          pollingIntervalSeconds: Math.min(pollSeconds, 2),
          notifyPollingIntervalSeconds: pollSeconds,
        } as const;
        await boss.work(name, options, (jobs) => Promise.all(jobs.map((job) => perform(name, payload, job))));
        if (everySeconds === undefined) continue;
        const propose = () =>
          void boss
            .send(name, {}, { singletonSeconds: everySeconds, singletonKey: name })
            .catch((error: Error) =>
              log.warn({ job: name, error: error.message }, 'a recurring job could not be proposed'),
            );
        propose();
        proposers.push(setInterval(propose, everySeconds * 1000));
      }
    },
    async stop() {
      for (const timer of proposers) clearInterval(timer);
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}
