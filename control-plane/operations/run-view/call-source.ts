/** The source of a run's call figures: rows or, for a folded run, the sums to which each call was added at its end. */
import type { SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import type { RawDistribution, RunTotals, ScaleFigures } from '../../domain/figures/figures.ts';
import type { CallStep } from '../../domain/figures/time-steps.ts';
import { answeredOf, type CountedKind } from '../../domain/sums/call-kinds.ts';
import { chartedSpreads, countedKinds, merged, type RunSums, timingSpreads } from '../../domain/sums/call-sums.ts';
import { type ClusterRow, clusterRows } from '../../domain/sums/failure-sums.ts';
import { type FindingCount, foundKinds } from '../../domain/sums/finding-sums.ts';
import { spreadOf } from '../../domain/sums/spread.ts';
import { scaleFigures, totalsOf } from '../../domain/sums/stream-sums.ts';
import type { Tx } from '../../store/db.ts';
import { streamFigures, streamScales } from '../../store/measured/streams.ts';
import { callSumsOf } from '../../store/run/call-sums.ts';
import { callKinds, timingDistributions } from '../../store/run/endpoints.ts';
import { countFindings } from '../../store/run/findings.ts';
import { type KeptRun, keptFigures } from '../../store/run/kept-figures.ts';
import { latenessOf } from '../../store/run/starts.ts';
import { failureClusters } from '../../store/run/views/failures.ts';
import { callSteps, type TimingBucket, timingBuckets } from '../../store/run/views/timeline.ts';
import { foldedSteps } from './folded-steps.ts';

export interface CallSource {
  kinds(): Promise<CountedKind[]>;
  timings(): Promise<Record<SpreadKey, RawDistribution>>;
  lateness(): Promise<{ readonly late: number; readonly lateness: RawDistribution }>;
  /** The `most` largest clusters. */
  clusters(most: number): Promise<ClusterRow[]>;
  findings(): Promise<FindingCount[]>;
  /** The totals of streams that have ended. */
  totals(): Promise<RunTotals>;
  scales(): Promise<ScaleFigures[]>;
  timingBuckets(aDecade: number): Promise<TimingBucket[]>;
  /** The calls by steps of this many seconds. `since`: set-up times from sums are omitted before. */
  steps(seconds: number, since?: Date): Promise<CallStep[]>;
}

/** Without the fields of a kept run, everything is drawn. */
export type SourceRun = { readonly id: string; readonly isFolded: boolean } & Partial<Omit<KeptRun, 'id'>>;

export const callSource = (tx: Tx, run: SourceRun): CallSource =>
  run.isFolded
    ? sumSource(tx, run.id)
    : rowSource(tx, run.id, { isFinal: false, isLarge: false, revisedAt: null, ...run });

const rowSource = (tx: Tx, runId: string, run: KeptRun): CallSource => ({
  kinds: () => callKinds(tx, runId),
  timings: () => timingDistributions(tx, runId),
  lateness: () => latenessOf(tx, runId),
  clusters: (most) => failureClusters(tx, runId, most),
  findings: () => countFindings(tx, runId),
  totals: () => streamFigures(tx, runId),
  scales: () => streamScales(tx, runId),
  timingBuckets: (aDecade) =>
    keptFigures(tx, run, `timings, ${aDecade} a decade`, () => timingBuckets(tx, runId, aDecade)),
  steps: async (seconds) => {
    const steps = await keptFigures(tx, run, `steps of ${seconds} s`, async () =>
      (await callSteps(tx, runId, seconds)).map((step) => ({ ...step, at: step.at.getTime() })),
    );
    return steps.map((step) => ({ ...step, at: new Date(step.at) }));
  },
});

/** Rows of a folded run only show the progress of open calls: ended calls are counted already. */
function sumSource(tx: Tx, runId: string): CallSource {
  let drawn: Promise<RunSums> | undefined;
  const sums = (): Promise<RunSums> => {
    drawn ??= callSumsOf(tx, runId).then(merged);
    return drawn;
  };
  const kinds = async () => [...countedKinds(await sums()), ...(await callKinds(tx, runId, { isOpen: true }))];
  return {
    kinds,
    timings: async () => timingSpreads(await sums()),
    lateness: async () => {
      const { late, lateness } = await sums();
      return { late, lateness: spreadOf(lateness) };
    },
    clusters: async (most) => clusterRows((await sums()).failures, most),
    findings: async () => {
      const all = await kinds();
      return foundKinds((await sums()).findings).map((found) => ({
        ...found,
        answered: answeredOf(all, found.endpointType),
      }));
    },
    totals: async () => totalsOf((await sums()).streams),
    scales: async () => scaleFigures((await sums()).streams),
    timingBuckets: async (aDecade) => chartedSpreads(await sums(), aDecade),
    steps: (seconds, since) => foldedSteps(tx, runId, seconds, since),
  };
}
