/** Waits for a run's end, draws the run in the meantime, and cancels it if the command is ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURE_RUN_HOOKS } from '../../feature-sums/commands.ts';
import { EXIT, Stop } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { RunRef } from '../options.ts';
import { type Api, Refused } from '../session/api.ts';
import type { RunOfTest } from './limits.ts';
import type { LivePicture } from './live.ts';

const LOOK_MS = 1000;
/** Calls are hung up within seconds. The rest of this time is for agents that are not connected. */
const CANCEL_MS = 90_000;
/** What features measure may end after the run. */
const FEATURES_MS = 60_000;

/** @param picture null: nothing is drawn */
export async function follow(io: Io, api: Api, ref: RunRef, picture: LivePicture | null): Promise<RunOfTest> {
  let cancelledMs: number | null = null;
  let endedMs: number | null = null;
  for (;;) {
    const run = await api.call('getTestRun', ref);
    picture?.draw(run, Date.now());
    if (run.endedAt !== null) {
      endedMs ??= Date.now();
      if (!isOpen(run) || io.ending.aborted || Date.now() - endedMs > FEATURES_MS) return run;
    }
    if (io.ending.aborted && cancelledMs === null) {
      io.err.write('Cancelling the run: its calls are hung up. Press Ctrl-C again to exit without waiting.\n');
      picture?.end(true);
      cancelledMs = Date.now();
      await cancel(api, ref);
    }
    if (cancelledMs !== null && Date.now() - cancelledMs > CANCEL_MS)
      throw new Stop(EXIT.ABORTED, `Run ${ref.testRunId} was cancelled and has not ended yet.`);
    await sleep(LOOK_MS, undefined, cancelledMs === null ? { signal: io.ending } : {}).catch(() => undefined);
  }
}

const isOpen = (run: RunOfTest): boolean => FEATURE_RUN_HOOKS.some((hooks) => hooks.isOpen?.(run) === true);

/** It is no error if the run has ended in the meantime. */
const cancel = (api: Api, ref: RunRef): Promise<unknown> =>
  api.call('cancelTestRun', ref).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.status !== 409) throw error;
  });
