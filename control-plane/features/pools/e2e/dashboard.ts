/** A pool by clicks: its token is shown once and starts an agent, which the workers are grouped by; then nobody joins any more. */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';

const pools: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  t.teardown(() => lab.database.query(`delete from workers where name like 'rack-%'`));
  t.teardown(() => lab.database.query(`delete from pools where name = 'rack'`));
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto('/workers');
  await page.getByRole('link', { name: 'Pools' }).click();
  await page.getByRole('heading', { name: 'Pools' }).waitFor();
  await button('New pool').first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('rack');
  await page.getByLabel('Networks that may be called').fill('10.0.0.0/8, 10.0.0.1');
  t.same(await barriersInBoth(page), [], 'the form');
  await button('Create pool').click();
  await page.getByText('must be a network, such as 10.0.0.0/8', { exact: true }).waitFor();
  await page.getByLabel('Networks that may be called').fill('');
  await button('Create pool').click();
  const command = await page.locator('pre').innerText();
  const [, token = ''] = /echo (\S+) /.exec(command) ?? [];
  t.match(command, /carillon-agent run --url \S+ --token-file /);
  t.same(await barriersInBoth(page), [], 'the command');
  await button('Done').click();
  t.notOk((await page.content()).includes(token), 'not again');

  t.teardown(() => lab.endAgent('rack'));
  await lab.startAgent('rack', token);
  const row = page.getByRole('row', { name: /^rack/ });
  await row.getByText('1 of 100').waitFor();
  await row.getByText('1 online').waitFor();
  t.same(await barriersInBoth(page), [], 'the list');
  await row.getByRole('button', { name: 'Agents' }).click();
  const drawer = page.getByRole('dialog', { name: 'Agents of rack' });
  await drawer.getByText('rack-1').waitFor();
  t.same(await barriersInBoth(page), [], 'its agents');
  await drawer.getByRole('link').click();
  await page
    .getByRole('row', { name: /rack-1/ })
    .getByRole('cell', { name: 'rack', exact: true })
    .waitFor();
  t.equal(await page.getByRole('row').count(), 2, 'no worker of another pool, or of none');
  await page.getByRole('region', { name: 'Pool', exact: true }).getByRole('button', { name: /^rack/ }).click();
  await page.getByRole('row', { name: /berlin-1/ }).waitFor();

  await page.goto('/pools');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
  t.equal(await row.getByRole('button', { name: 'Revoke' }).count(), 0, 'its agents stay, so it is listed');
};

export const DASHBOARD: DashboardOfFeature = {
  pages: { '/pools': 'spot' },
  chapters: { pools },
  actions: [['/pools', 'New pool', 'ADMIN', 'POST', '/pools']],
  make: async (ask) => {
    if ((await ask<object[]>('GET', '/pools')).length === 0)
      await ask('POST', '/pools', { name: 'spot', maxAgents: 20, policy: { targetNetworks: ['10.0.0.0/8'] } });
    return {};
  },
};
