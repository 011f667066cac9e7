/** A run as one HTML file: the contents of its page, for storage and sharing, without scripts or external resources. Pure. */
import { createHash } from 'node:crypto';
import { SPREADS } from '@carillon/proto/figures/call-figures.ts';
import type { Output } from '../../contract/catalogue.ts';
import { plain } from '../../contract/plain.ts';
import type { Timeline } from '../../contract/run/timeline.ts';
import { type Brand, brandBand, brandStyle } from '../brand.ts';
import { escaped, html, type Markup } from '../markup.ts';
import { count, facts, figure, instant, measured, NONE, type ReportColumn, table } from './cells.ts';
import { drawChart } from './chart.ts';
import { endpoints, failures } from './failed.ts';
import { findings, grading, headline, heard, thresholdTable } from './heard.ts';
import { chartsOf } from './over-time.ts';
import { STYLE } from './style.ts';

type Run = Output<'getTestRun'>;

export type Report = {
  readonly run: Run;
  readonly probe: Output<'getTestRunConfiguration'>['probe'];
  readonly timeline: Timeline;
  /** The worst endpoints are first, followed by examples of findings. */
  readonly endpoints: readonly Omit<Output<'listTestRunEndpoints'>, 'calls'>[];
  /** What features say, after what callers got. */
  readonly sections: readonly Markup[];
  /** The brand of the organization; null: it has none. */
  readonly brand: Brand | null;
  readonly madeAt: Date;
};

const policyOf = (style: string, brand: Brand | null): string =>
  `default-src 'none'; ${brand?.logo ? 'img-src data:; ' : ''}style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** The logo is in the file, because a report loads nothing. */
const band = (brand: Brand): Markup =>
  brandBand(brand, `data:image/png;base64,${brand.logo?.bytes.toString('base64') ?? ''}`);

const TONES = { VALID: 'good', SUSPECT: 'warn', VOID: 'bad' } as const;

/** Says whether the figures may be trusted: the sentence, then the reasons, which the sentence only counts. */
function verdict({ validity, status, error }: Run): Markup {
  const why = error ? html` · ${plain(error.code)}: ${error.message}` : html``;
  // That it completed says nothing of its calls.
  const ended = status === 'COMPLETED' ? html`` : html`<p class="quiet">${plain(status)}${why}</p>`;
  if (validity === null)
    return html`<section class="verdict none"><p><b>No verdict</b>: a run is judged when it ends.</p>${ended}</section>`;
  const said = validity.sentence.replace(`${validity.verdict}: `, '');
  const others = validity.reasons.slice(1).map((r) => html`<li>${r.message}</li>`);
  return html`<section class="verdict ${TONES[validity.verdict]}">
<p><b>${validity.verdict}</b>: ${said}</p>
${others.length > 0 ? html`<ul>${others}</ul>` : html``}${ended}
</section>`;
}

function figures({ callTiming: c, summary: s }: Run): Markup {
  const attempts = c.totalCalls - c.inProgressCount;
  const ratio = (value: number): string => (attempts === 0 ? NONE : `${figure(value, 1)} %`);
  const ms = (value: number, values: number, digits = 1): string =>
    values === 0 ? NONE : `${figure(value, digits)} ms`;
  return facts([
    ['Answer-seizure ratio', ratio(c.asr), `of ${count(attempts)} calls; NER ${ratio(c.ner)}`],
    [
      'Set-up, p95',
      ms(c.callSetup.p95, c.callSetup.count),
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
      ms(s.avgJitter, s.measured.jitter, 2),
      `of ${count(s.measured.jitter)} streams; highest ${measured(s.maxJitter, s.measured.jitter)}`,
    ],
  ]);
}

const SPREAD: readonly ReportColumn[] = [
  ['Milliseconds', 'w'],
  ['p50', 'n'],
  ['p95', 'n'],
  ['p99', 'n'],
  ['Longest', 'n'],
  ['Values', 'n'],
];

const timings = ({ callTiming }: Run): Markup =>
  table(
    'Timings',
    SPREAD,
    SPREADS.filter(({ isCharted }) => isCharted).map(({ key, title }) => {
      const d = callTiming[key];
      return [title, ...[d.p50, d.p95, d.p99, d.max].map((v) => measured(v, d.count, 1)), count(d.count)];
    }),
  );

const ANSWERS: readonly ReportColumn[] = [
  ['Response', 't'],
  ['To', 't'],
  ['Count', 'n'],
  ['Share', 'n'],
];

const responses = ({ sipResponses }: Run): Markup =>
  sipResponses.length === 0
    ? html`<p>No responses.</p>`
    : table(
        'SIP responses',
        ANSWERS,
        sipResponses.map((r) => [
          `${r.statusCode} ${r.reasonPhrase}`,
          Object.keys(r.methods).join(', '),
          count(r.count),
          `${figure(r.percentage, 1)} %`,
        ]),
      );

function overTime(timeline: Timeline): Markup {
  const charts = chartsOf(timeline).flatMap((c) => drawChart(c, timeline.resolutionSeconds) ?? []);
  if (charts.length === 0)
    return html`<p>No time series: nothing was measured, or the data was deleted after the retention period.</p>`;
  return html`<p class="quiet">Minutes and seconds after ${instant(timeline.from)}; steps of ${timeline.resolutionSeconds} s. Percentiles cover the values of one step; gaps were not measured.</p><div class="charts">${charts}</div>`;
}

export function renderReport(report: Report): string {
  const { run, probe, timeline, brand, madeAt } = report;
  const style = brand === null ? STYLE : `${STYLE}${brandStyle(brand)}`;
  const shown = new Map(report.endpoints.map((e) => [e.id, e.number]));
  const title = run.callAfterCall ? 'Calls' : 'Endpoints';
  const many = count(report.endpoints.length);
  const shownOf = run.callAfterCall ? `${many} calls` : `${many} of ${count(run.endpoints)} endpoints`;
  const workers = [...new Set(run.subPopulationInstances.map((i) => i.worker.name))].join(', ');
  const main = html`${brand === null ? html`` : band(brand)}<h1>${run.testName}</h1>
<p class="quiet">${run.organizationName} · ${run.projectName} · run ${run.id}</p>
<p class="quiet">Started ${instant(run.startedAt)}, ended ${instant(run.endedAt)} · ${count(run.endpoints)} endpoints on ${workers || 'no worker'} · report of ${instant(madeAt.toISOString())}</p>
${headline(run)}
${verdict(run)}
${heard(run)}
${report.sections}
${findings(run, shown)}
${thresholdTable(run)}
${grading(probe)}
<h2>Failures</h2>
${failures(run, shown)}
<h2>Signalling and media</h2>
${figures(run)}
<h2>Over time</h2>
${overTime(timeline)}
<h2>Timings</h2>
${timings(run)}
<h2>SIP responses</h2>
${responses(run)}
<h2>${title}, worst first</h2>
${endpoints(title, report.endpoints)}
<p class="quiet">${shownOf}: the worst, then examples of each finding. Those that ended in the same way are one line. The CSV export has all of them.</p>`;
  // The style must match its hash.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policyOf(style, brand))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(run.testName)}</title>
<style>${style}</style>
</head>
<body>
<main>
${main.text}
</main>
</body>
</html>
`;
}
