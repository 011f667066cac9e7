/** The rules by which a test ends its own run, asked about every second while the run is RUNNING. */
import { abortRules } from '../../contract/test-settings/abort-on.ts';
import { abortReason, dueRules } from '../../domain/run/abort.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import type { Ports } from '../../ports.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { abortingRun } from '../../store/run/run-rows.ts';
import { recentFigures } from '../run-view/recent-figures.ts';
import { beginEnding } from './end.ts';
import { runError } from './move.ts';

const EVERY_SECONDS = 1;
/** Queries take at most this part of the time, however many calls the run has. */
const SHARE = 0.2;

/** Ends the run if one of its rules says so, or looks again later. */
export async function judgeAborts(ports: Ports, runId: string): Promise<void> {
  const run = await abortingRun(ports.database.db, runId);
  if (run?.abortOn === null || run?.startedAt === null || run?.status !== 'RUNNING') return;
  const beganMs = performance.now();
  const reason = await reasonOf(ports, run);
  const tookSeconds = (performance.now() - beganMs) / 1000;
  await ports.database.transaction(async (tx) => {
    if (reason === null) {
      const startAfter = secondsAfter(ports.now(), Math.max(EVERY_SECONDS, tookSeconds / SHARE));
      await ports.jobs.enqueue(tx, 'run.abort', { runId }, { startAfter });
      return;
    }
    const locked = await lockRun(tx, runId);
    if (locked) await beginEnding(ports, tx, locked, 'aborted', runError('ABORTED', reason, ports.now()));
  });
}

type Aborting = NonNullable<Awaited<ReturnType<typeof abortingRun>>>;

async function reasonOf({ database, now }: Ports, { id, isFolded, startedAt, abortOn }: Aborting) {
  const at = now();
  const due = dueRules(abortRules(abortOn), at.getTime() - (startedAt ?? at).getTime());
  for (const rule of due) {
    const figures = await recentFigures(database.db, { id, isFolded }, secondsAfter(at, -rule.seconds));
    const reason = abortReason(rule, figures[rule.key]);
    if (reason !== null) return reason;
  }
  return null;
}
