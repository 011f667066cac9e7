/** A status page as HTML: no script, one style sheet that its hash allows, every text escaped. */
import { sinceOf } from '../../../contract/probe/words.ts';
import type { HealthState } from '../../../contract/run/measured-words.ts';
import { type Brand, brandBand } from '../../../domain/brand.ts';
import { html, type Markup } from '../../../domain/markup.ts';
import { notFoundPage, publicPage } from '../../../http/public-page.ts';
import type { StatusPage } from '../contract/status-page.ts';
import { STYLE } from './style.ts';

const WORD: Record<HealthState, string> = {
  HEALTHY: 'Operational',
  DEGRADED: 'Degraded',
  UNHEALTHY: 'Down',
  UNKNOWN: 'No data',
};
const HEADLINE: Record<HealthState, string> = {
  HEALTHY: 'All systems are operational',
  DEGRADED: 'Some systems are degraded',
  UNHEALTHY: 'Some systems are down',
  UNKNOWN: 'No current data',
};
const SEVERITY = { DEGRADED: 'Degraded', DOWN: 'Down' } as const;
/** The state is shown by colour and by height: the worse, the lower. */
const BAR_HEIGHT: Record<HealthState, number> = { HEALTHY: 32, DEGRADED: 22, UNHEALTHY: 12, UNKNOWN: 4 };

const percent = (value: number | null): string => (value === null ? '–' : `${value.toFixed(2)} %`);
const kind = (status: HealthState): string => status.toLowerCase();
/** The instant, to the minute. */
const instant = (iso: string): Markup => html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;

function minutes(ms: number): string {
  const all = Math.max(1, Math.round(ms / 60_000));
  return all < 60 ? `${all} min` : `${Math.floor(all / 60)} h ${all % 60} min`;
}

type Component = StatusPage['components'][number];

function bars({ name, days }: Component): Markup {
  const count = (status: HealthState) => days.filter((day) => day.status === status).length;
  const counts = (['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNKNOWN'] as const)
    .map((status) => `${count(status)} ${WORD[status].toLowerCase()}`)
    .join(', ');
  const rects = days.map(
    ({ date, status, uptime }, i) =>
      html`<rect class="${kind(status)}" x="${i * 8}" y="${32 - BAR_HEIGHT[status]}" width="6" height="${BAR_HEIGHT[status]}"><title>${date}: ${WORD[status]}${uptime === null ? '' : `, ${percent(uptime)}`}</title></rect>`,
  );
  return html`<svg role="img" aria-label="${name}, the last ${days.length} days: ${counts}" viewBox="0 0 ${days.length * 8} 32" preserveAspectRatio="none">${rects}</svg>`;
}

/** Says in words what the bars show. */
function badDays({ days }: Component): Markup {
  const bad = days.filter(({ status }) => status === 'DEGRADED' || status === 'UNHEALTHY').reverse();
  if (bad.length === 0) return html``;
  const rows = bad.map(
    ({ date, status, uptime }) =>
      html`<tr><th scope="row"><time datetime="${date}">${date}</time></th><td>${WORD[status]}</td><td>${percent(uptime)}</td></tr>`,
  );
  return html`<details><summary>Days with trouble: ${bad.length}</summary><table><thead><tr><th scope="col">Day (UTC)</th><th scope="col">Worst</th><th scope="col">Uptime</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}

/** A page that began today does not speak of 90 days: a period is measured if something is older than the one before it. */
function periods({ uptime, days }: Component): Markup {
  const isOlder = (ago: number) => days.slice(0, -ago).some(({ status }) => status !== 'UNKNOWN');
  const rows = [
    ['24 hours', uptime.last24Hours],
    ['7 days', isOlder(1) ? uptime.last7Days : null],
    ['30 days', isOlder(7) ? uptime.last30Days : null],
    ['90 days', isOlder(30) ? uptime.last90Days : null],
  ] as const;
  return html`${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${percent(value)}</dd></div>`)}`;
}

const component = (c: Component): Markup => html`<li class="component">
<h3>${c.name} <span class="state ${kind(c.status)}">${WORD[c.status]}</span></h3>
${bars(c)}
<dl>
${periods(c)}
</dl>
${badDays(c)}
</li>
`;

type Incident = StatusPage['openIncidents'][number];

const incident = (i: Incident): Markup =>
  html`<li><strong>${i.component}</strong>: <span class="state ${i.severity === 'DOWN' ? 'unhealthy' : 'degraded'}">${SEVERITY[i.severity]}</span> since ${instant(sinceOf(i))}${i.endedAt === null ? '' : html`, for ${minutes(Date.parse(i.endedAt) - Date.parse(sinceOf(i)))}`}${i.reason === null ? '' : html`. ${i.reason}`}</li>
`;

const maintenance = ({ maintenance: all }: StatusPage): Markup =>
  all.length === 0
    ? html``
    : html`<section>
<h2>Maintenance</h2>
<ul>${all.map((m) => html`<li><strong>${m.component}</strong>: from ${instant(m.startsAt)} to ${instant(m.endsAt)}</li>\n`)}</ul>
</section>
`;

const incidents = (heading: string, all: readonly Incident[], none: string): Markup =>
  html`<section>
<h2>${heading}</h2>
${all.length === 0 ? html`<p>${none}</p>` : html`<ul>${all.map(incident)}</ul>`}
</section>
`;

/** Relative addresses: `data` of the same content as JSON, `logo` of the logo. */
type Addresses = { readonly data: string; readonly logo: string };

/** `style`: the one that the policy of the address allows. */
export const renderStatusPage = (
  p: StatusPage,
  brand: Brand | null,
  style: string,
  { data, logo }: Addresses,
): string =>
  publicPage(
    `${p.title}: ${HEADLINE[p.status]}`,
    style,
    html`<h1>${p.title}</h1>
${p.description === '' ? html`` : html`<p>${p.description}</p>`}
<p class="headline ${kind(p.status)}" role="status">${HEADLINE[p.status]}</p>
${p.openIncidents.length === 0 ? html`` : incidents('Open incidents', p.openIncidents, '')}${maintenance(p)}<section>
<h2>Components</h2>
${p.components.length === 0 ? html`<p>No components.</p>` : html`<ul class="components">${p.components.map(component)}</ul>`}
<p class="note">Bars are days (UTC), today on the right; a lower bar is a worse day. Uptime is the share of checks that were not down; checks without a result, and checks during maintenance, do not count.</p>
</section>
${incidents('Past incidents', p.pastIncidents, 'None in the last 90 days.')}<footer><p><a href="${data}">This page as JSON</a></p></footer>
`,
    brand === null ? html`` : brandBand(brand, logo),
  );

export const NOT_FOUND_HTML = notFoundPage(STYLE);
