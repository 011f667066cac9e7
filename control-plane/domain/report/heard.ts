/** What callers received in a run: the number of good calls, findings of the others, and the test's thresholds. Pure. */
import type { Output } from '../../contract/catalogue.ts';
import { plain } from '../../contract/plain.ts';
import { heardHere, reportWords } from '../../contract/run/heard-words.ts';
import type { HealthState } from '../../contract/run/measured-words.ts';
import { html, type Markup } from '../markup.ts';
import { count, examples, facts, figure, NONE, percent, type ReportColumn, type ReportRow, table } from './cells.ts';

type Run = Output<'getTestRun'>;
type Judged = Run['thresholds'][number];
type Tone = 'good' | 'warn' | 'bad' | 'none';

/** A finding in a larger share of the calls counts as bad. */
const MANY = 0.5;

const toned = (tone: Tone, text: string): Markup => html`<b class="${tone}">${text}</b>`;

/** `4 of 18 calls were good`, and whether the thresholds were kept. */
export function headline({ callQuality: q, thresholds, passed }: Run): Markup {
  const ended = q.successful + q.failed;
  if (q.calls === 0) return html`<p class="lead">No calls were placed.</p>`;
  const tone = ended === 0 ? 'none' : q.failed === 0 ? 'good' : q.failed / ended < MANY ? 'warn' : 'bad';
  const open = q.calls - ended;
  const judged = thresholds.length === 0 ? html`` : html` · ${passedOf(passed)}`;
  const more = open === 0 ? html`` : html` <small>${count(open)} more in progress</small>`;
  return html`<p class="lead">${toned(tone, `${count(q.successful)} of ${count(ended)} ${ended === 1 ? 'call' : 'calls'}`)} good${judged}${more}</p>`;
}

const passedOf = (passed: boolean | null): Markup =>
  passed === null
    ? html`thresholds not judged`
    : passed
      ? html`thresholds ${toned('good', 'passed')}`
      : html`thresholds ${toned('bad', 'not passed')}`;

export function heard({ callQuality: q }: Run): Markup {
  const ended = q.successful + q.failed;
  if (q.calls === 0) return html``;
  const part = (of: number, whole: number): string => (whole === 0 ? NONE : `${count(of)} of ${count(whole)}`);
  const share = (value: number, whole: number, of: string): string =>
    whole === 0 ? `no ${of}` : `${percent(value)} of ${of}`;
  return html`<h2>What callers heard</h2>${facts([
    ['Good calls', part(q.successful, ended), share(q.successShare, ended, 'calls that have ended')],
    [
      'Answered',
      part(q.answered, q.calls),
      q.answeredFailed === 0 ? 'none failed after the answer' : `${count(q.answeredFailed)} failed after the answer`,
    ],
    [
      q.unreported > 0 ? 'Heard by us' : 'Heard both ways',
      part(heardHere(q), q.soundAsked),
      reportWords(q) ?? `${share(q.heardShare, q.soundAsked, 'answered calls with audio')}, for the whole call`,
    ],
    ['Dropped', part(q.dropped, q.answered), share(q.callDropRate, q.answered, 'answered calls')],
    [
      'Talk time with media',
      q.soundAsked === 0 ? NONE : percent(q.mediaShare),
      q.soundAsked === 0 ? 'no audio was expected' : `${figure(q.mediaSeconds, 1)} of ${figure(q.talkSeconds, 1)} s`,
    ],
  ])}`;
}

const FOUND: readonly ReportColumn[] = [
  ['Finding', 't'],
  ['Severity', 'w'],
  ['Party', 'w'],
  ['Found at the', 'w'],
  ['Calls', 'n'],
  ['Of answered', 'n'],
  ['Examples', 'w'],
];

/** The findings of answered calls, by kind. `shown`: endpoints of the report, with their numbers. */
export function findings({ findings: found, callQuality: q }: Run, shown: ReadonlyMap<string, number>): Markup {
  if (found.length === 0)
    return q.answered === 0 ? html`` : html`<h2>Findings</h2><p>No findings in the answered calls.</p>`;
  const rows = found.map((f): ReportRow => {
    const isFault = f.severity === 'FAULT' && f.tolerated < f.count;
    const tolerated = f.tolerated === 0 ? html`` : html`<small>${count(f.tolerated)} tolerated</small>`;
    return [
      html`${f.title}<small>${f.finding}</small>`,
      isFault ? toned('bad', plain(f.severity)) : plain(f.severity),
      f.party,
      plain(f.endpointType),
      html`${count(f.count)}${tolerated}`,
      f.answered === 0 ? NONE : percent(f.sharePercent),
      examples(f.exampleEndpointIds, shown) ?? NONE,
    ];
  });
  return html`<h2>Findings</h2>${table('Findings', FOUND, rows)}<p class="quiet">A call with a fault has failed, unless its group tolerates the fault. A note does not fail a call. Findings of both ends are shown.</p>`;
}

const HEALTH_TONES: Readonly<Record<HealthState, Tone>> = {
  HEALTHY: 'good',
  DEGRADED: 'warn',
  UNHEALTHY: 'bad',
  UNKNOWN: 'none',
};
const healthOf = (status: HealthState): Markup =>
  status === 'UNKNOWN' ? html`Not measured` : toned(HEALTH_TONES[status], plain(status));
const withUnit = (value: number, unit: string): string => `${figure(value, 3)} ${unit}`;
const measuredOf = ({ status, value, unit }: Pick<Judged, 'status' | 'value' | 'unit'>): string =>
  status === 'UNKNOWN' ? NONE : withUnit(value, unit);

function limitOf({ higherIsBetter, unit }: Judged, value: number): string {
  return `${higherIsBetter ? '≥' : '≤'} ${withUnit(value, unit)}`;
}

const LIMITS: readonly ReportColumn[] = [
  ['Metric', 't'],
  ['Measured', 'n'],
  ['Values', 'n'],
  ['Healthy', 'n'],
  ['Degraded', 'n'],
  ['Status', 'w'],
  ['Threshold', 'w'],
];

/** The test's thresholds: each with its limits and result. An unmeasured value never passes. */
export function thresholdTable({ thresholds, passed }: Run): Markup {
  if (thresholds.length === 0) return html``;
  const sentence = (t: Judged): Markup => {
    if (passed === null) return html`Not judged`;
    return t.status === 'HEALTHY' || t.status === 'DEGRADED' ? toned('good', 'Passed') : toned('bad', 'Not passed');
  };
  const rows = thresholds.map((t) => [
    t.displayName,
    measuredOf(t),
    count(t.count ?? 0),
    limitOf(t, t.greenValue),
    limitOf(t, t.orangeValue),
    passed === null && t.status === 'UNKNOWN' ? NONE : healthOf(t.status),
    sentence(t),
  ]);
  const why =
    passed === null
      ? html`<p class="quiet">Thresholds apply only to runs that completed and are not void.</p>`
      : html``;
  return html`<h2>Thresholds of the test: ${plain(passed === null ? 'not judged' : passed ? 'passed' : 'not passed').toLowerCase()}</h2>${table('Thresholds', LIMITS, rows)}${why}`;
}

const GRADED: readonly ReportColumn[] = [
  ['Metric', 't'],
  ['Measured', 'n'],
  ['Status', 'w'],
];

/** The grade of the run as an execution of its probe. */
export function grading(probe: Output<'getTestRunConfiguration'>['probe']): Markup {
  if (probe === null) return html``;
  const rows = probe.thresholdResults.map((r) => [r.displayName, measuredOf(r), healthOf(r.status)]);
  const judged =
    rows.length === 0 ? html`<p>No threshold was judged.</p>` : table('Thresholds of the probe', GRADED, rows);
  return html`<h2>Thresholds of the probe ${probe.name}: ${plain(probe.status)}</h2>${judged}`;
}
