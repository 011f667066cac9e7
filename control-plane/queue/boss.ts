/** `pg-boss`: jobs stored in the transaction that decides them, and the workers that do them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fromKysely, PgBoss } from 'pg-boss';
import { JOB_CATALOGUE, JOB_NAMES } from '../job-catalogue.ts';
import type { JobName, JobOptions, JobQueue, Jobs, Log } from '../ports.ts';
import { type ConnectionConfig, openedConnection } from '../store/db.ts';
import { connectionLimits } from '../store/limits.ts';
import { SilenceWatch } from '../store/silence.ts';
import { inWords, QUEUE_CONNECTIONS } from '../store/trouble.ts';
import { DueJobs } from './due-jobs.ts';
import { type JobsSeen, jobsSeen } from './jobs-seen.ts';
import { Repeats } from './repeats.ts';

/** `attempt` is 1 for the first. */
type Handle = <N extends JobName>(name: N, data: Jobs[N], attempt: number) => Promise<void>;

/** For recurring jobs: whether there is anything to do. An absent job is always proposed. */
type Wanted = { readonly [N in JobName]?: () => Promise<boolean> };

export type Queue = JobQueue & {
  work(handle: Handle, wanted?: Wanted): Promise<void>;
  seen(): Promise<JobsSeen>;
  /** Stops accepting jobs, and lets running ones finish. */
  stop(): Promise<void>;
};

const jobOptions = (options: JobOptions | undefined) => ({
  ...(options?.startAfter && { startAfter: options.startAfter }),
  ...(options?.group && { group: { id: options.group } }),
});

/** A killed process's job is given to another process after this time, or up to twice as much. */
const EXPIRE_SECONDS = 30;
const SUPERVISE_SECONDS = 30;
const STOP_TIMEOUT_MS = 5000;
/** The limit for pg-boss's last statements: a silent database would keep the process alive. */
const LAST_WORDS_MS = 10_000;
const STATEMENT_LIMIT_MS = 30_000;
/** The number of concurrent jobs of one kind per replica. */
const BATCH = 10;
/** The interval of the common query for newly due jobs, which have no notification. */
const LOOK_MS = 1000;
/** The interval of each queue's own query, which is only useful if a notification was lost. */
const POLL_SECONDS = 300;

async function putQueues(boss: PgBoss): Promise<void> {
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
}

type Job = { readonly id: string; readonly data: unknown; readonly retryCount: number };

/** Starts the workers of every kind of job. @returns their ids */
async function startWorkers(boss: PgBoss, handle: Handle, log: Log): Promise<Map<JobName, string[]>> {
  const perform = async <N extends JobName>(name: N, payload: { parse(data: unknown): Jobs[N] }, job: Job) => {
    try {
      await handle(name, payload.parse(job.data), job.retryCount + 1);
      return { id: job.id, status: 'completed' as const };
    } catch (error) {
      const { message, stack } = error as Error;
      log.error({ job: name, data: job.data, error: message, stack }, 'job failed');
      return { id: job.id, status: 'failed' as const, output: { message } };
    }
  };
  const workers = new Map<JobName, string[]>();
  for (const name of JOB_NAMES) {
    const { payload, pollSeconds, atOnce, atOnceInGroup } = JOB_CATALOGUE[name];
    const options = {
      batchSize: atOnce === undefined ? BATCH : 1,
      ...(atOnceInGroup !== undefined && { groupConcurrency: atOnceInGroup }),
      // A full batch means that there are more: they are fetched immediately.
      burstWhenBatchFull: true,
      perJobResults: true,
      pollingIntervalSeconds: Math.min(pollSeconds, 2),
      notifyPollingIntervalSeconds: POLL_SECONDS,
    } as const;
    const ids: string[] = [];
    for (let n = 0; n < (atOnce ?? 1); n++)
      ids.push(await boss.work(name, options, (jobs) => Promise.all(jobs.map((job) => perform(name, payload, job)))));
    workers.set(name, ids);
  }
  return workers;
}

export async function startQueue(connection: ConnectionConfig, log: Log, lookMs?: number): Promise<Queue> {
  const each = {
    ...openedConnection(connection),
    application_name: 'carillon queue',
    ...connectionLimits(STATEMENT_LIMIT_MS),
  };
  const watch = new SilenceWatch(each, lookMs);
  const pool = { ...each, Client: watch.Client };
  const boss = new PgBoss({
    ...pool,
    max: QUEUE_CONNECTIONS,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // These jobs do not depend on each other.
    flowIntervalSeconds: 3600,
    schedule: false,
  });
  boss.on('error', (error) => log.warn({ error: inWords(error) }, 'the queue has trouble with the database'));
  boss.on('warning', (warning) => log.debug({ warning }, 'queue'));
  await boss.start();
  await putQueues(boss);
  const repeats = new Repeats();
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
    async work(handle, wanted = {}) {
      const workers = await startWorkers(boss, handle, log);
      for (const name of JOB_NAMES) {
        const { everySeconds } = JOB_CATALOGUE[name];
        if (everySeconds === undefined) continue;
        const propose = async (): Promise<void> => {
          if ((await wanted[name]?.()) === false) return;
          await boss.send(name, {}, { singletonSeconds: everySeconds, singletonKey: name });
        };
        repeats.begin(everySeconds * 1000, propose, (error) =>
          log.warn({ job: name, error: error.message }, 'a recurring job could not be proposed'),
        );
      }
      const due = new DueJobs(boss, workers);
      repeats.begin(
        LOOK_MS,
        () => due.wake(performance.now()),
        (error) => log.warn({ error: error.message }, 'could not look for jobs that are due'),
      );
    },
    seen: () => jobsSeen(boss),
    async stop() {
      repeats.stop();
      watch.close();
      const stopped = boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
      stopped.catch(() => undefined);
      const limit = new AbortController();
      const late = sleep(STOP_TIMEOUT_MS + LAST_WORDS_MS, 'late', { signal: limit.signal });
      late.catch(() => undefined);
      const first = await Promise.race([stopped, late]).finally(() => limit.abort());
      if (first === 'late') log.warn({}, 'the queue has not ended in order: the database does not answer');
    },
  };
}
