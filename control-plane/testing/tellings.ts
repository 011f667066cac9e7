/** What happened, as receivers of notifications are told of it: one of each kind. */
import type { Telling } from '../contract/notify/announcement.ts';

/** Names that an attacker could choose. */
export const EVIL =
  '<!channel> <https://evil.example|click> [x](https://evil.example) *b* `c` <script>\u202E\r\nBcc: x@y.example';
/** The instant of all tellings. */
export const at = new Date();
/** 1 h 2 min 3 s */
const LASTED_MS = 3_723_000;
const ids = { testRunId: 'r', testId: 't', probeId: 'p', incidentId: 'i', workerId: 'w', webhookId: 'h' };
const probe = { probeId: ids.probeId, probeName: EVIL, region: EVIL };
const incident = {
  ...probe,
  incidentId: ids.incidentId,
  severity: 'DOWN',
  startedAt: at.toISOString(),
  firstFailedAt: at.toISOString(),
  reason: EVIL,
} as const;
const about = { at, projectId: 'project', projectName: EVIL };

/** One announcement of each kind, whose names and reasons are those of an attacker. */
export const TELLINGS: { readonly [K in Telling['kind']]: Extract<Telling, { kind: K }> } = {
  'test_run.status_changed': {
    ...about,
    kind: 'test_run.status_changed',
    data: {
      testRunId: 'r',
      testId: 't',
      testName: EVIL,
      isProbeRun: false,
      from: 'RUNNING',
      to: 'FAILED',
      errorCode: 'INTERNAL',
      reason: EVIL,
      result: null,
    },
  },
  'probe.status_changed': {
    ...about,
    kind: 'probe.status_changed',
    data: { ...probe, from: 'HEALTHY', to: 'UNHEALTHY', testRunId: 'r', reason: EVIL },
  },
  'incident.opened': { ...about, kind: 'incident.opened', data: { ...incident, testRunId: 'r' } },
  'incident.escalated': { ...about, kind: 'incident.escalated', data: { ...incident, openForMinutes: 30 } },
  'incident.resolved': {
    ...about,
    kind: 'incident.resolved',
    data: { ...incident, endedAt: new Date(at.getTime() + LASTED_MS).toISOString(), durationMs: LASTED_MS },
  },
  'worker.status_changed': {
    ...about,
    kind: 'worker.status_changed',
    data: { workerId: 'w', workerName: EVIL, region: EVIL, from: 'ONLINE', to: 'OFFLINE' },
  },
  'webhook.test': { ...about, kind: 'webhook.test', data: { webhookId: 'h', message: EVIL } },
};
