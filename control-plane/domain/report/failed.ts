/** Failed endpoints of a run: groups with the same failure, then the worst ones individually. Pure. */

import { FINDINGS, isFindingKind } from '@carillon/proto/findings.ts';
import { q850Name } from '@carillon/proto/q850.ts';
import type { Output } from '../../contract/catalogue.ts';
import type { FailureCluster } from '../../contract/run/run.ts';
import type { Phase } from '../../contract/words.ts';
import { html, type Markup } from '../markup.ts';
import {
  address,
  anchorOf,
  type Cell,
  count,
  examples,
  figure,
  NONE,
  plain,
  type ReportColumn,
  type ReportRow,
  table,
} from './cells.ts';

type Run = Output<'getTestRun'>;
type Endpoint = Omit<Output<'listTestRunEndpoints'>, 'calls'>;

const phaseName = (phase: Phase): string => (phase === 'INCALL' ? 'In call' : plain(phase));

/** Examples are `503 Service Unavailable` and `No audio came`. */
function whatHappened({ cause, sipStatus, reason }: FailureCluster): string {
  if (isFindingKind(cause)) return FINDINGS[cause].title;
  return sipStatus === null ? `${plain(cause)}: ${reason}` : `${sipStatus} ${reason}`;
}

/** The far end's explanation, and the cause's name. */
function why({ cause, q850, explanation }: FailureCluster): string {
  const name = q850 === null ? null : q850Name(q850);
  const texts = [
    name && `Q.850 cause ${q850}, ${name}`,
    explanation?.toLowerCase() === name?.toLowerCase() ? null : explanation,
    cause,
  ];
  return texts.filter((one) => one !== null && one !== '').join(' · ');
}

const failed = (counted: string): ReportColumn[] => [
  [counted, 'n'],
  ['What happened', 't'],
  ['Party', 'w'],
  ['Reached', 'w'],
  ['Target', 'a'],
  ['Number', 't'],
  ['Examples', 'w'],
];

/** `shown`: endpoints of the report, with their numbers. */
export function failures(run: Run, shown: ReadonlyMap<string, number>): Markup {
  if (run.failureClusters.length === 0) return html`<p>No ${run.callAfterCall ? 'call' : 'endpoint'} failed.</p>`;
  const rows = run.failureClusters.map(
    (c): ReportRow => [
      count(c.count),
      html`${whatHappened(c)}<small>${why(c)}</small>`,
      c.party,
      phaseName(c.phase),
      address(c.target),
      c.number ?? NONE,
      examples(c.exampleEndpointIds, shown) ?? NONE,
    ],
  );
  const others =
    run.otherFailures > 0 ? html`<p class="quiet">${count(run.otherFailures)} more failed in other ways.</p>` : html``;
  return html`${table('Failures', failed(run.callAfterCall ? 'Calls' : 'Endpoints'), rows)}${others}`;
}

/** The reason of the failure, followed by other findings of its call. */
function failureCell({ failure, findings }: Endpoint): Cell {
  const others = findings.filter((f) => f.finding !== failure?.cause);
  const more = others.map((f) => html`<small>${f.tolerated ? 'Tolerated' : plain(f.severity)}: ${f.message}</small>`);
  if (failure === null) return more.length === 0 ? NONE : html`${more}`;
  return html`${failure.sentence}${more}`;
}

const ENDED: readonly ReportColumn[] = [
  ['', 'w'],
  ['Role', 'w'],
  ['Called', 'a'],
  ['Outcome', 'w'],
  ['What happened', 't'],
  ['Party', 'w'],
  ['MOS', 'n'],
  ['Set-up, ms', 'n'],
  ['Worker', 'w'],
];

/** `title`: Endpoints, or Calls if an endpoint has more than one. */
export function endpoints(title: string, all: readonly Endpoint[]): Markup {
  const rows = all.map((e): ReportRow => {
    const called = html`${address(e.calleeUri)}${e.callId === null ? html`` : html`<small>${address(e.callId)}</small>`}`;
    const cells = [
      `#${e.number}`,
      plain(e.endpointType),
      called,
      e.outcome === null ? phaseName(e.phase) : plain(e.outcome),
      failureCell(e),
      e.failure?.party ?? NONE,
      figure(e.media?.mos),
      figure(e.callTiming?.callSetupMs, 0),
      e.worker.name,
    ];
    return { anchor: anchorOf(e.number), cells };
  });
  return table(title, ENDED, rows);
}
