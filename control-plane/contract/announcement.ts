/** What an installation tells of by itself: one shape for every event that a webhook may choose. */
import * as z from 'zod';
import { Id, Timestamp } from './envelope.ts';
import { HealthState, RunStatus, SEVERITIES, type WebhookEvent, WORKER_STATUSES } from './words.ts';

const ofProbe = {
  probeId: Id,
  probeName: z.string(),
  region: z.string().nullable().describe("from a trailing (region) of the probe's name"),
};

const ofIncident = {
  ...ofProbe,
  incidentId: Id,
  severity: z.enum(SEVERITIES),
  startedAt: Timestamp,
};

/** By kind: what its `data` holds. */
export const ANNOUNCEMENTS = {
  'test_run.status_changed': z.object({
    testRunId: Id,
    testId: Id,
    testName: z.string(),
    isProbeRun: z.boolean(),
    from: RunStatus,
    to: RunStatus,
    errorCode: z.string().nullable(),
  }),
  'probe.status_changed': z.object({
    ...ofProbe,
    from: HealthState,
    to: HealthState,
    testRunId: Id.nullable().describe('the run that was graded'),
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
} as const satisfies Record<WebhookEvent, z.ZodType>;

type Data<K extends WebhookEvent> = z.infer<(typeof ANNOUNCEMENTS)[K]>;
/** One of them, as `announce` takes it and the table keeps it. */
export type Announcement = {
  [K in WebhookEvent]: {
    readonly kind: K;
    readonly organizationId: string;
    /** null: it concerns the organization. */
    readonly projectId: string | null;
    readonly at: Date;
    readonly data: Data<K>;
  };
}[WebhookEvent];
export type AnnouncementData = Announcement['data'];
