/** Reads a run in full: its figures, findings, instances and progress. */
import type { Output } from '../../contract/catalogue.ts';
import { byStreams, withEverySpread } from '../../domain/figures/figures.ts';
import { loadNow } from '../../domain/run/load/load-change.ts';
import { isOver, TEARDOWN_SECONDS } from '../../domain/run/run-machine.ts';
import { answeredOf } from '../../domain/sums/call-kinds.ts';
import { RELATIVE_ERROR } from '../../domain/sums/spread.ts';
import type { FeatureRunFields, RunDetailRow } from '../../hooks.ts';
import type { Tx } from '../../store/db.ts';
import { liveScales } from '../../store/measured/samples.ts';
import { liveFigures } from '../../store/measured/streams.ts';
import { refreshCounts } from '../../store/run/endpoints.ts';
import { instanceViews } from '../../store/run/instances.ts';
import { type KeptRun, keptFigures } from '../../store/run/kept-figures.ts';
import { runDetail, runExtent } from '../../store/run/run-rows.ts';
import type { findRun } from '../../store/run/views/run-lists.ts';
import { joined } from '../request/joined.ts';
import { byId, known } from '../request/perform.ts';
import { callSource } from './call-source.ts';
import { drawClusters, drawFigures, drawFindings, drawStarts, progressOf, qualityOf } from './figures.ts';
import { keeping } from './kept-answers.ts';

type RunRow = NonNullable<Awaited<ReturnType<typeof findRun>>>;

export const runView = (r: RunRow): Output<'cancelTestRun'> => ({
  ...r,
  isProbeRun: r.probeId !== null,
  submittedAt: r.submittedAt.toISOString(),
  startedAt: r.startedAt?.toISOString() ?? null,
  endedAt: r.endedAt?.toISOString() ?? null,
});

export const workerRef = (w: { id: string; name: string; isPlatform: boolean }) => ({
  id: w.id,
  name: w.name,
  ownership: w.isPlatform ? ('PLATFORM' as const) : ('USER_OWNED' as const),
});

/** @throws ApiError NOT_FOUND */
export const knownRun = async (tx: Tx, { projectId, testRunId }: { projectId: string; testRunId: string }) =>
  known('test run', testRunId, await byId(testRunId, () => runExtent(tx, projectId, testRunId)));

/** Runs that ended before endpoints could place more than one call. */
const BEFORE_LOADS = { noFreeEndpoint: 0 };

export const getTestRun = keeping('getTestRun', async ({ ports }, { projectId, testRunId }) => {
  const { db } = ports.database;
  const found = known('test run', testRunId, await byId(testRunId, () => runDetail(db, projectId, testRunId)));
  const { clusters, progress, ...figures } = await figuresOf(db, found);
  const instances = await instanceViews(db, found.id);
  const { id, status, error, priority, testId, testName, endpoints, submittedAt, startedAt, endedAt, result } = found;
  const { labels, overrides, probeId, isBaseline } = found;
  const answer: Output<'getTestRun'> = {
    ...runView({
      id,
      status,
      error,
      priority,
      testId,
      testName,
      endpoints,
      submittedAt,
      startedAt,
      endedAt,
      result,
      labels,
      overrides,
      probeId,
      isBaseline,
    }),
    projectName: found.projectName,
    organizationName: found.organizationName,
    durationSeconds: found.durationSeconds,
    buildup: found.buildup,
    callAfterCall: found.isLasting,
    ...figures,
    ...clusters,
    figures: sourceOf(found.isFolded),
    thresholds: found.thresholds ?? [],
    passed: found.passed,
    load: loadOf(found, figures.starts, ports.now()),
    registrationRefreshes: await keptRefreshes(db, found),
    ...joined<FeatureRunFields>(await Promise.all(ports.hooks.map(({ runFields }) => runFields?.(db, found)))),
    validity: found.validity,
    revisedAt: found.revisedAt?.toISOString() ?? null,
    subPopulationInstances: instances.map((i) => ({
      id: i.id,
      endpoints: i.endpoints,
      status: i.status,
      subPopulationId: i.subPopulationId,
      worker: workerRef({ id: i.workerId, name: i.workerName, isPlatform: i.isPlatform }),
    })),
    counts: { events: found.events, sipMessages: found.sipMessages },
    kept: keptView(found),
    progress: { ...progress, ...(await timesOf(db, found, ports.now())) },
  };
  return { answer, isFinal: found.isFinal };
});

/** The refreshes of all registrations; null: none, or not counted. */
export const keptRefreshes = (tx: Tx, run: KeptRun) =>
  keptFigures(tx, run, 'refreshes', () => refreshCounts(tx, run.id));

const keptView = ({ keeping, keptCalls }: RunDetailRow): Output<'getTestRun'>['kept'] =>
  keeping === null
    ? { detail: 'ALL', calls: null, oneIn: null, ofCluster: null }
    : { detail: 'SOME', calls: keptCalls, oneIn: keeping.oneIn, ofCluster: keeping.ofCluster };

/** Returns the figures stored at the end of the run, or the current ones. */
async function figuresOf(tx: Tx, run: RunDetailRow) {
  const { summary, callTiming, sipResponses, sipRequests } = run;
  const calls = callSource(tx, run);
  // What a run that has ended stores is not drawn from its calls again.
  const kinds = summary && run.callQuality && run.progress ? [] : await calls.kinds();
  if (!summary || !callTiming || !sipResponses || !sipRequests) {
    const streams = { ...(await liveFigures(tx, run.id)), streams: answeredOf(kinds) };
    return drawFigures(tx, run.id, calls, streams, await liveScales(tx, run.id));
  }
  return {
    // This applies to runs that ended before scales were stored.
    summary: { ...summary, mosScale: summary.mosScale ?? null, scales: summary.scales ?? [] },
    callTiming: withEverySpread(callTiming),
    sipResponses,
    sipRequests,
    callQuality: run.callQuality ?? qualityOf(kinds),
    findings: run.findings ?? (await drawFindings(calls)),
    // Runs that ended before these were stored have none.
    clusters: run.failureClusters ?? (await drawClusters(calls)),
    progress: run.progress ?? progressOf(kinds),
    starts: run.starts ? { ...BEFORE_LOADS, ...run.starts } : await drawStarts(tx, run.id, calls),
  };
}

/** The parts of the run's load that can be changed. */
function loadOf(
  run: RunDetailRow,
  { planned }: Output<'getTestRun'>['starts'],
  now: Date,
): Output<'getTestRun'>['load'] {
  const { runningConfig, startedAt, loadChanges } = run;
  if (runningConfig === null || startedAt === null) return null;
  const load = loadNow(runningConfig, loadChanges, (now.getTime() - startedAt.getTime()) / 1000);
  if (load === null || planned >= load.calls) return null;
  const { calls, seconds, ...shown } = load;
  const hasEnd = Number.isFinite(seconds);
  return { ...shown, endsAt: hasEnd ? new Date(startedAt.getTime() + seconds * 1000).toISOString() : null };
}

const sourceOf = (isFolded: boolean): Output<'getTestRun'>['figures'] =>
  isFolded ? { from: 'SUMS', relativeError: RELATIVE_ERROR } : { from: 'CALLS', relativeError: 0 };

const RECENT_MS = 5000;

const currentMos = async (tx: Tx, runId: string, since: Date): Promise<number | null> =>
  byStreams(await liveScales(tx, runId, since))[0]?.avgMos ?? null;

async function timesOf(tx: Tx, run: RunDetailRow, now: Date) {
  const until = run.endedAt ?? now;
  return {
    currentMos: isOver(run.status) ? null : await currentMos(tx, run.id, new Date(now.getTime() - RECENT_MS)),
    elapsedSeconds: run.startedAt ? Math.max(0, (until.getTime() - run.startedAt.getTime()) / 1000) : 0,
    expectedSeconds: run.buildup + run.durationSeconds + TEARDOWN_SECONDS,
  };
}
