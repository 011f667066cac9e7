/** Test runs and their endpoints (docs/contract.md, Resources and States). */
import { SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import { LOAD_SHAPES } from '@carillon/proto/load/shapes/shapes.ts';
import * as z from 'zod';
import { FEATURE_RUN_FIELDS } from '../../feature-sums/fields.ts';
import { Id, Timestamp } from '../envelope.ts';
import { RunResult } from '../run-result.ts';
import { PARTIES, RUN_STATUSES } from '../run-status.ts';
import { ENDPOINT_TYPES } from '../test-settings/words.ts';
import { JudgedThreshold } from '../threshold.ts';
import { WorkerRef } from '../worker.ts';
import { answers } from './call-figures.ts';
import { CallFinding, CallMedia, CallQuality, Failure, RunFinding } from './findings.ts';
import { MOS_SCALES } from './measured-words.ts';
import { Labels, RunOverrides } from './start.ts';
import { Validity } from './validity.ts';
import { CALL_RESULTS, INSTANCE_STATUSES, OUTCOMES, PAIRINGS, PHASES, RUN_ERROR_CODES } from './words.ts';

export { Validity } from './validity.ts';

export const RunError = z
  .object({ code: z.enum(RUN_ERROR_CODES), message: z.string(), at: Timestamp })
  .meta({ id: 'RunError' });
export type RunError = z.infer<typeof RunError>;

/**
 * If nothing was measured, the numbers are 0, and `count` shows it (docs/decisions.md, Nothing measured). The unit is
 * milliseconds.
 */
export const Distribution = z
  .object({
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
    avg: z.number(),
    min: z.number(),
    max: z.number(),
    count: z.int(),
  })
  .meta({ id: 'Distribution' });
export type Distribution = z.infer<typeof Distribution>;

export const Summary = z
  .object({
    avgMos: z.number(),
    minMos: z.number(),
    avgJitter: z.number().describe('milliseconds'),
    maxJitter: z.number().describe('milliseconds'),
    avgPacketLossFraction: z.number(),
    totalPacketsLost: z.int(),
    avgRtt: z.number().describe('milliseconds'),
    maxRtt: z.number().describe('milliseconds'),
    avgRFactor: z.number(),
    minRFactor: z.number(),
    totalNackCount: z.int(),
    totalPliCount: z.int(),
    totalFirCount: z.int(),
    totalPlcEvents: z.int(),
    totalStreams: z.int(),
    streamsWithFeedback: z.int(),
    mosScale: z
      .enum(MOS_SCALES)
      .nullable()
      .describe(
        'scale of avgMos, minMos and the R factors: the scale of most rated streams; streams of other scales are not included',
      ),
    scales: z
      .array(
        z.object({
          scale: z.enum(MOS_SCALES),
          streams: z.int(),
          avgMos: z.number(),
          minMos: z.number(),
          avgRFactor: z.number(),
          minRFactor: z.number(),
        }),
      )
      .describe('per scale, most streams first: scales are not comparable'),
    measured: z
      .object({ mos: z.int(), jitter: z.int(), loss: z.int(), rtt: z.int(), rFactor: z.int() })
      .describe('number of streams in each figure; 0: not measured'),
    totalPacketsSent: z.int(),
    totalPacketsReceived: z.int(),
    totalPacketsDiscarded: z.int(),
  })
  .meta({ id: 'Summary' });
export type Summary = z.infer<typeof Summary>;

export const CallTiming = z
  .object({
    totalCalls: z.int(),
    successCount: z.int(),
    timeoutCount: z.int(),
    rejectedCount: z.int(),
    errorCount: z.int(),
    inProgressCount: z.int(),
    asr: z.number().describe('percent'),
    ner: z.number().describe('percent'),
    ...(Object.fromEntries(SPREADS.map(({ key }) => [key, Distribution])) as Record<SpreadKey, typeof Distribution>),
  })
  .meta({ id: 'CallTiming' });
export type CallTiming = z.infer<typeof CallTiming>;

export const SipResponse = z
  .object({
    statusCode: z.int(),
    reasonPhrase: z.string(),
    count: z.int(),
    percentage: z.number(),
    methods: z.record(z.string(), z.int()).describe('count per method of the request'),
  })
  .meta({ id: 'SipResponse' });
export type SipResponse = z.infer<typeof SipResponse>;

export const SipRequest = z.object({
  method: z.string(),
  sent: z.int(),
  received: z.int(),
  retransmissions: z.int(),
});
export type SipRequest = z.infer<typeof SipRequest>;

export const Run = z
  .object({
    id: Id,
    status: z.enum(RUN_STATUSES),
    error: RunError.nullable(),
    priority: z.int(),
    testId: Id,
    testName: z.string(),
    endpoints: z.int(),
    submittedAt: Timestamp,
    startedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    isProbeRun: z.boolean(),
    probeId: Id.nullable().describe(
      'probe of which this is an execution; testId has the same value; null: not an execution',
    ),
    labels: Labels,
    isBaseline: z.boolean().describe('baseline of its test'),
    overrides: RunOverrides.nullable().describe('values that the start overrode; null: none'),
    result: RunResult.nullable().describe('null until the run has ended, and if it never started'),
  })
  .meta({ id: 'TestRun' });

const Progress = z
  .object({
    phases: z.record(z.enum(PHASES), z.int()),
    callsStarted: z.int(),
    callsAnswered: z.int(),
    callsEnded: z.int(),
    failures: z.int(),
    currentMos: z
      .number()
      .nullable()
      .describe('mean over the streams of the last seconds, on the scale of most streams'),
    elapsedSeconds: z.number(),
    expectedSeconds: z.number(),
  })
  .meta({ id: 'Progress' });

export const Starts = z
  .object({
    planned: z.int().describe('calls that were due so far'),
    started: z.int().describe('INVITE was sent'),
    late: z.int().describe('of those, more than 20 ms after the planned instant'),
    dropped: z.int().describe('not started: the agent was too late or had no control plane'),
    heldBack: z.int().describe('not started by the circuit breaker'),
    noFreeEndpoint: z.int().describe('dropped: every endpoint of their part was in a call'),
    lateness: Distribution.describe("delay of the INVITE's first byte after the planned instant, of ended calls"),
  })
  .meta({ id: 'Starts' });
export type Starts = z.infer<typeof Starts>;

const RunLoad = z
  .object({
    shape: z.enum(LOAD_SHAPES),
    endpoints: z.int().describe('endpoints that place call after call: the maximum of simultaneous calls'),
    callsPerSecond: z.number().describe('for CONCURRENCY the highest number of starts; 0: paused'),
    callsPerSecondUnpaused: z.number().describe('the rate before the pause; if not paused, the rate'),
    endsAt: Timestamp.nullable().describe('end of call starts; null: after its last call'),
  })
  .meta({ id: 'RunLoad' });

/** Refreshes of one registration, or of all registrations of a run. */
export const RegistrationRefreshes = z
  .object({
    made: z.int().describe('granted'),
    failed: z.int().describe('attempts that failed'),
    lapsed: z.int().describe('registrations that were never granted'),
    recovered: z.int().describe('granted after a failure'),
  })
  .meta({ id: 'RegistrationRefreshes' });

/** The endpoints that failed in one way. */
export const FailureCluster = z
  .object({
    phase: z.enum(PHASES).describe('the phase that they reached'),
    endpointType: z.enum(ENDPOINT_TYPES),
    outcome: z.enum(OUTCOMES),
    cause: z.string(),
    party: z.enum(PARTIES),
    sipStatus: z.int().nullable(),
    reason: z.string(),
    q850: z.int().nullable().describe('cause value of a Reason header (RFC 3326); null: none'),
    explanation: z.string().nullable().describe('most frequent texts of Reason and Warning'),
    target: z.string().describe('the registrar of a registration, otherwise the called host and port'),
    number: z.string().nullable().describe('the dialled numbers: common digits, # for each digit that differs'),
    count: z.int(),
    firstSeenAt: Timestamp.nullable(),
    lastSeenAt: Timestamp.nullable(),
    exampleEndpointIds: z.array(Id),
  })
  .meta({ id: 'FailureCluster' });
export type FailureCluster = z.infer<typeof FailureCluster>;

/** The largest groups come first. Groups beyond this limit are counted together. */
export const MAX_CLUSTERS = 50;
export type FailureClusters = { failureClusters: FailureCluster[]; otherFailures: number };

/** The fields that do not change after the end of the run. */
export type ProgressCounts = Pick<
  z.infer<typeof Progress>,
  'phases' | 'callsStarted' | 'callsAnswered' | 'callsEnded' | 'failures'
>;

const KeptCalls = z
  .object({
    detail: z.enum(['ALL', 'SOME']),
    calls: z.int().nullable().describe('number of calls so far; null: ALL'),
    oneIn: z.int().nullable().describe('a sample of all calls, the same for both ends; null: ALL'),
    ofCluster: z
      .int()
      .nullable()
      .describe(
        'in addition to the sample: calls with the same failure or finding, at most this many per agent and sub-population',
      ),
  })
  .meta({ id: 'KeptCalls' });

export const RunDetail = Run.extend({
  projectName: z.string(),
  organizationName: z.string(),
  durationSeconds: z.int(),
  buildup: z.int(),
  callAfterCall: z.boolean().describe('true: endpoints place several calls, which are listed separately'),
  summary: Summary,
  callTiming: CallTiming,
  sipResponses: z.array(SipResponse),
  sipRequests: z.array(SipRequest),
  starts: Starts.describe('call starts: t0 of a call is its planned instant'),
  load: RunLoad.nullable().describe(
    'the current load, if it can be changed: of a run in progress whose endpoints place call after call; else null',
  ),
  registrationRefreshes: RegistrationRefreshes.nullable().describe('results of all registrations; null: none'),
  callQuality: CallQuality.describe('call quality'),
  findings: z.array(RunFinding).describe('faults first, then by count'),
  thresholds: z
    .array(JudgedThreshold)
    .describe('thresholds of the test, judged when the run is settled; empty until then'),
  passed: z
    .boolean()
    .nullable()
    .describe(
      'true: every threshold was measured and kept; null: no threshold, or the run is VOID or did not complete',
    ),
  figures: z
    .object({
      from: z.enum(['CALLS', 'SUMS']).describe('SUMS: the run is too large for one row per call'),
      relativeError: z.number().describe('maximum error of percentiles; counts, means, minima and maxima are exact'),
    })
    .describe('source of the figures of calls'),
  failureClusters: z.array(FailureCluster).describe('largest first'),
  otherFailures: z.int().describe('failures beyond the clusters shown'),
  subPopulationInstances: z.array(
    z.object({
      id: Id,
      endpoints: z.int(),
      status: z.enum(INSTANCE_STATUSES),
      subPopulationId: Id,
      worker: WorkerRef,
    }),
  ),
  counts: z.object({ events: z.int(), sipMessages: z.int() }),
  kept: KeptCalls.describe(
    'calls whose messages, events, samples and stream details are kept; figures count every call',
  ),
  ...FEATURE_RUN_FIELDS,
  validity: Validity.nullable().describe('null until the run has ended'),
  revisedAt: Timestamp.nullable().describe('when figures were recalculated with late results; null: never'),
  progress: Progress,
}).meta({ id: 'TestRunDetail' });

export const StartedRun = z
  .object({ id: Id, testRunId: Id, testId: Id, status: z.enum(RUN_STATUSES), createdAt: Timestamp })
  .meta({ id: 'StartedTestRun' });

/** How one endpoint's calls failed. The most frequent way comes first. */
export const MAX_CALL_FAILURES = 3;

const ofRows = (what: string) => z.int().nullable().describe(`${what}; null: the run's figures are from SUMS`);

const EndpointCalls = z
  .object({
    total: ofRows('started so far: successful, failed and in progress'),
    answered: ofRows('of these, calls that were answered'),
    successful: ofRows('calls whose outcome is SUCCESS'),
    failed: ofRows('calls that ended with another outcome'),
    dropped: ofRows('answered calls that ended early, not by the endpoint'),
    notPlaced: ofRows('planned calls that ended before their INVITE'),
    inProgress: z.int(),
    listed: z
      .int()
      .describe(
        'calls that can be listed: started or not placed; if figures are from SUMS, the first call of each endpoint, calls in progress and calls whose detail was kept',
      ),
    failures: z
      .array(z.object({ cause: z.string(), sipStatus: z.int().nullable(), calls: z.int() }))
      .describe(`failures of the listed calls, most frequent first, ${MAX_CALL_FAILURES} at most`),
  })
  .meta({ id: 'EndpointCalls' });
export type EndpointCalls = z.infer<typeof EndpointCalls>;

const EndpointCallTiming = z
  .object({
    ...answers('LIST', z.int().nullable().describe('milliseconds; null: not measured')),
    finalStatusCode: z.int().nullable(),
    finalReasonPhrase: z.string().nullable(),
    callResult: z.enum(CALL_RESULTS),
  })
  .meta({ id: 'EndpointCallTiming' });

export const Endpoint = z
  .object({
    id: Id,
    endpointType: z.enum(ENDPOINT_TYPES),
    phase: z.enum(PHASES),
    outcome: z.enum(OUTCOMES).nullable().describe('null until CLOSED'),
    failure: Failure.nullable(),
    findings: z.array(CallFinding).describe('findings of the call, most severe first; empty until CLOSED'),
    media: CallMedia.nullable().describe('null: the call has none so far'),
    number: z.int().describe('number of the endpoint in the run'),
    callId: z.string().nullable(),
    plannedAt: Timestamp.nullable(),
    inviteAt: Timestamp.nullable().describe('when the INVITE of its call was sent or received; null: there was none'),
    calleeUri: z.string(),
    worker: WorkerRef,
    registrar: z.object({ id: Id, name: z.string(), uri: z.string() }),
    callTiming: EndpointCallTiming.nullable(),
    kept: z
      .boolean()
      .nullable()
      .describe(
        'false: only figures of this call are kept, no messages, events, samples and stream details; null until CLOSED',
      ),
    pairing: z
      .enum(PAIRINGS)
      .nullable()
      .describe(
        'how the other end of the call was found. SIGNALLED: the INVITE named the call. DEDUCED: a server between the ends left nothing that does, and no other call fits; known once the run has ended. null: it is not known, or none of ours',
      ),
    calls: EndpointCalls.nullable().describe(
      'of a run whose endpoints place several calls; all other fields are those of the first call; null: other runs',
    ),
  })
  .meta({ id: 'TestRunEndpoint' });
