/** How much load a system takes: a search that runs a test at one level of load after another (extensions). */
import * as z from 'zod';
import { Id, Timestamp } from '../../../contract/envelope.ts';
import { METRIC_KEY_NAMES } from '../../../contract/metric-keys.ts';
import { VERDICTS } from '../../../contract/run/measured-words.ts';
import { FOUND, METHODS, OBJECTIVES, SEARCH_STATUSES, TRIAL_PHASES, TRIAL_RESULTS } from './words.ts';

const MAX_LEVEL = 10_000;
const MAX_TRIALS = 200;

const Objective = z
  .enum(OBJECTIVES)
  .describe('CALLS_PER_SECOND: rate of call starts; CALLS_AT_ONCE: number of simultaneous calls');

export const Slo = z
  .strictObject({ metricKey: z.enum(METRIC_KEY_NAMES), limit: z.number().describe('the last value that passes') })
  .meta({ id: 'Slo' });
export type Slo = z.output<typeof Slo>;

const Slos = z
  .array(Slo)
  .min(1)
  .max(20)
  .refine((all) => new Set(all.map((s) => s.metricKey)).size === all.length, 'each metric key may occur only once');

/** The parameters N, r and w of RFC 7502, 4.10. */
const Rfc7502 = z
  .strictObject({
    sessions: z.int().min(1).max(1_000_000).default(50_000).describe('N: attempted in each step'),
    startRate: z.int().min(1).max(MAX_LEVEL).default(100).describe('r of the first step'),
    window: z.number().gt(0).max(1).default(0.1).describe('w: by which the rate grows after a step without a failure'),
    mostSteps: z.int().min(1).max(MAX_TRIALS).default(60).describe('ours: the RFC sets no end'),
  })
  .meta({ id: 'Rfc7502Parameters' });

/** The fields of a new search, besides those that name the test. */
export const NEW_SEARCH = {
  method: z
    .enum(METHODS)
    .default('BISECT')
    .describe(
      'RFC7502_STRICT: the steps of RFC 7502, 4.10, with its parameters `rfc7502`; one failed session fails a step',
    ),
  objective: Objective.default('CALLS_PER_SECOND'),
  slos: Slos.default([{ metricKey: 'successShare', limit: 99 }]).describe('conditions that a trial must meet'),
  least: z.number().min(0.1).max(MAX_LEVEL).default(1).describe('no level below it is tried'),
  most: z.number().min(0.1).max(MAX_LEVEL).default(1000).describe('no level above it is tried'),
  start: z.number().min(0.1).max(MAX_LEVEL).optional().describe('the first level; absent: 10, or a bound'),
  precisionPercent: z.number().min(0.5).max(50).default(3).describe('how close both ends of the interval lie'),
  confirmations: z.int().min(0).max(10).default(1).describe('trials that repeat the result at both ends'),
  trialSeconds: z.int().min(2).max(3600).default(30).describe('how long a trial is measured'),
  warmUpSeconds: z.int().min(0).max(600).default(5).describe('before that: the load is up, and its calls do not count'),
  drainSeconds: z.int().min(0).max(600).default(5).describe('without any load between two trials'),
  callSeconds: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .describe("how long a call lasts; absent: the test's durationSeconds"),
  backgroundFailureShare: z
    .number()
    .min(0)
    .max(0.05)
    .default(0.0005)
    .describe(
      'share of calls that fail at any load: a trial fails if its failures significantly exceed this and what the SLOs allow',
    ),
  mostTrials: z.int().min(1).max(MAX_TRIALS).default(60),
  rfc7502: Rfc7502.optional().describe('of RFC7502_STRICT'),
};
const SearchSettings = z.object({ ...NEW_SEARCH, start: z.number(), callSeconds: z.int() });
export type SearchSettings = z.output<typeof SearchSettings>;

const JudgedSlo = Slo.extend({
  value: z.number().nullable().describe('null: not measured'),
  count: z.int().describe('number of values'),
  passed: z.boolean(),
}).meta({ id: 'JudgedSlo' });
export type JudgedSlo = z.output<typeof JudgedSlo>;

export const TrialEvidence = z
  .object({
    offered: z.number().describe('calls due per second, or requested simultaneous calls'),
    carried: z.number().describe('successful calls per second, or the maximum of simultaneous calls'),
    planned: z.int().describe('calls that were due after the warm-up'),
    successful: z.int(),
    failed: z.int(),
    notStarted: z.int().describe('due, and not started, in the whole trial'),
    setupMs: z
      .object({ p50: z.number(), p95: z.number(), p99: z.number(), count: z.int() })
      .nullable()
      .describe('of answered calls; null: no call was answered'),
    verdict: z.enum(VERDICTS).nullable(),
    slos: z.array(JudgedSlo),
    reasons: z.array(z.string()).describe('why it failed, or is inconclusive'),
    wholeRun: z.boolean().describe('the trial is so large that the warm-up could not be left out of its figures'),
  })
  .meta({ id: 'CapacityTrialEvidence' });
export type TrialEvidence = z.output<typeof TrialEvidence>;

const CapacityTrial = z
  .object({
    number: z.int(),
    testRunId: Id.describe('each trial is a test run'),
    level: z.number(),
    phase: z.enum(TRIAL_PHASES),
    result: z.enum(TRIAL_RESULTS).nullable().describe('null: in progress'),
    evidence: TrialEvidence.nullable(),
    startedAt: Timestamp,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: 'CapacityTrial' });

export const SearchAnswer = z
  .object({
    level: z.number().nullable().describe('the highest level that passed; null: none'),
    from: z.number().nullable().describe('of the interval of the ceiling: no trial at this level failed'),
    to: z.number().nullable().describe('no trial at this level passed; null: none failed'),
    found: z
      .enum(FOUND)
      .describe(
        'CEILING: of the system; GENERATOR_LIMIT: the system takes at least `level`, and the agents cannot send more; UPPER_BOUND: at least `most`; UNSETTLED: the maximum number of trials was reached',
      ),
    sentence: z.string(),
  })
  .meta({ id: 'CapacityAnswer' });
export type SearchAnswer = z.output<typeof SearchAnswer>;

export const CapacitySearch = z
  .object({
    id: Id,
    projectId: Id,
    testId: Id,
    testName: z.string(),
    status: z.enum(SEARCH_STATUSES).describe('WAITING: between two trials'),
    method: z.enum(METHODS),
    objective: Objective,
    answer: SearchAnswer.nullable().describe('null until COMPLETED'),
    error: z.string().nullable().describe('why it FAILED'),
    trialCount: z.int(),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: 'CapacitySearch' });

const Rfc7502Report = z
  .object({
    testSetup: z.object({
      sipTransportProtocol: z.string(),
      sessionAttemptRate: z.number().describe('sessions a second, of the last step'),
      sessionDurationSeconds: z.int(),
      totalSessionsAttempted: z.int(),
      mediaStreamsPerSession: z.int(),
      associatedMediaProtocol: z.string(),
      codec: z.string(),
      mediaPacketSizeMs: z.int().nullable().describe('null: without media'),
      establishmentThresholdTimeSeconds: z.int(),
      tlsCiphersuiteUsed: z.string(),
      ipsecProfileUsed: z.string(),
    }),
    benchmarks: z.object({
      sessionEstablishmentRate: z.number().nullable().describe('R, sessions per second; null: not found'),
      isDutActingAsMediaRelay: z.boolean().nullable().describe('null: not visible to a client'),
    }),
    form: z.string().describe('the form of RFC 7502, 5, as text'),
  })
  .meta({ id: 'Rfc7502Report' });
export type Rfc7502Report = z.output<typeof Rfc7502Report>;

export const CapacitySearchDetail = CapacitySearch.extend({
  settings: SearchSettings,
  trials: z.array(CapacityTrial).describe('in their order'),
  report: Rfc7502Report.nullable().describe('of RFC7502_STRICT, once it is COMPLETED'),
}).meta({ id: 'CapacitySearchDetail' });
