/** Results of a trial's run, without its warm-up if its calls have rows. */
import type { SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import { METRIC_KEY_NAMES } from '../../../contract/metric-keys.ts';
import { figureOf } from '../../../contract/run/metric-figures.ts';
import { callTimingOf, type distributionOf } from '../../../domain/figures/figures.ts';
import { secondsAfter } from '../../../domain/seconds-after.ts';
import { callCountsOf, seizuresOf } from '../../../domain/sums/call-kinds.ts';
import { qualityOf } from '../../../operations/run-view/figures.ts';
import type { Tx } from '../../../store/db.ts';
import { callKinds, timingDistributions } from '../../../store/run/endpoints.ts';
import type { SearchSettings, TrialEvidence } from '../contract/capacity.ts';
import type { TrialRun } from '../domain/judge.ts';
import { trialRun } from '../store/trials.ts';

type Row = NonNullable<Awaited<ReturnType<typeof trialRun>>>;

/** The figures of calls planned after the warm-up; null: the run has no figures. */
async function measured(tx: Tx, runId: string, run: Row, { warmUpSeconds, method }: SearchSettings) {
  const { summary, callTiming, callQuality, starts, startedAt } = run;
  if (!summary || !callTiming || !callQuality || !starts || !startedAt) return null;
  const isWhole = run.isFolded || warmUpSeconds === 0 || method === 'RFC7502_STRICT';
  if (isWhole) return { summary, callTiming, quality: callQuality, starts, wholeRun: run.isFolded };
  const from = secondsAfter(startedAt, warmUpSeconds);
  const kinds = await callKinds(tx, runId, { from });
  const timings = await timingDistributions(tx, runId, { from });
  return {
    summary,
    callTiming: callTimingOf(callCountsOf(kinds), seizuresOf(kinds), timings),
    quality: qualityOf(kinds),
    starts,
    wholeRun: false,
  };
}

type Measured = NonNullable<Awaited<ReturnType<typeof measured>>>;

/** What became of the calls; all 0 if nothing was measured. */
const countsOf = ({ starts, quality }: Partial<Measured>) => ({
  due: starts?.planned ?? 0,
  heldBack: starts?.heldBack ?? 0,
  noFreeEndpoint: starts?.noFreeEndpoint ?? 0,
  notStarted: starts ? starts.dropped + starts.heldBack : 0,
  calls: quality ? quality.calls + quality.notPlaced : 0,
  failed: quality ? quality.failed + quality.notPlaced : 0,
  successful: quality?.successful ?? 0,
});

const figuresOf = (figures: Measured): TrialRun['figures'] =>
  Object.fromEntries(METRIC_KEY_NAMES.map((key) => [key, figureOf(key, figures)]));

/** `level`: the requested load. Undefined: the run was deleted. */
export async function judgedTrial(tx: Tx, runId: string, level: number, settings: SearchSettings) {
  const run = await trialRun(tx, runId);
  if (run === undefined) return undefined;
  const figures = await measured(tx, runId, run, settings);
  const { notStarted, successful, ...counts } = countsOf(figures ?? {});
  const verdict = run.validity?.verdict ?? null;
  const { loadDistributions } = await import('../../../domain/statistics/distributions.ts');
  await loadDistributions();
  const { judgeTrial } = await import('../domain/judge.ts');
  const { result, slos, reasons } = judgeTrial(
    { status: run.status, error: run.error, verdict, ...counts, figures: figures ? figuresOf(figures) : {} },
    settings,
  );
  const evidence: TrialEvidence = {
    offered: level,
    carried: carriedOf(settings, level, counts.calls, successful),
    planned: counts.calls,
    successful,
    failed: counts.failed,
    notStarted,
    setupMs: setupOf(figures?.callTiming),
    verdict,
    slos,
    reasons,
    wholeRun: figures?.wholeRun ?? false,
  };
  return { result, evidence };
}

/** The successful share of the offered load. */
function carriedOf({ objective }: SearchSettings, level: number, calls: number, successful: number): number {
  const carried = calls > 0 ? (level * successful) / calls : 0;
  return objective === 'CALLS_AT_ONCE' ? Math.round(carried) : Math.round(carried * 100) / 100;
}

type Timing = Record<Extract<SpreadKey, 'callSetup'>, ReturnType<typeof distributionOf>>;
function setupOf(timing: Timing | undefined): TrialEvidence['setupMs'] {
  if (!timing || timing.callSetup.count === 0) return null;
  const { p50, p95, p99, count } = timing.callSetup;
  return { p50, p95, p99, count };
}
