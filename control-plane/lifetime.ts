/** A process from start to exit code: effects of signals during start, service and shutdown. */
type Running = { close(): Promise<void> };

export type Lifetime = {
  /** Aborted when the process receives the order to end, which interrupts the start. */
  readonly ending: AbortSignal;
  /** Ends the process in order; it then exits with `code`, or 1 if something would not close. */
  end(code: number): void;
};

/**
 * SIGHUP means that the terminal was closed. Node ignores that nohup has disabled it, so it would end the process in
 * any case, and leave the database.
 */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Exit codes: 0 after a signal while serving; 128 and the signal's number (129, 130, 143) during the start, or after a
 * second signal; 1 if it failed to start, or to close something.
 */
export async function live(start: (lifetime: Lifetime) => Promise<Running>): Promise<never> {
  const ending = new AbortController();
  let code = 0;
  let interrupted = 0;
  const end = (withCode: number): void => {
    if (ending.signal.aborted) return;
    code = withCode;
    ending.abort(new Error('It was stopped before it had started.'));
  };
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      // A terminal that closes after another signal does not count as a second signal.
      if (ending.signal.aborted && name === 'SIGHUP') return;
      if (ending.signal.aborted) process.exit(128 + number);
      interrupted = 128 + number;
      end(0);
    });
  }
  // A closed terminal accepts no more output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  // The process is tied to the program that started it (an IPC channel): when that program is killed, this one ends in order.
  process.on('disconnect', () => end(0));
  try {
    const running = await start({ ending: ending.signal, end });
    await aborted(ending.signal);
    return process.exit((await exitCode(running.close())) || code);
  } catch (error) {
    if (ending.signal.aborted && error === ending.signal.reason) return process.exit(interrupted || code);
    console.error((error as Error).message);
    return process.exit(1);
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The exit code after closing everything: 0, or 1 if something failed to close, which is logged. */
export const exitCode = (closing: Promise<void> | undefined, tell: (message: string) => void = console.error) =>
  Promise.resolve(closing).then(
    () => 0,
    (error: Error) => {
      tell(error.message);
      return 1;
    },
  );
