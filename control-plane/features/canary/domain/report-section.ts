/** The findings of a run's canary, in its report. Pure. */

import { html, type Markup } from '../../../domain/markup.ts';
import { count, figure, type ReportColumn, table } from '../../../domain/report/cells.ts';
import type { Canary } from '../contract/canary.ts';

const COLUMNS: readonly ReportColumn[] = [
  ['', 'w'],
  ['Judged', 'n'],
  ['Failed', 'n'],
  ['Set-up, median', 'n'],
  ['Least', 'n'],
  ['Most', 'n'],
  ['MOS, median', 'n'],
];

const row = (name: string, { good, failed, setUpMs: s, mos }: Canary['idle']) => [
  name,
  count(good + failed),
  count(failed),
  ...[s.median, s.min, s.max].map((value) => figure(value, 1)),
  figure(mos.median),
];

export const canarySection = (canary: Canary): Markup =>
  html`<h2>Canary: ${canary.probeName}</h2>
${canary.sentences.map((sentence) => html`<p>${sentence}</p>`)}
${table('Canary', COLUMNS, [row('Before the load', canary.idle), row('While it was on', canary.loaded)])}
<p class="quiet">Set-up times in milliseconds. A probe was executed before the load and while it was on, apart from the calls of the load.</p>`;
