/** A run as one HTML file: what its page shows, to be kept and sent. Nothing in it runs, nothing is loaded. Pure. */
import { createHash } from 'node:crypto';
import type { Output } from '../../contract/catalogue.ts';
import { TIMING_NAMES, type Timeline } from '../../contract/timeline.ts';
import { escaped, html, type Markup } from '../markup.ts';
import { drawChart, type ReportChart } from './chart.ts';
import { STYLE } from './style.ts';

type Run = Output<'getTestRun'>;
type Endpoint = Output<'listTestRunEndpoints'>;

export type Report = {
  readonly run: Run;
  readonly probe: Output<'getTestRunConfiguration'>['probe'];
  readonly timeline: Timeline;
  /** Worst first. */
  readonly worst: readonly Endpoint[];
  readonly madeAt: Date;
};

const NONE = '–';
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const count = (n: number): string => n.toLocaleString('en-US');
const figure = (n: number | null | undefined, digits = 2): string =>
  n === null || n === undefined
    ? NONE
    : n.toLocaleString('en-US', { maximumFractionDigits: Math.abs(n) >= 100 ? 0 : digits });
/** A dash where nothing was measured. */
const measured = (n: number, values: number, digits = 2): string => (values === 0 ? NONE : figure(n, digits));
const instant = (iso: string | null): string => (iso === null ? NONE : `${iso.slice(0, 19).replace('T', ' ')} UTC`);
const plain = (word: string): string => {
  const text = word.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const TONES = { VALID: 'good', SUSPECT: 'warn', VOID: 'bad' } as const;
const SAYS = {
  VALID: 'The agents kept to their plan: these figures are of the system that was tested.',
  SUSPECT: 'The agents were disturbed: some of what was measured may be their own. No baseline.',
  VOID: 'The agents were too busy to be believed. No baseline; run it again with more agents or fewer calls.',
} as const;

const verdict = ({
  validity,
  status,
  error,
}: Run): Markup => html`<section class="verdict ${validity ? TONES[validity.verdict] : 'none'}">
<p><strong>${validity ? plain(validity.verdict) : 'No verdict'}</strong> · ${plain(status)}. ${validity ? SAYS[validity.verdict] : 'A run is judged when it ends.'}</p>
${error ? html`<p>${plain(error.code)}: ${error.message}</p>` : html``}
${validity && validity.reasons.length > 0 ? html`<ul>${validity.reasons.map((r) => html`<li>${r.message}</li>`)}</ul>` : html``}
</section>`;

const figures = ({ callTiming: c, summary: s }: Run): Markup => {
  const attempts = c.totalCalls - c.inProgressCount;
  const rows: [string, string, string][] = [
    ['Calls', count(attempts), `${count(c.successCount)} good`],
    [
      'Answer-seizure ratio',
      attempts === 0 ? NONE : `${figure(c.asr, 1)} %`,
      `of ${count(attempts)} calls; NER ${attempts === 0 ? NONE : `${figure(c.ner, 1)} %`}`,
    ],
    [
      'Set-up, p95',
      `${measured(c.callSetup.p95, c.callSetup.count, 1)} ms`,
      `of ${count(c.callSetup.count)} calls; p50 ${measured(c.callSetup.p50, c.callSetup.count, 1)}`,
    ],
    [
      `MOS, mean${s.mosScale ? ` (${s.mosScale.toUpperCase()})` : ''}`,
      measured(s.avgMos, s.measured.mos),
      `of ${count(s.measured.mos)} streams; lowest ${measured(s.minMos, s.measured.mos)}`,
    ],
    [
      'Packets lost',
      s.measured.loss === 0 ? NONE : `${figure(s.avgPacketLossFraction * 100)} %`,
      `${count(s.totalPacketsLost)} packets of ${count(s.measured.loss)} streams`,
    ],
    [
      'Jitter, mean',
      `${measured(s.avgJitter, s.measured.jitter)} ms`,
      `of ${count(s.measured.jitter)} streams; highest ${measured(s.maxJitter, s.measured.jitter)}`,
    ],
  ];
  return html`<dl>${rows.map(([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}<small>${note}</small></dd></div>`)}</dl>`;
};

type Cell = string | number;
const table = (head: readonly string[], rows: readonly (readonly Cell[])[], numeric: readonly number[]): Markup => {
  const kind = (i: number) => (numeric.includes(i) ? 'n' : 't');
  return html`<div class="scroll"><table><thead><tr>${head.map((h, i) => html`<th scope="col" class="${kind(i)}">${h}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => html`<td class="${kind(i)}">${cell}</td>`)}</tr>`)}</tbody></table></div>`;
};

const thresholds = ({ probe }: Report): Markup =>
  probe === null
    ? html``
    : html`<h2>Thresholds of the probe ${probe.name}: ${plain(probe.status)}</h2>${
        probe.thresholdResults.length === 0
          ? html`<p>This execution was not graded.</p>`
          : table(
              ['Metric', 'Measured', 'Status'],
              probe.thresholdResults.map((r) => [
                r.displayName,
                r.status === 'UNKNOWN' ? NONE : `${figure(r.value, 3)} ${r.unit}`,
                plain(r.status),
              ]),
              [1],
            )
      }`;

const failures = (run: Run): Markup =>
  run.failureClusters.length === 0
    ? html`<p>No endpoint failed.</p>`
    : html`${table(
        ['Endpoints', 'What happened', 'Whose part', 'Reached', 'Target'],
        run.failureClusters.map((c) => [
          count(c.count),
          c.sipStatus === null ? `${plain(c.cause)} ${c.reason}` : `${c.sipStatus} ${c.reason} (${plain(c.cause)})`,
          c.party,
          plain(c.phase),
          c.target,
        ]),
        [0],
      )}${run.otherFailures > 0 ? html`<p class="quiet">${count(run.otherFailures)} more failed in other ways.</p>` : html``}`;

const chartsOf = (t: Timeline): ReportChart[] => {
  const each = (values: readonly number[]) => values.map((v) => v / t.resolutionSeconds);
  return [
    {
      title: 'Calls',
      unit: 'per second',
      fromZero: true,
      lines: [
        { name: 'offered', values: each(t.calls.offered) },
        { name: 'started', values: each(t.calls.started) },
        { name: 'failed', values: each(t.calls.failed) },
      ],
    },
    { title: 'Calls at once', unit: '', fromZero: true, lines: [{ name: 'in a call', values: t.calls.concurrent }] },
    {
      title: 'Set-up',
      unit: 'ms',
      fromZero: true,
      lines: [
        { name: 'p50', values: t.setupMs.p50 },
        { name: 'p95', values: t.setupMs.p95 },
        { name: 'p99', values: t.setupMs.p99 },
      ],
    },
    {
      title: 'MOS',
      unit: t.mosScale?.toUpperCase() ?? '',
      fromZero: false,
      lines: [
        { name: 'p50', values: t.mos.p50 },
        { name: 'p5', values: t.mos.p5 },
      ],
    },
    {
      title: 'Packet loss',
      unit: '%',
      fromZero: true,
      lines: [{ name: 'lost', values: t.lossFraction.map((v) => v && v * 100) }],
    },
    {
      title: "Agents' own delay",
      unit: 'ms, p99 of the worst',
      fromZero: true,
      lines: [
        { name: 'event loop', values: t.noise.loopDelayMs },
        { name: 'RTP pacing', values: t.noise.pacingErrorMs },
      ],
    },
  ];
};

const TIMINGS: Readonly<Record<(typeof TIMING_NAMES)[number], string>> = {
  callSetup: 'Call set-up',
  pdd: 'Post-dial delay',
  timeToTrying: 'To 100 Trying',
  timeToRinging: 'To ringing',
  timeToFirstMedia: 'Answer to first media',
  registerRtt: 'Registration',
};

const endpointRow = (e: Endpoint): Cell[] => [
  plain(e.endpointType),
  e.calleeUri,
  plain(e.outcome ?? e.phase),
  e.failure ? `${e.failure.sipStatus ?? ''} ${e.failure.reason || plain(e.failure.cause)} (${e.failure.party})` : NONE,
  figure(e.callTiming?.callSetupMs, 0),
  e.worker.name,
];

export function renderReport(report: Report): string {
  const { run, timeline, worst, madeAt } = report;
  const charts = chartsOf(timeline).flatMap((c) => drawChart(c, timeline.resolutionSeconds) ?? []);
  const main = html`<h1>${run.testName}</h1>
<p class="quiet">${run.organizationName} · ${run.projectName} · run ${run.id}</p>
<p class="quiet">Started ${instant(run.startedAt)}, ended ${instant(run.endedAt)} · ${count(run.endpoints)} endpoints on ${[...new Set(run.subPopulationInstances.map((i) => i.worker.name))].join(', ') || 'no worker'} · report of ${instant(madeAt.toISOString())}</p>
${verdict(run)}
${figures(run)}
${thresholds(report)}
<h2>Failures</h2>
${failures(run)}
<h2>Over time</h2>
${charts.length === 0 ? html`<p>Nothing was measured over time, or it is not kept any more.</p>` : html`<p class="quiet">Minutes and seconds after ${instant(timeline.from)}; steps of ${timeline.resolutionSeconds} s. Percentiles are of what lies in a step; a gap was not measured.</p><div class="charts">${charts}</div>`}
<h2>Timings</h2>
${table(
  ['Milliseconds', 'p50', 'p95', 'p99', 'Longest', 'Values'],
  TIMING_NAMES.map((name) => {
    const d = run.callTiming[name];
    return [TIMINGS[name], ...[d.p50, d.p95, d.p99, d.max].map((v) => measured(v, d.count, 1)), count(d.count)];
  }),
  [1, 2, 3, 4, 5],
)}
<h2>SIP responses</h2>
${
  run.sipResponses.length === 0
    ? html`<p>No response came.</p>`
    : table(
        ['Response', 'To', 'Count', 'Share'],
        run.sipResponses.map((r) => [
          `${r.statusCode} ${r.reasonPhrase}`,
          Object.keys(r.methods).join(', '),
          count(r.count),
          `${figure(r.percentage, 1)} %`,
        ]),
        [2, 3],
      )
}
<h2>Endpoints, worst first</h2>
${table(['Role', 'Called', 'Outcome', 'What happened', 'Set-up, ms', 'Worker'], worst.map(endpointRow), [4])}
<p class="quiet">${count(worst.length)} of ${count(run.endpoints)} endpoints. Every one is in the CSV export.</p>`;
  // The style stands as its hash says it does.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(run.testName)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main.text}
</main>
</body>
</html>
`;
}
