/**
 * What a folded run has by the second and by agent becomes sums of all agents, in longer steps as the run goes on: its page costs the
 * same in its last hour as in its first. It happens every few seconds while the run is RUNNING, whatever happened to the time before.
 */
import { MAX_POINTS, RESOLUTION_SECONDS } from '../../contract/run/metrics.ts';
import { abortRules } from '../../contract/test-settings/abort-on.ts';
import { addGathered, gathered } from '../../domain/figures/gathered-noise.ts';
import { addInterval, type NoiseTally } from '../../domain/figures/noise-tally.ts';
import { EVERY_INSTANCE, gatheredStarts } from '../../domain/figures/start-reports.ts';
import { secondsAfter } from '../../domain/seconds-after.ts';
import { addToStep, type CallSeconds } from '../../domain/sums/call-seconds.ts';
import type { Ports } from '../../ports.ts';
import type { Tx } from '../../store/db.ts';
import {
  dropGatheredNoise,
  gatherNoiseSteps,
  noiseSumsOf,
  storeNoiseSum,
} from '../../store/measured/gathered-noise.ts';
import { insertStartNoise, noiseOfRun, takeStartNoise } from '../../store/measured/noise.ts';
import { addCallSeconds, takeSeconds } from '../../store/run/call-sums.ts';
import { lockRun } from '../../store/run/locked-run.ts';
import { gatheredRuns } from '../../store/run/run-rows.ts';
import { intervalOf } from '../run-view/noise.ts';

/** The page draws the last seconds again and again, since agents report late. */
const SETTLED_SECONDS = 15;

/** One that cannot be gathered is left for the next time. */
export async function gatherRuns(ports: Ports): Promise<void> {
  for (const runId of await gatheredRuns(ports.database.db))
    await gatherRun(ports, runId).catch((error: Error) =>
      ports.log.warn({ runId, error: error.message }, 'a run could not be gathered'),
    );
}

export const gatherRun = (ports: Ports, runId: string): Promise<void> =>
  ports.database.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run?.status !== 'RUNNING' || run.startedAt === null) return;
    const at = ports.now();
    // The rules of the test that end the run look back by the second.
    const lookBack = Math.max(SETTLED_SECONDS, ...abortRules(run.config.abortOn ?? null).map(({ seconds }) => seconds));
    const before = secondsAfter(at, -lookBack);
    const step = finestStep((at.getTime() - run.startedAt.getTime()) / 1000);
    const steps: CallSeconds = new Map();
    for (const second of await takeSeconds(tx, runId, before, step)) addToStep(steps, second, step);
    await addCallSeconds(tx, { runId, instanceId: EVERY_INSTANCE, lost: false }, steps);
    for (const { instanceId, batch, ...report } of gatheredStarts(await takeStartNoise(tx, runId, before, step), step))
      await insertStartNoise(tx, runId, instanceId, batch, report);
    await gatherNoise(tx, runId, before, step);
  });

/** Intervals of a worker come in order, so what is gathered of it is before the rest. */
export async function gatherNoise(tx: Tx, runId: string, before: Date, stepSeconds: number): Promise<void> {
  const gathering = await gatherNoiseSteps(tx, runId, before, stepSeconds);
  const tally: NoiseTally = new Map();
  for (const { id, noise } of await noiseSumsOf(tx, runId)) addGathered(tally, id, noise);
  for await (const n of noiseOfRun(tx, runId, gathering)) addInterval(tally, intervalOf(n, n.worker_id));
  for (const [workerId, noise] of tally) await storeNoiseSum(tx, runId, workerId, gathered(noise));
  await dropGatheredNoise(tx, runId);
}

/** The finest step in which a run that lasts so long may be asked for. */
const finestStep = (seconds: number): number =>
  Object.values(RESOLUTION_SECONDS).find((step) => seconds < step * MAX_POINTS) ??
  Math.max(...Object.values(RESOLUTION_SECONDS));
