/** A status page is chosen, published, and seen by the public. */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { probeBody } from '../../../testing/api.ts';

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
  chapters: { 'status-page': published },
};
