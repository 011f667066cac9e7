/**
 * A run over time, put together from what the store has by steps: running sums, percentiles from counts (never from other
 * percentiles), noise against the limits of the verdict. Pure.
 */

import type { MosScale } from '../../contract/run/measured-words.ts';
import {
  ANSWER_CLASSES,
  type AnswerClass,
  DROPS,
  type RunMark,
  TIMING_NAMES,
  type Timeline,
  type TimingHistogram,
} from '../../contract/run/timeline.ts';
import type { DueBefore } from './due-calls.ts';
import type { CallStep, LossStep, NoiseStep, RatingStep, StartStep } from './time-steps.ts';
import { EFFECTS } from './validity.ts';

export type StepRows = {
  readonly calls: readonly CallStep[];
  readonly starts: readonly StartStep[];
  readonly ratings: readonly RatingStep[];
  readonly loss: readonly LossStep[];
  readonly noise: readonly NoiseStep[];
  readonly marks: readonly { readonly at: Date; readonly kind: RunMark['kind']; readonly detail: string }[];
};

export type Frame = {
  readonly resolutionSeconds: number;
  /** The start of the first step, a multiple of the resolution; null: the timeline has no step. */
  readonly fromMs: number | null;
  readonly steps: number;
  readonly startedAt: Date | null;
  readonly mosScale: MosScale | null;
  /** The argument is in milliseconds since 1970; null: only agents know what was due. */
  readonly dueBefore: DueBefore | null;
  /** The number of endpoints with several calls; null: each places one call. */
  readonly endpoints: number | null;
  readonly bucketsAPoint: number;
};

export function timelineOf(frame: Frame, rows: StepRows): Timeline {
  const { resolutionSeconds, fromMs, steps } = frame;
  const place = (ms: number): number => (fromMs === null ? -1 : Math.floor((ms - fromMs) / (resolutionSeconds * 1000)));
  const counts = (): number[] => new Array<number>(steps).fill(0);
  const figures = (): (number | null)[] => new Array<number | null>(steps).fill(null);
  const each = <T extends { readonly at: Date }>(of: readonly T[], take: (i: number, row: T) => void): void => {
    for (const row of of) {
      const i = place(row.at.getTime());
      if (i >= 0 && i < steps) take(i, row);
    }
  };

  const calls = { offered: counts(), started: counts(), answered: counts(), failed: counts(), concurrent: counts() };
  const answers = Object.fromEntries(ANSWER_CLASSES.map((c) => [c, counts()])) as Record<AnswerClass, number[]>;
  const setupMs = { p50: figures(), p95: figures(), p99: figures(), count: counts() };
  const { dueBefore } = frame;
  if (dueBefore && fromMs !== null) {
    const due = Array.from({ length: steps + 1 }, (_, i) => dueBefore(fromMs + i * resolutionSeconds * 1000));
    calls.offered = calls.offered.map((_, i) => (due[i + 1] as number) - (due[i] as number));
  }
  const drops = { noFreeEndpoint: figures(), dropped: figures(), heldBack: figures() };
  if (rows.starts.length > 0) for (const reason of DROPS) drops[reason] = counts();
  each(rows.starts, (i, row) => {
    if (!dueBefore) calls.offered[i] = row.planned;
    for (const reason of DROPS) drops[reason][i] = row[reason];
  });
  const change = counts();
  const taken = counts();
  each(rows.calls, (i, row) => {
    calls.started[i] = row.started;
    calls.answered[i] = row.answered;
    calls.failed[i] = row.failed;
    change[i] = row.answered - row.left;
    taken[i] = row.started - row.ended;
    for (const c of ANSWER_CLASSES) answers[c][i] = row.classes[c === 'none' ? '0' : c.charAt(0)] ?? 0;
    setupMs.count[i] = row.setups;
    setupMs.p50[i] = rounded(row.setup?.[0]);
    setupMs.p95[i] = rounded(row.setup?.[1]);
    setupMs.p99[i] = rounded(row.setup?.[2]);
  });
  const freeEndpoints = figures();
  let now = 0;
  let busy = 0;
  for (let i = 0; i < steps; i++) {
    now += change[i] as number;
    calls.concurrent[i] = Math.max(0, now);
    busy += taken[i] as number;
    if (frame.endpoints !== null) freeEndpoints[i] = Math.min(frame.endpoints, Math.max(0, frame.endpoints - busy));
  }

  const mos = { p5: figures(), p50: figures(), count: counts() };
  for (const [at, of] of Map.groupBy(rows.ratings, (r) => r.at.getTime())) {
    const i = place(at);
    if (i < 0 || i >= steps) continue;
    mos.p5[i] = quantileOf(of, 0.05, frame.bucketsAPoint);
    mos.p50[i] = quantileOf(of, 0.5, frame.bucketsAPoint);
    mos.count[i] = of.reduce((n, r) => n + r.count, 0);
  }
  const lossFraction = figures();
  each(rows.loss, (i, row) => {
    lossFraction[i] = row.loss;
  });
  const noise: Timeline['noise'] = {
    level: new Array<Timeline['noise']['level'][number]>(steps).fill(null),
    loopDelayMs: figures(),
    pacingErrorMs: figures(),
    skippedPercent: figures(),
    cpuPercent: figures(),
    stealPercent: figures(),
    dropPercent: figures(),
  };
  each(rows.noise, (i, row) => {
    noise.level[i] = levelOf(row);
    noise.loopDelayMs[i] = rounded(row.loopDelay);
    noise.pacingErrorMs[i] = rounded(row.pacingError);
    noise.skippedPercent[i] = rounded(row.skipped);
    noise.cpuPercent[i] = rounded(row.cpu);
    noise.stealPercent[i] = rounded(row.steal);
    noise.dropPercent[i] = rounded(row.drops);
  });
  return {
    resolutionSeconds,
    from: fromMs === null ? null : new Date(fromMs).toISOString(),
    steps,
    startedAt: frame.startedAt?.toISOString() ?? null,
    endpoints: frame.endpoints,
    calls,
    freeEndpoints,
    drops,
    answers,
    setupMs,
    mosScale: frame.mosScale,
    mos,
    lossFraction,
    noise,
    marks: rows.marks.map(({ at, kind, detail }) => ({ at: at.toISOString(), kind, detail })),
  };
}

const rounded = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.round(value * 1000) / 1000;

/** The quantile by nearest rank, in the middle of its bucket; buckets are ascending. */
export function quantileOf(
  buckets: readonly { readonly bucket: number; readonly count: number }[],
  q: number,
  aPoint: number,
): number | null {
  const total = buckets.reduce((n, b) => n + b.count, 0);
  let left = Math.max(1, Math.ceil(q * total));
  for (const { bucket, count } of buckets) {
    left -= count;
    if (left <= 0) return Math.round(((bucket + 0.5) / aPoint) * 1000) / 1000;
  }
  return null;
}

/** The worst delay of the agents; the limits are those of the verdict, which judges the whole run. */
function levelOf(row: NoiseStep): 'VALID' | 'SUSPECT' | 'VOID' {
  const all = [
    [row.loopDelay, EFFECTS.loopDelay],
    [row.pacingError, EFFECTS.pacingError],
    [row.skipped, EFFECTS.skippedSlots],
    [row.drops, EFFECTS.receiveDrops],
  ] as const;
  const beyond = (limit: 'suspectAbove' | 'voidAbove') => all.some(([value, check]) => (value ?? 0) > check[limit]);
  return beyond('voidAbove') ? 'VOID' : beyond('suspectAbove') ? 'SUSPECT' : 'VALID';
}

/** The steps from the one that starts at `fromMs`. */
export function tailOf(timeline: Timeline, fromMs: number): Timeline {
  if (timeline.from === null) return timeline;
  const ms = timeline.resolutionSeconds * 1000;
  const drop = Math.min(timeline.steps, Math.max(0, Math.floor((fromMs - Date.parse(timeline.from)) / ms)));
  const cut = <T>(column: readonly T[]): T[] => column.slice(drop);
  const columns = <K extends string, T>(of: Readonly<Record<K, readonly T[]>>) =>
    Object.fromEntries(Object.entries<readonly T[]>(of).map(([k, v]) => [k, cut(v)])) as Record<K, T[]>;
  return {
    ...timeline,
    from: new Date(Date.parse(timeline.from) + drop * ms).toISOString(),
    steps: timeline.steps - drop,
    calls: columns(timeline.calls),
    freeEndpoints: cut(timeline.freeEndpoints),
    drops: columns<string, number | null>(timeline.drops) as Timeline['drops'],
    answers: columns(timeline.answers),
    setupMs: columns<string, number | null>(timeline.setupMs) as Timeline['setupMs'],
    mos: columns<string, number | null>(timeline.mos) as Timeline['mos'],
    lossFraction: cut(timeline.lossFraction),
    noise: columns<string, unknown>(timeline.noise) as Timeline['noise'],
  };
}

/** The buckets of a timing: this many per decade of milliseconds. */
export const BUCKETS_A_DECADE = 8;

export function histogramsOf(
  rows: readonly { readonly timing: string; readonly bucket: number; readonly count: number }[],
): TimingHistogram[] {
  const edge = (bucket: number): number =>
    bucket < 0 ? 0 : Math.round(10 ** (bucket / BUCKETS_A_DECADE) * 1000) / 1000;
  return TIMING_NAMES.flatMap((timing) => {
    const mine = rows.filter((r) => r.timing === timing);
    const [first, last] = [mine[0], mine.at(-1)];
    if (!first || !last) return [];
    const byBucket = new Map(mine.map((r) => [r.bucket, r.count]));
    const buckets = Array.from({ length: last.bucket - first.bucket + 1 }, (_, i) => ({
      fromMs: edge(first.bucket + i),
      toMs: edge(first.bucket + i + 1),
      count: byBucket.get(first.bucket + i) ?? 0,
    }));
    return [{ timing, count: mine.reduce((n, r) => n + r.count, 0), buckets }];
  });
}
