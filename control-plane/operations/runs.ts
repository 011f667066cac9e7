/** Reading test runs and their endpoints. */
import { CAUSES, isCause } from '@carillon/proto';
import type { Output } from '../contract/catalogue.ts';
import { PHASES, type Phase } from '../contract/words.ts';
import { isOver } from '../domain/run-machine.ts';
import type { Tx } from '../store/db.ts';
import { callCounts, countEndpoints, listEndpoints, phaseCounts } from '../store/endpoints.ts';
import { instanceViews } from '../store/instances.ts';
import { countRuns, findRun, listRuns, runDetail } from '../store/runs.ts';
import { recentMos } from '../store/samples.ts';
import { liveFigures } from '../store/streams.ts';
import { drawFigures } from './figures.ts';
import { byId, type Handler, known } from './perform.ts';

type RunRow = Awaited<ReturnType<typeof listRuns>>[number];

export const runView = (r: RunRow): Output<'cancelTestRun'> => ({
  ...r,
  submittedAt: r.submittedAt.toISOString(),
  startedAt: r.startedAt?.toISOString() ?? null,
  endedAt: r.endedAt?.toISOString() ?? null,
});

const ownership = (isPlatform: boolean) => (isPlatform ? ('PLATFORM' as const) : ('USER_OWNED' as const));

export const listTestRuns: Handler<'listTestRuns'> = async ({ ports }, input) => ({
  rows: (await listRuns(ports.database.db, input.projectId, input)).map(runView),
  total: await countRuns(ports.database.db, input.projectId),
});

export const getTestRun: Handler<'getTestRun'> = async ({ ports }, { projectId, testRunId }) => {
  const { db } = ports.database;
  const found = known('test run', testRunId, await byId(testRunId, () => runDetail(db, projectId, testRunId)));
  const { probeId, events, sipMessages, summary, callTiming, sipResponses, sipRequests, validity, ...run } = found;
  const settled = summary && callTiming && sipResponses && sipRequests;
  const figures = settled
    ? { summary, callTiming, sipResponses, sipRequests }
    : await drawFigures(db, run.id, await liveFigures(db, run.id));
  const instances = await instanceViews(db, run.id);
  return {
    ...runView(run),
    projectName: run.projectName,
    organizationName: run.organizationName,
    durationSeconds: run.durationSeconds,
    buildup: run.buildup,
    isProbeRun: probeId !== null,
    ...figures,
    validity,
    subPopulationInstances: instances.map((i) => ({
      id: i.id,
      endpoints: i.endpoints,
      status: i.status,
      subPopulationId: i.subPopulationId,
      worker: { id: i.workerId, name: i.workerName, ownership: ownership(i.isPlatform) },
    })),
    counts: { events, sipMessages },
    progress: await progressOf(db, run, ports.now()),
  };
};

/** Callers register, call, hang up and un-register within about this much more than build-up and duration. */
const TEARDOWN_SECONDS = 3;
const RECENT_MS = 5000;

async function progressOf(
  tx: Tx,
  run: RunRow & { buildup: number; durationSeconds: number },
  now: Date,
): Promise<Output<'getTestRun'>['progress']> {
  const byPhase = new Map((await phaseCounts(tx, run.id)).map((p) => [p.phase, p.n]));
  const calls = await callCounts(tx, run.id);
  const until = run.endedAt ?? now;
  return {
    phases: Object.fromEntries(PHASES.map((phase, i) => [phase, byPhase.get(i) ?? 0])) as Record<Phase, number>,
    callsStarted: calls.calls,
    callsAnswered: calls.answered,
    callsEnded: calls.ended,
    failures: calls.failures,
    currentMos: isOver(run.status) ? null : await recentMos(tx, run.id, new Date(now.getTime() - RECENT_MS)),
    elapsedSeconds: run.startedAt ? Math.max(0, (until.getTime() - run.startedAt.getTime()) / 1000) : 0,
    expectedSeconds: run.buildup + run.durationSeconds + TEARDOWN_SECONDS,
  };
}

const whole = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

export const listTestRunEndpoints: Handler<'listTestRunEndpoints'> = async ({ ports }, input) => {
  const { db } = ports.database;
  const { projectId, testRunId } = input;
  known('test run', testRunId, await byId(testRunId, () => findRun(db, projectId, testRunId)));
  const rows = await listEndpoints(db, testRunId, input);
  return { rows: rows.map(endpointView), total: await countEndpoints(db, testRunId) };
};

type EndpointRow = Awaited<ReturnType<typeof listEndpoints>>[number];

function endpointView(e: EndpointRow): Output<'listTestRunEndpoints'> {
  return {
    id: e.id,
    endpointType: e.endpoint_type,
    phase: PHASES[e.phase] as Phase,
    outcome: e.outcome,
    failure: e.cause === null ? null : failureView(e),
    calleeUri: e.callee_uri,
    worker: { id: e.worker_id, name: e.workerName, ownership: ownership(e.isPlatform) },
    registrar: { id: e.registrar_id, name: e.registrarName ?? '(deleted)', uri: e.registrarUri ?? '' },
    callTiming: callTimingView(e),
  };
}

const failureView = (e: EndpointRow) => ({
  cause: e.cause as string,
  party: isCause(e.cause as string) ? CAUSES[e.cause as keyof typeof CAUSES].party : ('unknown' as const),
  sipStatus: e.cause_status,
  reason: e.cause_text ?? '',
});

/** Null for an endpoint that never reached the timing collector; never filled with zeros (spec section 2). */
function callTimingView(e: EndpointRow): Output<'listTestRunEndpoints'>['callTiming'] {
  const calling =
    e.attempted || (e.endpoint_type === 'CALLER' && e.outcome === null && e.phase >= PHASES.indexOf('CALLING'));
  if (!calling) return null;
  return {
    timeToTryingMs: whole(e.time_to_trying_ms),
    timeToRingingMs: whole(e.time_to_ringing_ms),
    pddMs: whole(e.pdd_ms),
    callSetupMs: whole(e.call_setup_ms),
    timeToFirstMediaMs: whole(e.time_to_first_media_ms),
    callDurationMs: whole(e.call_duration_ms),
    registerRttMs: whole(e.register_rtt_ms),
    finalStatusCode: e.final_status,
    finalReasonPhrase: e.final_reason,
    callResult: e.call_result ?? 'IN_PROGRESS',
  };
}
