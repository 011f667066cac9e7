/** Waits for the first message of a thread, which says that it is ready. */
import type { Worker } from 'node:worker_threads';

/** Threads start within a second. Much later, the host has no processor or no memory for them. */
const START_LIMIT_MS = 30_000;

type ThreadStart = {
  /** The name of the thread in errors. */
  readonly what: string;
  /** Settles when the thread has ended, with the error that ended it. */
  readonly ended: Promise<Error | null>;
  /** Tests set their own. */
  readonly limitMs?: number;
};

/** Returns the thread's first message. Rejects if it ends before, or is silent for too long; it has ended then. */
export async function threadReady<Ready>(
  worker: Worker,
  { what, ended, limitMs = START_LIMIT_MS }: ThreadStart,
): Promise<Ready> {
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate(what, limitMs)), limitMs);
  const failed = ended.then((error) => {
    throw error ?? new Error(`${what} ended at once`);
  });
  try {
    return await Promise.race([new Promise<Ready>((resolve) => worker.once('message', resolve)), failed, overdue]);
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const tooLate = (what: string, limitMs: number): Error =>
  new Error(
    `${what} did not start within ${limitMs / 1000} s: this host has too few processors or too little memory for the agent. End other programs or give it more, and start the agent again.`,
  );
