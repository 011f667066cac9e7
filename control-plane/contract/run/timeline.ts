/** A run over time, for its page, during and after the run (extensions). It has columns of equal steps; null: not measured. */
import { type ChartedKey, SPREADS } from '@carillon/proto/figures/call-figures.ts';
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { HEALTH_STATES } from '../run/measured-words.ts';
import { TestConfig } from '../test-settings/test.ts';
import { Threshold, ThresholdResult } from '../threshold.ts';
import { MOS_SCALES, VERDICTS } from './measured-words.ts';
import type { EventKind } from './words.ts';

const Counts = z.array(z.int());
const Figures = z.array(z.number().nullable());

export const ANSWER_CLASSES = ['2xx', '3xx', '4xx', '5xx', '6xx', 'none'] as const;
export type AnswerClass = (typeof ANSWER_CLASSES)[number];

/** Why due calls were not started. */
export const DROPS = ['noFreeEndpoint', 'dropped', 'heldBack'] as const;
export const DROP_WORDS: Readonly<Record<(typeof DROPS)[number], string>> = {
  noFreeEndpoint: 'no endpoint free',
  dropped: 'agent too late',
  heldBack: 'held back by the breaker',
};

/** What changed during a run, and may explain what its figures did. */
export const MARK_KINDS = ['LOAD', 'BREAKER', 'WORKER'] as const satisfies readonly EventKind[];
export const MAX_MARKS = 100;
const Mark = z.object({ at: Timestamp, kind: z.enum(MARK_KINDS), detail: z.string() }).meta({ id: 'TestRunMark' });
export type RunMark = z.infer<typeof Mark>;

export const Timeline = z
  .object({
    resolutionSeconds: z.int(),
    from: Timestamp.nullable().describe('beginning of the first step; null: nothing has happened yet'),
    steps: z.int().describe('values in each column'),
    startedAt: Timestamp.nullable().describe('t0 of the load'),
    endpoints: z.int().nullable().describe('endpoints that place call after call; null: each places one call'),
    calls: z.object({
      offered: Counts.describe('due by the timetable; of CONCURRENCY: calls whose turn had come'),
      started: Counts.describe('INVITE was sent or received'),
      answered: Counts,
      failed: Counts.describe('ended with a failure, including answered calls; the sum is progress.failures'),
      concurrent: Counts.describe('in a call at the end of the step'),
    }),
    freeEndpoints: Figures.describe('endpoints that place call after call: without a call at the end of the step'),
    drops: z
      .record(z.enum(DROPS), Figures)
      .describe('calls that were due and not started, by the reasons of starts, to half a second; null: not reported'),
    answers: z
      .record(z.enum(ANSWER_CLASSES), Counts)
      .describe('calls by the class of their final response; none: there was no response'),
    setupMs: z
      .object({ p50: Figures, p95: Figures, p99: Figures, count: Counts })
      .describe('of calls answered in the step, nearest rank'),
    mosScale: z.enum(MOS_SCALES).nullable(),
    mos: z
      .object({ p5: Figures, p50: Figures, count: Counts })
      .describe("of the streams' intervals, to a twentieth of a point"),
    lossFraction: Figures,
    noise: z
      .object({
        level: z
          .array(z.enum(VERDICTS).nullable())
          .describe('compared with the limits of the verdict; null: not reported'),
        loopDelayMs: Figures.describe('highest p99 of an interval'),
        pacingErrorMs: Figures.describe('highest p99 of an interval'),
        skippedPercent: Figures,
        cpuPercent: Figures.describe('of the busiest thread, mean of 10 s'),
        stealPercent: Figures,
        dropPercent: Figures,
      })
      .describe("the agents' own; of the worst interval of any worker"),
    marks: z
      .array(Mark)
      .describe(
        `events of these kinds: changes of the load, the breaker, agents that went away or returned; the first ${MAX_MARKS}`,
      ),
  })
  .meta({ id: 'TestRunTimeline' });
export type Timeline = z.infer<typeof Timeline>;

export const TIMING_NAMES = SPREADS.filter((s) => s.isCharted).map((s) => s.key) as [ChartedKey, ...ChartedKey[]];
export type TimingName = (typeof TIMING_NAMES)[number];

export const TimingHistogram = z.object({
  timing: z.enum(TIMING_NAMES),
  count: z.int(),
  buckets: z
    .array(z.object({ fromMs: z.number(), toMs: z.number(), count: z.int() }))
    .describe('ascending, eight per decade, without gaps between the first and the last non-empty bucket'),
});
export type TimingHistogram = z.infer<typeof TimingHistogram>;

export const Histograms = z.object({ histograms: z.array(TimingHistogram) }).meta({ id: 'TestRunHistograms' });

const RunMedia = z
  .object({ mediaFileId: Id, name: z.string(), sha256: z.string().describe('of its bytes, in hexadecimal digits') })
  .meta({ id: 'RunMedia' });
export type RunMedia = z.infer<typeof RunMedia>;

/** The test as it was when the run was submitted, and, if a probe submitted the run, how it was graded. */
export const RunConfiguration = z
  .object({
    testRunId: Id,
    testId: Id,
    testName: z.string(),
    endpoints: z.int(),
    durationSeconds: z.int(),
    buildup: z.int(),
    config: TestConfig,
    loadChanges: z
      .array(z.object({ fromSeconds: z.number().describe('after the start'), callsPerSecond: z.number() }))
      .describe('changes of its load during the run'),
    media: z.array(RunMedia).describe('recordings that it plays, as they were when its calls were planned'),
    seeds: z
      .array(z.object({ of: z.string().describe('load, or impairment of a group'), seed: z.int() }))
      .describe('seeds of its random parts: the same seeds give the same instants and the same losses'),
    probe: z
      .object({
        id: Id,
        name: z.string(),
        status: z.enum(HEALTH_STATES),
        thresholdResults: z.array(ThresholdResult),
        thresholds: z.array(Threshold),
      })
      .nullable()
      .describe('probe of which this is an execution: its grade, and the current limits; null: not an execution'),
  })
  .meta({ id: 'TestRunConfiguration' });

/**
 * Events of a run's stream: `run` and `timeline` have the format of their operations. A timeline begins with the first step that
 * may have changed.
 */
export const LiveEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('run'), data: z.unknown() }),
  z.object({ event: z.literal('timeline'), id: z.string(), data: Timeline }),
  z.object({ event: z.literal('end'), data: z.object({ reason: z.enum(['OVER', 'ACCESS', 'CLOSING', 'SLOW']) }) }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
