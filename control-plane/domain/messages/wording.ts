/** An announcement in words: a headline and facts. The texts are not escaped yet: names and reasons may be untrusted. */
import type { Telling } from '../../contract/notify/announcement.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';
import type { RunStatus } from '../../contract/run-status.ts';
import type { WorkerStatus } from '../../contract/worker-words.ts';

export type Mood = 'GOOD' | 'WARNING' | 'BAD' | 'NEUTRAL';
export type Wording = {
  readonly mood: Mood;
  readonly headline: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
};

const HEALTH_MOOD: Record<HealthState, Mood> = {
  HEALTHY: 'GOOD',
  DEGRADED: 'WARNING',
  UNHEALTHY: 'BAD',
  UNKNOWN: 'NEUTRAL',
};
const RUN_MOOD: Record<RunStatus, Mood> = {
  PENDING: 'NEUTRAL',
  QUEUED: 'NEUTRAL',
  RUNNING: 'NEUTRAL',
  COMPLETED: 'GOOD',
  FAILED: 'BAD',
  CANNOT_RUN_FOR_NOW: 'WARNING',
  CANCELLED: 'NEUTRAL',
};
const WORKER_MOOD: Record<WorkerStatus, Mood> = { ONLINE: 'GOOD', OFFLINE: 'BAD', ERROR: 'BAD', DRAINING: 'WARNING' };

/** The instant in UTC, to the second. */
const instant = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** An example is `2 h 5 min`: the two largest units that are not 0. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([n]) => n > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

/** Older announcements have no reason. */
const why = (reason: string | null | undefined): Wording['facts'] => (reason ? [['Why', reason]] : []);

type Incident = Extract<Telling, { kind: `incident.${string}` }>;

const incident = (headline: string, mood: Mood, { projectName, data }: Incident): Wording => ({
  mood,
  headline,
  facts: [
    ['Project', projectName],
    ['Probe', data.probeName],
    ...(data.region === null ? [] : [['Region', data.region] as const]),
    ['Severity', data.severity],
    ...why(data.reason),
    // Older announcements do not have it.
    ...(data.firstFailedAt ? [['First failure', instant(data.firstFailedAt)] as const] : []),
    ['Opened', instant(data.startedAt)],
    ...('durationMs' in data ? [['Lasted', duration(data.durationMs)] as const] : []),
    ...('openForMinutes' in data ? [['Open for', duration(data.openForMinutes * 60_000)] as const] : []),
  ],
});

const downMood = (severity: 'DEGRADED' | 'DOWN'): Mood => (severity === 'DOWN' ? 'BAD' : 'WARNING');

export function wordingOf(a: Telling): Wording {
  switch (a.kind) {
    case 'test_run.status_changed':
      return {
        mood: RUN_MOOD[a.data.to],
        headline: `Run of ${a.data.testName}: ${a.data.to}`,
        facts: [
          ['Project', a.projectName],
          ['Run', a.data.testRunId],
          ...(a.data.errorCode === null ? [] : [['Reason', a.data.errorCode] as const]),
        ],
      };
    case 'probe.status_changed':
      return {
        mood: HEALTH_MOOD[a.data.to],
        headline: `${a.data.probeName} is ${a.data.to}`,
        facts: [
          ['Project', a.projectName],
          ['Before', a.data.from],
          ...why(a.data.reason),
          ...(a.data.region === null ? [] : [['Region', a.data.region] as const]),
        ],
      };
    case 'incident.opened':
      return incident(`${a.data.probeName} is ${a.data.severity}`, downMood(a.data.severity), a);
    case 'incident.escalated':
      return incident(`${a.data.probeName} is still ${a.data.severity}`, 'BAD', a);
    case 'incident.resolved':
      return incident(`${a.data.probeName} has recovered`, 'GOOD', a);
    case 'worker.status_changed':
      return {
        mood: WORKER_MOOD[a.data.to],
        headline: `Worker ${a.data.workerName} is ${a.data.to}`,
        facts: [
          ['Region', a.data.region],
          ['Before', a.data.from],
        ],
      };
    case 'webhook.test':
      return { mood: 'NEUTRAL', headline: a.data.message, facts: [['Project', a.projectName]] };
  }
}

/** Limits text to `length` characters, on one line, without control characters: untrusted text must not affect the layout. */
export function plain(text: string, length: number): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`;
}
