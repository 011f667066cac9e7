/** The differences between runs: their figures, with the number of values of each, and their configurations. Pure. */
import { FINDING_KINDS } from '@carillon/proto/words/findings.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { judgedOf } from '../../../contract/run/heard-words.ts';
import type { Timeline } from '../../../contract/run/timeline.ts';
import { ENDPOINT_TYPES } from '../../../contract/test-settings/words.ts';
import { titleOf } from '../../../dashboard/show/heard/finding-words.ts';
import { mayBeBaseline } from '../../../dashboard/show/run/actions/baseline.ts';

type Run = Output<'getTestRun'>;

export type Compared = {
  readonly name: string;
  readonly unit: string;
  /** Null: not measured. */
  readonly value: (run: Run) => number | null;
  readonly count: (run: Run) => number;
  /** The name of the things that were measured. */
  readonly of: string;
};

const ended = ({ callTiming: c }: Run): number => c.totalCalls - c.inProgressCount;
const timing = (name: string, key: 'callSetup' | 'pdd' | 'timeToFirstMedia', p: 'p50' | 'p95' | 'p99'): Compared => ({
  name: `${name}, ${p}`,
  unit: 'ms',
  value: (r) => (r.callTiming[key].count === 0 ? null : r.callTiming[key][p]),
  count: (r) => r.callTiming[key].count,
  of: 'calls',
});
type Quality = Run['callQuality'];
const quality = (
  name: string,
  key: 'successShare' | 'heardShare' | 'mediaShare' | 'callDropRate',
  behind: (q: Quality) => number,
  of: string,
): Compared => ({
  name,
  unit: '%',
  value: ({ callQuality: q }) => (behind(q) === 0 ? null : q[key]),
  count: ({ callQuality: q }) => behind(q),
  of,
});
type Stream = 'avgMos' | 'minMos' | 'avgJitter' | 'avgRtt';
const stream = (name: string, unit: string, key: Stream, of: keyof Run['summary']['measured']): Compared => ({
  name,
  unit,
  value: (r) => (r.summary.measured[of] === 0 ? null : r.summary[key]),
  count: (r) => r.summary.measured[of],
  of: 'streams',
});

export const FIGURES: readonly Compared[] = [
  { name: 'Calls', unit: '', value: ended, count: (r) => r.endpoints, of: 'endpoints' },
  {
    name: 'Answer-seizure ratio (ASR)',
    unit: '%',
    value: (r) => (ended(r) === 0 ? null : r.callTiming.asr),
    count: ended,
    of: 'calls',
  },
  {
    name: 'Network effectiveness (NER)',
    unit: '%',
    value: (r) => (ended(r) === 0 ? null : r.callTiming.ner),
    count: ended,
    of: 'calls',
  },
  quality('Good calls', 'successShare', (q) => q.successful + q.failed, 'calls'),
  quality('Heard both ways', 'heardShare', judgedOf, 'calls with audio'),
  quality('Talk time with media', 'mediaShare', (q) => (q.talkSeconds > 0 ? q.soundAsked : 0), 'calls with audio'),
  quality('Call drop rate', 'callDropRate', (q) => q.answered, 'answered calls'),
  timing('Set-up', 'callSetup', 'p50'),
  timing('Set-up', 'callSetup', 'p95'),
  timing('Set-up', 'callSetup', 'p99'),
  timing('Post-dial delay', 'pdd', 'p95'),
  timing('First media', 'timeToFirstMedia', 'p95'),
  stream('MOS, mean', '', 'avgMos', 'mos'),
  stream('MOS, lowest', '', 'minMos', 'mos'),
  stream('Jitter, mean', 'ms', 'avgJitter', 'jitter'),
  {
    name: 'Packets lost',
    unit: '%',
    value: (r) => (r.summary.measured.loss === 0 ? null : r.summary.avgPacketLossFraction * 100),
    count: (r) => r.summary.measured.loss,
    of: 'streams',
  },
  stream('Round trip, mean', 'ms', 'avgRtt', 'rtt'),
];

/** A row for each finding of any run, with its share of the answered calls of that end. */
export function findingFigures(runs: readonly Run[]): Compared[] {
  const all = runs.flatMap((r) => r.findings);
  const kinds = FINDING_KINDS.filter((kind) => all.some((f) => f.finding === kind));
  return kinds.flatMap((kind) =>
    ENDPOINT_TYPES.filter((type) => all.some((f) => f.finding === kind && f.endpointType === type)).map((type) => {
      const of = (r: Run) => r.findings.find((f) => f.finding === kind && f.endpointType === type);
      // The number of callees that answered is shown with their findings.
      const answered = (r: Run) =>
        r.findings.find((f) => f.endpointType === type)?.answered ?? (type === 'CALLER' ? r.callQuality.answered : 0);
      return {
        name: `${titleOf(kind)} (${type === 'CALLER' ? 'callers' : 'callees'})`,
        unit: '%',
        value: (r: Run) => (answered(r) === 0 ? null : (of(r)?.sharePercent ?? 0)),
        count: answered,
        of: 'answered calls',
      };
    }),
  );
}

/** A MOS on another scale cannot be compared. */
export const sameScale = (a: Run, b: Run, figure: Compared): boolean =>
  !figure.name.startsWith('MOS') || a.summary.mosScale === b.summary.mosScale;

/** The chosen run, otherwise the first VALID one, otherwise the first SUSPECT one; null: no run can be the baseline. */
export const baselineOf = (runs: readonly Run[], chosen?: string): Run | null => {
  const all = runs.filter(mayBeBaseline);
  return all.find(({ id }) => id === chosen) ?? all.find((r) => r.validity?.verdict === 'VALID') ?? all[0] ?? null;
};

type Delta = { readonly by: number; readonly percent: number | null };

/** The difference is only arithmetic. It does not consider chance. */
export function deltaOf(value: number, base: number): Delta {
  const by = value - base;
  if (Math.abs(by) < 1e-9) return { by: 0, percent: 0 };
  return { by, percent: base === 0 ? null : (by / Math.abs(base)) * 100 };
}

/** A column of each run's timeline by seconds since its start; missing steps are null. */
export function aligned(
  timelines: readonly Timeline[],
  column: (t: Timeline) => readonly (number | null)[],
): { readonly times: number[]; readonly values: (number | null)[][] } {
  const step = timelines[0]?.resolutionSeconds ?? 1;
  const offsets = timelines.map((t) =>
    t.from === null || t.startedAt === null
      ? 0
      : Math.round((Date.parse(t.from) - Date.parse(t.startedAt)) / 1000 / step),
  );
  const first = Math.min(0, ...offsets);
  const last = Math.max(0, ...timelines.map((t, i) => (offsets[i] as number) + t.steps - 1));
  const times = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return {
    times,
    values: timelines.map((t, n) => {
      const of = column(t);
      return times.map((_, i) => of[i + first - (offsets[n] as number)] ?? null);
    }),
  };
}

export type Difference = { readonly path: string; readonly values: readonly string[] };

/** These ids differ in every test. */
const IDS = new Set(['id', 'testId', 'groupId']);

/** The values that differ, except ids of tests and their parts. Values that only some runs have count as differences. */
export const differences = (of: readonly object[]): Difference[] => differ('', of);

const isBranch = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !(Array.isArray(value) && value.every((v) => typeof v !== 'object'));

function differ(path: string, values: readonly unknown[]): Difference[] {
  if (!values.every(isBranch)) {
    const texts = values.map(textOf);
    return new Set(texts).size > 1 ? [{ path, values: texts }] : [];
  }
  const keys = [...new Set(values.flatMap((v) => Object.keys(v)))].filter((key) => !IDS.has(key));
  const inside = (key: string): string =>
    values.some(Array.isArray) ? `${path}[${Number(key) + 1}]` : path === '' ? key : `${path}.${key}`;
  return keys.flatMap((key) =>
    differ(
      inside(key),
      values.map((v) => (v as Readonly<Record<string, unknown>>)[key]),
    ),
  );
}

/** The name of a group. For other things without a name, the text lists their contents. */
function textOf(value: unknown): string {
  if (value === undefined) return '–';
  if (!isBranch(value)) return Array.isArray(value) ? value.join(', ') || 'none' : String(value);
  const { name } = value as { readonly name?: unknown };
  if (name !== undefined) return String(name);
  return Object.entries(value)
    .filter(([key]) => !IDS.has(key))
    .map(([key, inside]) => (Array.isArray(value) ? textOf(inside) : `${key} ${textOf(inside)}`))
    .join(', ');
}
