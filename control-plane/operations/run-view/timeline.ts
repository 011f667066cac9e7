/** A run over time: calls, answers, ratings, loss and the agents' noise by steps; the distribution of timings; events. */
import type { Output } from '../../contract/catalogue.ts';
import type { MosScale } from '../../contract/run/measured-words.ts';
import { RESOLUTION_SECONDS, type Resolution } from '../../contract/run/metrics.ts';
import { MARK_KINDS, MAX_MARKS, type Timeline } from '../../contract/run/timeline.ts';
import { type DueBefore, dueCalls } from '../../domain/figures/due-calls.ts';
import { byStreams } from '../../domain/figures/figures.ts';
import { BUCKETS_A_DECADE, histogramsOf, timelineOf } from '../../domain/figures/timeline.ts';
import { isLasting, testCallers } from '../../domain/run/load/callers.ts';
import { seedsOf } from '../../domain/run/seeds.ts';
import type { Tx } from '../../store/db.ts';
import { noiseSteps } from '../../store/measured/gathered-noise.ts';
import { liveScales, MOS_BUCKETS_A_POINT } from '../../store/measured/samples.ts';
import { executionOfRun, thresholdsOf } from '../../store/probe/probes.ts';
import { registeringOf } from '../../store/project/registrars.ts';
import { eventsOfRun } from '../../store/run/events.ts';
import type { KeptRun } from '../../store/run/kept-figures.ts';
import { runConfiguration } from '../../store/run/run-rows.ts';
import { lossSteps, ratingSteps, startSteps } from '../../store/run/views/timeline.ts';
import { byId, type Handler, known } from '../request/perform.ts';
import { type CallSource, callSource } from './call-source.ts';
import { keeping } from './kept-answers.ts';
import { chooseResolution } from './metrics.ts';
import { knownRun } from './runs.ts';

const ALWAYS = new Date(0);
/** Larger than the error of agents' clocks; values farther outside of a run are not part of its load. */
const MAX_SKEW_MS = 60_000;

type RunPath = { readonly projectId: string; readonly testRunId: string };
type Described = NonNullable<Awaited<ReturnType<typeof runConfiguration>>>;

const described = async (tx: Tx, { projectId, testRunId }: RunPath): Promise<Described> =>
  known('test run', testRunId, await byId(testRunId, () => runConfiguration(tx, projectId, testRunId)));

/** The parts of a timeline that are final during the run. */
export type TimelinePlan = {
  readonly run: Described;
  readonly due: DueBefore | null;
};

/** @throws ApiError NOT_FOUND */
export async function timelinePlanOf(tx: Tx, path: RunPath): Promise<TimelinePlan> {
  const run = await described(tx, path);
  const registers = await registeringOf(tx, [...new Set(run.config.groups.map((g) => g.registrarId))]);
  return { run, due: dueCalls(run.config, run.buildup, registers, run.loadChanges) };
}

export type Extent = {
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** The scale that is stored with the summary; null or absent: it is found among the streams. */
  readonly mosScale?: MosScale | null;
} & Partial<Omit<KeptRun, 'id'>>;

/** `since`: earlier ratings, loss, noise and set-up times of a folded run are omitted, and are therefore not measured. */
export async function drawTimeline(
  tx: Tx,
  plan: TimelinePlan,
  { startedAt, endedAt, mosScale: stored = null, ...kept }: Extent,
  now: Date,
  options: { readonly resolution?: Resolution | undefined; readonly since?: Date } = {},
): Promise<Timeline> {
  const runId = plan.run.testRunId;
  const until = endedAt ?? now;
  const span = startedAt ? { from: startedAt, to: until > startedAt ? until : startedAt } : { from: null, to: null };
  const resolutionSeconds = RESOLUTION_SECONDS[chooseResolution(span, options.resolution)];
  const floor = (at: Date): number => Math.floor(at.getTime() / 1000 / resolutionSeconds) * resolutionSeconds * 1000;
  const since = options.since ?? ALWAYS;
  const calls = callSource(tx, { ...kept, id: runId, isFolded: plan.run.isFolded });
  const mosScale = stored ?? (await scaleOf(tx, runId, calls, endedAt !== null));
  const { config } = plan.run;
  const { due } = plan;
  const rows = {
    starts: span.from ? await startSteps(tx, runId, resolutionSeconds) : [],
    calls: span.from ? await calls.steps(resolutionSeconds, since) : [],
    ratings: span.from && mosScale ? await ratingSteps(tx, runId, resolutionSeconds, mosScale, since) : [],
    loss: span.from ? await lossSteps(tx, runId, resolutionSeconds, since) : [],
    noise: span.from ? await noiseSteps(tx, runId, resolutionSeconds, since) : [],
    marks: span.from ? await eventsOfRun(tx, runId, MARK_KINDS, MAX_MARKS) : [],
  };
  const near = (ms: number | undefined, to: number): number =>
    ms !== undefined && Math.abs(ms - to) <= MAX_SKEW_MS ? ms : to;
  const fromMs = span.from && Math.min(floor(span.from), near(rows.calls[0]?.at.getTime(), floor(span.from)));
  const lastMs = span.to ? Math.max(floor(span.to), near(rows.calls.at(-1)?.at.getTime(), floor(span.to))) : 0;
  return timelineOf(
    {
      resolutionSeconds,
      fromMs,
      steps: fromMs === null ? 0 : (lastMs - fromMs) / (resolutionSeconds * 1000) + 1,
      startedAt,
      mosScale,
      // A call due exactly now counts as due.
      dueBefore: due && ((ms) => (startedAt ? due(Math.min(ms, until.getTime() + 1) - startedAt.getTime()) : 0)),
      endpoints: isLasting(config) ? testCallers(config).endpoints : null,
      bucketsAPoint: MOS_BUCKETS_A_POINT,
    },
    rows,
  );
}

const scaleOf = async (tx: Tx, runId: string, calls: CallSource, hasEnded: boolean): Promise<MosScale | null> =>
  byStreams(hasEnded ? await calls.scales() : await liveScales(tx, runId))[0]?.scale ?? null;

export const getTestRunTimeline = keeping('getTestRunTimeline', async ({ ports }, input) => {
  const { db } = ports.database;
  const run = await knownRun(db, input);
  const { resolution } = input;
  return {
    answer: await drawTimeline(db, await timelinePlanOf(db, input), run, ports.now(), { resolution }),
    isFinal: run.isFinal,
  };
});

export const getTestRunHistograms = keeping('getTestRunHistograms', async ({ ports }, input) => {
  const { db } = ports.database;
  const run = await knownRun(db, input);
  const buckets = await callSource(db, run).timingBuckets(BUCKETS_A_DECADE);
  return { answer: { histograms: histogramsOf(buckets) }, isFinal: run.isFinal };
});

export const getTestRunConfiguration: Handler<'getTestRunConfiguration'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const run = await described(db, input);
  const { isFolded: _, ...configuration } = run;
  return { ...configuration, seeds: seedsOf(run.config), probe: await probeOf(db, run.testRunId) };
};

async function probeOf(tx: Tx, runId: string): Promise<Output<'getTestRunConfiguration'>['probe']> {
  const found = await executionOfRun(tx, runId);
  return found ? { ...found, thresholds: await thresholdsOf(tx, [found.id]) } : null;
}
