/** A status page is chosen, published, and seen by the public. */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { probeBody } from '../../../testing/api.ts';
import { STATUS_DAYS, type StatusPage } from '../contract/status-page.ts';
import { renderStatusPage } from '../http/html.ts';
import { STYLE } from '../http/style.ts';

const published: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);
  const at = new URL(lab.projectUrl).pathname;
  const [registrar] = await ask<{ id: string }[]>('GET', `${at}/registrars`);
  await ask('POST', `${at}/probes`, probeBody(registrar?.id ?? '', { enabled: false }));
  await page.goto(`${lab.projectUrl}/status-page`);
  await page.getByText('Not published').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('acme-voice');
  await page.getByRole('textbox', { name: 'Title' }).fill('Acme Voice');
  await page.getByRole('combobox', { name: 'Add a probe' }).click();
  await page
    .getByRole('option', { name: /^Front door/ })
    .first()
    .click();
  await page.getByLabel(/^Public name of/).fill('Calls in');
  await page.getByRole('switch', { name: /^Published/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'View public page' }).waitFor();
  const seen = await fetch(`${lab.controlPlane.url}/status/acme-voice.json`);
  t.match(await seen.json(), { title: 'Acme Voice', components: [{ name: 'Calls in' }] });
};

const TODAY = Date.parse('2026-11-28T00:00:00Z');
const DAY_MS = 86_400_000;
type Component = StatusPage['components'][number];

/** `bad`: how many days ago a day was not healthy; one that is older than `since` days is not known. */
function component(name: string, status: Component['status'], bad: readonly number[], since: number): Component {
  const days: Component['days'] = Array.from({ length: STATUS_DAYS }, (_, i) => {
    const ago = STATUS_DAYS - 1 - i;
    const date = new Date(TODAY - ago * DAY_MS).toISOString().slice(0, 10);
    if (ago > since) return { date, status: 'UNKNOWN', uptime: null };
    if (!bad.includes(ago)) return { date, status: 'HEALTHY', uptime: 100 };
    return ago % 2 === 0 ? { date, status: 'UNHEALTHY', uptime: 91.67 } : { date, status: 'DEGRADED', uptime: 100 };
  });
  const mean = (last: number): number | null => {
    const known = days.slice(-last).flatMap(({ uptime }) => uptime ?? []);
    return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
  };
  const uptime = { last24Hours: mean(1), last7Days: mean(7), last30Days: mean(30), last90Days: mean(90) };
  return { name, status, uptime, days };
}

/** Components in every state, and incidents open and past. */
const SHOWN: StatusPage = {
  title: 'Acme Voice',
  description: 'Calls to and from our branches',
  status: 'UNHEALTHY',
  components: [
    component('Calls in', 'UNHEALTHY', [0, 23], 89),
    component('Calls out', 'DEGRADED', [1], 89),
    component('Voicemail', 'HEALTHY', [], 40),
    component('Fax', 'UNKNOWN', [], -1),
  ],
  maintenance: [{ component: 'Calls out', startsAt: '2026-11-29T02:00:00.000Z', endsAt: '2026-11-29T03:00:00.000Z' }],
  openIncidents: [
    {
      component: 'Calls in',
      severity: 'DOWN',
      startedAt: '2026-11-28T19:41:00.000Z',
      firstFailedAt: '2026-11-28T19:36:00.000Z',
      endedAt: null,
      durationMs: null,
      reason: 'Calls were refused (SIP status 486).',
    },
  ],
  pastIncidents: [
    {
      component: 'Calls in',
      severity: 'DEGRADED',
      startedAt: '2026-11-05T08:10:00.000Z',
      firstFailedAt: '2026-11-05T08:05:00.000Z',
      endedAt: '2026-11-05T09:30:00.000Z',
      durationMs: 5_100_000,
      reason: null,
    },
  ],
};

export const DASHBOARD: DashboardOfFeature = {
  publicPages: { '/status/$statusSlug': 'Components' },
  make: async (ask, at) => {
    const [probe] = await ask<{ id: string }[]>('GET', `${at}/probes`);
    const statusSlug = 'every-page';
    const probes = [{ probeId: probe?.id, displayName: 'Front door' }];
    await ask('PATCH', `${at}/status-page`, { slug: statusSlug, title: 'Acme Voice', published: true, probes });
    return { statusSlug };
  },
  pages: { '/projects/$projectId/status-page': 'Content' },
  actions: [['…/status-page', 'Save', 'ADMIN', 'PATCH', '…/status-page']],
  pictured: {
    'public-status-page': {
      address: () => '/status/acme-voice',
      ready: 'Components',
      isInside: false,
      document: () => renderStatusPage(SHOWN, null, STYLE, { data: 'acme-voice.json', logo: '' }),
    },
  },
  chapters: { 'status-page': published },
};
