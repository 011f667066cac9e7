/** Failed endpoints of a run: groups with the same failure, then the worst ones individually. Pure. */

import { FINDINGS, isFindingKind } from '@carillon/proto/words/findings.ts';
import { q850Name } from '@carillon/proto/words/q850.ts';
import type { Output } from '../../contract/catalogue.ts';
import { plain } from '../../contract/plain.ts';
import type { FailureCluster } from '../../contract/run/run.ts';
import { html, type Markup } from '../markup.ts';
import { alike, type EndedRow } from './alike.ts';
import {
  address,
  anchorOf,
  type Cell,
  count,
  examples,
  figure,
  NONE,
  type ReportColumn,
  type ReportRow,
  table,
} from './cells.ts';

type Run = Output<'getTestRun'>;

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
    plain(cause),
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
      plain(c.phase),
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
function failureCell({ failure, findings }: EndedRow): Cell {
  const others = findings.filter((f) => f.finding !== failure?.cause);
  const more = others.map((f) => html`<small>${f.tolerated ? 'Tolerated' : plain(f.severity)}: ${f.message}</small>`);
  if (failure === null) return more.length === 0 ? NONE : html`${more}`;
  return html`${failure.sentence}${more}`;
}

const ended = (counted: string): ReportColumn[] => [
  [counted, 'w'],
  ['Role', 'w'],
  ['Called', 'a'],
  ['Outcome', 'w'],
  ['What happened', 't'],
  ['Party', 'w'],
  ['MOS', 'n'],
  ['Set-up, ms', 'n'],
  ['Worker', 'w'],
];

/** The Call-IDs of a line: with one of them people find a call in their logs. */
const SHOWN_CALL_IDS = 3;
/** The numbers of a line. */
const SHOWN_NUMBERS = 12;

/** Links lead to each call, also to those whose numbers are not shown. */
function numbersCell([first, ...others]: readonly [EndedRow, ...EndedRow[]]): Cell {
  if (others.length === 0) return `#${first.number}`;
  const more = others.length - (SHOWN_NUMBERS - 1);
  const marks = others.map(
    ({ number }, i) =>
      html`<span id="${anchorOf(number)}">${i < SHOWN_NUMBERS - 1 ? `${i === 0 ? '' : ', '}#${number}` : ''}</span>`,
  );
  const rest = more > 0 ? ` and ${count(more)} more` : '';
  return html`#${first.number}<small>${count(others.length + 1)} alike: ${marks}${rest}</small>`;
}

function calledCell(group: readonly [EndedRow, ...EndedRow[]]): Cell {
  const [first] = group;
  const others = new Set(group.map((e) => e.calleeUri)).size - 1;
  const ids = group.flatMap((e) => (e.callId === null ? [] : [e.callId]));
  const shown = ids.slice(0, SHOWN_CALL_IDS).map((id) => html`<small>${address(id)}</small>`);
  const more =
    ids.length > shown.length
      ? html`<small>${count(ids.length - shown.length)} more ${ids.length - shown.length === 1 ? 'Call-ID' : 'Call-IDs'}</small>`
      : html``;
  return html`${address(first.calleeUri)}${others > 0 ? html`<small>and ${count(others)} ${others === 1 ? 'other' : 'others'}</small>` : html``}${shown}${more}`;
}

/** The figures of a line: of one call, or the lowest and the highest. */
function rangeCell(values: readonly (number | null | undefined)[], digits?: number): Cell {
  const known = values.filter((v) => v !== null && v !== undefined);
  if (known.length === 0) return NONE;
  const [low, high] = [figure(Math.min(...known), digits), figure(Math.max(...known), digits)];
  return low === high ? low : `${low} to ${high}`;
}

/** `title`: Endpoints, or Calls if an endpoint has more than one. Calls that ended in the same way are one line. */
export function endpoints(title: string, all: readonly EndedRow[]): Markup {
  const rows = alike(all).map((group): ReportRow => {
    const [e] = group;
    const cells = [
      numbersCell(group),
      plain(e.endpointType),
      calledCell(group),
      e.outcome === null ? plain(e.phase) : plain(e.outcome),
      failureCell(e),
      e.failure?.party ?? NONE,
      rangeCell(group.map(({ media }) => media?.mos)),
      rangeCell(
        group.map(({ callTiming }) => callTiming?.callSetupMs),
        0,
      ),
      [...new Set(group.map(({ worker }) => worker.name))].join(', '),
    ];
    return { anchor: anchorOf(e.number), cells };
  });
  return table(title, ended(title), rows);
}
