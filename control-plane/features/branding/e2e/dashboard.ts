/** An administrator gives the organization a name, a logo and a colour in a browser; the public sees them. */
import { FEATURES } from '../../../../control-plane/features.ts';
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';
import { madePng } from '../testing/made-png.ts';

const png = (widthPx: number, heightPx: number) => ({
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: madePng({ widthPx, heightPx }),
});

const branding: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);
  t.teardown(() => lab.database.query('delete from brands'));
  await page.goto('/organization');
  const card = page.getByRole('region', { name: 'Branding' });
  const preview = card.getByRole('group', { name: 'Preview' });
  await card.getByLabel('Name shown').fill('Acme Voice');
  await card.getByLabel('Colour', { exact: true }).fill('#ffd400');
  await preview.getByText('Text on the band is black').waitFor();
  await card.locator('input[type=file]').setInputFiles({ ...png(4, 4), buffer: Buffer.from('<svg/>') });
  await card.getByText('logo.png is not an image').waitFor();
  await card.locator('input[type=file]').setInputFiles(png(60, 20));
  await preview.getByRole('img', { name: 'Acme Voice' }).nth(1).waitFor();
  t.equal(await preview.getByRole('img', { name: 'Acme Voice' }).count(), 2, 'a wide logo stands for the name');
  await card.locator('input[type=file]').setInputFiles(png(20, 20));
  await preview.getByText('Acme Voice').nth(1).waitFor();
  t.equal(await preview.getByRole('img', { name: 'Acme Voice' }).count(), 0, 'the name stands beside it');
  t.same(await barriersInBoth(page), []);
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Saved').waitFor();
  t.match(await ask('GET', '/branding'), { name: 'Acme Voice', colour: '#ffd400', logo: { widthPx: 20 } });

  if ('status-page' in FEATURES) {
    const at = new URL(lab.projectUrl).pathname;
    await ask('PATCH', `${at}/status-page`, { published: true, slug: 'branded', title: 'Calls' });
    const { page: reader, context } = await lab.visit('dark');
    await reader.goto('/status/branded');
    await reader.getByRole('banner').getByText('Acme Voice').waitFor();
    const width = await reader.evaluate(
      `document.querySelector('header img').decode().then(() => document.querySelector('header img').naturalWidth)`,
    );
    t.equal(width, 20, 'the policy allows the logo');
    await context.close();
  }

  await card.getByLabel('Name shown').fill('');
  await card.getByRole('button', { name: 'Save' }).click();
  await preview.getByText('Acme Voice').first().waitFor({ state: 'detached' });
};

export const DASHBOARD: DashboardOfFeature = {
  actions: [['/organization', 'Save', 'ADMIN', 'PATCH', '/branding']],
  chapters: { branding },
};
