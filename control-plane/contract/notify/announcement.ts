/** Events of an installation: one shape for every event that a webhook may select. */
import * as z from 'zod';
import { Id, Timestamp } from '../envelope.ts';
import { SEVERITIES } from '../probe/words.ts';
import { HEALTH_STATES } from '../run/measured-words.ts';
import { RunResult } from '../run-result.ts';
import { RUN_STATUSES } from '../run-status.ts';
import { WORKER_STATUSES } from '../worker-words.ts';
import { WEBHOOK_EVENTS } from './words.ts';

const ofProbe = {
  probeId: Id,
  probeName: z.string(),
  region: z.string().nullable().describe("from a trailing (region) of the probe's name"),
};

const ofIncident = {
  ...ofProbe,
  incidentId: Id,
  severity: z.enum(SEVERITIES),
  startedAt: Timestamp.describe('when it was opened'),
  firstFailedAt: Timestamp.nullable().describe('the first bad execution of the series; null: not known'),
  reason: z.string().nullable().describe('result of the last execution that counted against the probe'),
};

/** The contents of `data`, by kind of event. */
export const ANNOUNCEMENTS = {
  'test_run.status_changed': z.object({
    testRunId: Id,
    testId: Id,
    testName: z.string(),
    isProbeRun: z.boolean(),
    from: z.enum(RUN_STATUSES),
    to: z.enum(RUN_STATUSES),
    errorCode: z.string().nullable(),
    reason: z.string().nullish().describe('what the error code means for this run; null: no error'),
    result: RunResult.nullish().describe(
      'what its calls came to; null until the run has ended, and if it never started',
    ),
  }),
  'probe.status_changed': z.object({
    ...ofProbe,
    from: z.enum(HEALTH_STATES),
    to: z.enum(HEALTH_STATES),
    testRunId: Id.nullable().describe('the run that was graded'),
    reason: z.string().nullable().describe('result of the execution'),
  }),
  'incident.opened': z.object({ ...ofIncident, testRunId: Id }),
  'incident.escalated': z.object({ ...ofIncident, openForMinutes: z.int() }),
  'incident.resolved': z.object({ ...ofIncident, endedAt: Timestamp, durationMs: z.int() }),
  'worker.status_changed': z.object({
    workerId: Id,
    workerName: z.string(),
    region: z.string(),
    from: z.enum(WORKER_STATUSES),
    to: z.enum(WORKER_STATUSES),
  }),
  'webhook.test': z.object({ webhookId: Id, message: z.string() }),
} as const satisfies Record<AnnouncementKind, z.ZodType>;

/** A test event is sent to its own webhook, regardless of the webhook's selection. */
export const ANNOUNCEMENT_KINDS = [...WEBHOOK_EVENTS, 'webhook.test'] as const;
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number];

type Data<K extends AnnouncementKind> = z.infer<(typeof ANNOUNCEMENTS)[K]>;
/** An event for `announce` and its table. */
export type Announcement = {
  [K in AnnouncementKind]: {
    readonly kind: K;
    readonly organizationId: string;
    /** Null: the event concerns the organization. */
    readonly projectId: string | null;
    readonly at: Date;
    readonly data: Data<K>;
  };
}[AnnouncementKind];
export type AnnouncementData = Announcement['data'];

/** An event as delivered to a receiver in this project. */
export type Telling = {
  [K in AnnouncementKind]: {
    readonly kind: K;
    readonly at: Date;
    readonly projectId: string;
    readonly projectName: string;
    readonly data: Data<K>;
  };
}[AnnouncementKind];
