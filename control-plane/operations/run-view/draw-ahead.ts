/** What pages need of all calls of a large run is drawn when it has ended: its first reader does not wait for it. */

import { OUTCOMES } from '../../contract/run/words.ts';
import { BUCKETS_A_DECADE } from '../../domain/figures/timeline.ts';
import type { Ports } from '../../ports.ts';
import { isKept } from '../../store/run/kept-figures.ts';
import { runDetail, runExtent } from '../../store/run/run-rows.ts';
import { callSource } from './call-source.ts';
import { listedCalls } from './calls.ts';
import { endpointRows } from './endpoints.ts';
import { keptRefreshes } from './runs.ts';
import { drawTimeline, timelinePlanOf } from './timeline.ts';

type RunPath = { readonly projectId: string; readonly testRunId: string };

/** The first page of a list with the worst first, as a run's page shows it. */
const WORST = { order: 'worst', page: 1, per_page: 1 } as const;

export async function drawAhead({ database: { db }, hooks, now }: Ports, path: RunPath): Promise<void> {
  const { projectId, testRunId } = path;
  const run = await runExtent(db, projectId, testRunId);
  const detail = await runDetail(db, projectId, testRunId);
  if (!run || !detail || !isKept(run)) return;
  await keptRefreshes(db, run);
  await callSource(db, run).timingBuckets(BUCKETS_A_DECADE);
  await drawTimeline(db, await timelinePlanOf(db, path), run, now());
  for (const outcome of [undefined, ...OUTCOMES]) await listedCalls(db, run, { outcome }, WORST);
  await endpointRows(db, run, {}, WORST);
  for (const { drawAhead: drawOwn } of hooks) await drawOwn?.(db, detail);
}
