/** Workers as a run names them, and as their organization sees and enrolls them. */
import * as z from 'zod';
import { FEATURE_WORKER_FIELDS } from '../feature-sums/fields.ts';
import { Id, Timestamp } from './envelope.ts';
import { Line, Text } from './fields.ts';
import { many } from './query.ts';
import { Validity } from './run/validity.ts';
import { CAPACITY_LIMITS, OWNERSHIPS, WORKER_STATES, WORKER_STATUSES } from './worker-words.ts';

/** The worker as other resources embed it. */
export const WorkerRef = z.object({ id: Id, name: z.string(), ownership: z.enum(OWNERSHIPS) }).meta({ id: 'Worker' });
export type WorkerRef = z.infer<typeof WorkerRef>;

/** The agent's own description; null: it has never connected. */
const AgentReport = z.object({
  version: z.string(),
  hostname: z.string(),
  platform: z.string(),
  cpus: z.int(),
  sipAdapter: z.string(),
  rtpAdapter: z.string(),
  /** The priority of media threads: SCHED_FIFO, or their nice value, as `nice -10`; empty: not reported. */
  rtpPriority: z.string(),
  audioCodecs: z.array(z.string()),
  videoCodecs: z.array(z.string()),
  lacks: z
    .array(z.string())
    .describe('settings of tests that it cannot carry out, in words: it is older, or its SIP engine has none of them'),
  calibration: z
    .object({
      at: z.string(),
      build: z.string(),
      hardware: z.string(),
      adapter: z.string(),
      endpoints: z.int(),
      callsPerSecond: z.number(),
      unused: z.string().nullable().describe('why the capacity does not follow from it; null: it does'),
    })
    .nullable()
    .describe('result of the calibration; null: not calibrated'),
  policy: z.object({
    targetNetworks: z.array(z.string()),
    maxCallsPerSecond: z.number(),
    maxEndpoints: z.number(),
    maxDurationSeconds: z.number(),
    maxMinutesADay: z.number().nullable().describe('minutes of calls per UTC day; null: no limit'),
    mayNotKeep: z
      .array(z.string())
      .describe('MESSAGES, BODIES, RTP_HEADERS, HEP: data that the policy does not permit to record or export'),
  }),
});

export const WorkerDetail = WorkerRef.extend({
  status: z.enum(WORKER_STATUSES),
  region: z.string(),
  capacity: z
    .int()
    .describe("simultaneous endpoints: the minimum of the configured limit, the agent's own, and its policy's"),
  leftToProbes: z.int().describe('of these, reserved for probes'),
  capacityLimits: z
    .array(z.object({ limit: z.enum(CAPACITY_LIMITS), endpoints: z.int(), cure: z.string() }))
    .describe(
      'what each limit allows at once, the strictest first, and how it is raised: CONFIGURED here; POLICY of the host; AGENT: its own figure; OPEN_FILES, PORTS: endpoints with one stream; those that are not known are missing',
    ),
  endpoints: z.int().describe('simultaneous endpoints that open runs have reserved there'),
  isEnrolled: z.boolean(),
  connectedAt: Timestamp.nullable(),
  seenAt: Timestamp.nullable(),
  drainedAt: Timestamp.nullable().describe('since when the worker is drained, connected or not; null: it accepts runs'),
  keyChangedAt: Timestamp.nullable().describe('since when its agent has its current key; null: not known'),
  joinTokenExpiresAt: Timestamp.nullable().describe('expiry of the unused join token'),
  agent: AgentReport.nullable(),
  noise: Validity.nullable().describe(
    "verdict on your runs there by the agent's own noise of the last seconds; null: it has none",
  ),
  ...FEATURE_WORKER_FIELDS,
}).meta({ id: 'WorkerDetail' });

/** Features say these of a worker: texts, by which workers are grouped and filtered as well. */
export type FeatureWorkerFields = Pick<z.infer<typeof WorkerDetail>, keyof typeof FEATURE_WORKER_FIELDS>;

const Values = many(Line.max(100)).optional();

/** Which workers are meant: those that have one of the values of each parameter. `none` stands for a value that is null. */
export const WorkerFilter = {
  search: Line.max(100).optional().describe('part of the name of the worker or of its host'),
  state: many(z.enum(WORKER_STATES)).optional().describe('WAITING: no agent has joined with its token yet'),
  region: Values,
  version: Values.describe('of the agent; none: it has never connected'),
  limited_by: many(z.enum(CAPACITY_LIMITS)).optional().describe('strictest of its capacityLimits'),
  ...(Object.fromEntries(Object.keys(FEATURE_WORKER_FIELDS).map((name) => [name, Values])) as {
    [K in keyof typeof FEATURE_WORKER_FIELDS]: typeof Values;
  }),
};

export const Fleet = z
  .object({
    workers: z.int(),
    online: z.int().describe('of these, workers that accept runs now'),
    groups: z
      .array(
        z.object({
          by: z.string().describe('parameter of the filter: state, region, version, limited_by …'),
          value: z.string().describe('what these workers have there'),
          workers: z.int(),
          online: z.int(),
        }),
      )
      .describe('for each of these parameters, the largest group first'),
  })
  .meta({ id: 'Fleet' });

export const Region = z
  .object({
    region: z.string(),
    workers: z.int(),
    online: z.int().describe('of these, workers that accept runs now'),
    capacity: z.int().describe('simultaneous endpoints of workers that are online'),
    endpoints: z.int().describe('endpoints that open runs have reserved there'),
  })
  .meta({ id: 'Region' });

const WorkerName = Text.trim()
  .min(1)
  .max(63)
  .regex(/^[\w .:-]+$/, 'has letters, digits, spaces and . : - _');
export const WorkerCapacity = z.int().min(1).max(100_000).describe('maximum of simultaneous endpoints');
export const NewWorker = {
  name: WorkerName,
  region: WorkerName.default('local'),
  capacity: WorkerCapacity.default(1000),
};

export const Listening = z
  .object({
    host: z.string().describe('HOST'),
    port: z.int().describe('PORT'),
    publicUrl: z.string().nullable().describe('CARILLON_PUBLIC_URL; null: not set'),
    tls: z.boolean().describe('it has a certificate of its own (CARILLON_TLS_CERTIFICATE)'),
  })
  .describe('how this control plane is reached');

/** A token enrolls one agent once, before the token expires. */
export const EnrolledWorker = WorkerDetail.extend({
  joinToken: z.string().describe('shown once'),
  listening: Listening,
});
