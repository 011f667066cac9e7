/** An announcement in words: a headline and facts. The texts are not escaped yet: names and reasons may be untrusted. */
import type { Telling } from '../../contract/notify/announcement.ts';
import { plain as inWords } from '../../contract/plain.ts';
import { sinceOf } from '../../contract/probe/words.ts';
import { HEALTH_TONES, outcomeOf } from '../../contract/run-outcome.ts';
import type { WorkerStatus } from '../../contract/worker-words.ts';

export type Mood = 'GOOD' | 'WARNING' | 'BAD' | 'NEUTRAL';
export type Wording = {
  readonly mood: Mood;
  readonly headline: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
};

const MOODS = { good: 'GOOD', warn: 'WARNING', bad: 'BAD', none: 'NEUTRAL', accent: 'NEUTRAL' } as const;
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

/** A word of the API in the middle of a sentence: `CANNOT_RUN_FOR_NOW` -> `cannot run for now`. */
const lower = (word: string): string => inWords(word).toLowerCase();

/** The fact, if its value is known: older announcements lack some. */
const fact = (label: string, value: string | null | undefined): Wording['facts'] => (value ? [[label, value]] : []);

type Incident = Extract<Telling, { kind: `incident.${string}` }>;

const incident = (headline: string, mood: Mood, { at, projectName, data }: Incident): Wording => {
  const since = sinceOf(data);
  const isOver = 'durationMs' in data;
  return {
    mood,
    headline,
    facts: [
      ['Project', projectName],
      ['Probe', data.probeName],
      ...fact('Region', data.region),
      [isOver ? 'It was' : 'Severity', inWords(data.severity)],
      ...fact(isOver ? 'Last failure' : 'Why', data.reason),
      ['Since', instant(since)],
      ...(isOver ? [['Lasted', duration(Date.parse(data.endedAt) - Date.parse(since))] as const] : []),
      ...('openForMinutes' in data ? [['For', duration(at.getTime() - Date.parse(since))] as const] : []),
    ],
  };
};
const downMood = (severity: 'DEGRADED' | 'DOWN'): Mood => (severity === 'DOWN' ? 'BAD' : 'WARNING');

function ofRun({ projectName, data }: Extract<Telling, { kind: 'test_run.status_changed' }>): Wording {
  const { tone, sentence } = outcomeOf(data.to, data.result);
  return {
    mood: MOODS[tone],
    headline: `Run of ${data.testName}: ${sentence}`,
    facts: [['Project', projectName], ...fact('Why', data.reason ?? (data.errorCode && inWords(data.errorCode)))],
  };
}

export function wordingOf(a: Telling): Wording {
  switch (a.kind) {
    case 'test_run.status_changed':
      return ofRun(a);
    case 'probe.status_changed':
      return {
        mood: MOODS[HEALTH_TONES[a.data.to]],
        headline:
          a.data.to === 'UNKNOWN'
            ? `The health of ${a.data.probeName} is unknown`
            : `${a.data.probeName} is ${lower(a.data.to)}`,
        facts: [
          ['Project', a.projectName],
          ['Before', inWords(a.data.from)],
          ...fact('Why', a.data.reason),
          ...fact('Region', a.data.region),
        ],
      };
    case 'incident.opened':
      return incident(`${a.data.probeName} is ${lower(a.data.severity)}`, downMood(a.data.severity), a);
    case 'incident.escalated':
      return incident(`${a.data.probeName} is still ${lower(a.data.severity)}`, 'BAD', a);
    case 'incident.resolved':
      return incident(`${a.data.probeName} has recovered`, 'GOOD', a);
    case 'worker.status_changed':
      return {
        mood: WORKER_MOOD[a.data.to],
        headline: `Worker ${a.data.workerName} ${a.data.to === 'ERROR' ? 'has an error' : `is ${lower(a.data.to)}`}`,
        facts: [
          ['Region', a.data.region],
          ['Before', inWords(a.data.from)],
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
