/** What the rules that end a run need: its figures from an instant on. */
import type { RecentFigures } from '../../domain/run/abort.ts';
import type { Tx } from '../../store/db.ts';
import { type RecentRun, recentMedia, recentSetup, recentShare } from '../../store/run/views/recent.ts';
import { foldedSetup } from './folded-steps.ts';

/** `successShare`: of calls that ended since then; `callSetup`: p95 of those that were answered; the rest: means over packets. */
export const recentFigures = async (tx: Tx, run: RecentRun, since: Date): Promise<RecentFigures> => ({
  successShare: await recentShare(tx, run, since),
  callSetup: run.isFolded ? await foldedSetup(tx, run.id, since) : await recentSetup(tx, run.id, since),
  ...(await recentMedia(tx, run.id, since)),
});
