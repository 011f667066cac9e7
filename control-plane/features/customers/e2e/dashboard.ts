/** The owner of the installation creates a customer in a browser; its first OWNER comes in, and sees only their own. */

import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { PASSWORD } from '../../../../scripts/e2e/dashboard/lab.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';

const customers: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  t.teardown(() => lab.database.query(`delete from organizations where slug = 'northwind'`));
  await page.goto('/organization');
  await page.getByRole('link', { name: 'Usage by project' }).click();
  await page.getByRole('link', { name: 'Download CSV' }).waitFor();
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByText('runs this installation').waitFor();
  await page.getByRole('button', { name: 'New customer' }).click();
  await page.getByLabel('Name of the organization').fill('Northwind');
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: 'Starter' }).click();
  await page.getByText('10,000 endpoint minutes a month').waitFor();
  const email = page.getByLabel('E-mail of the first owner');
  await page.getByRole('button', { name: 'I am its first owner' }).click();
  t.equal(await email.inputValue(), 'ada@acme.example', 'the way to see more of it than figures');
  await email.fill('nora@northwind.example');
  t.same(await barriersInBoth(page), [], 'the form');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const link = await page.locator('pre').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /^Northwind/ });
  await row.getByText('1 invited').waitFor();

  const guest = await lab.visit('dark');
  await guest.page.goto(link);
  await guest.page.getByLabel('Your name').fill('Nora');
  await guest.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await guest.page.getByText(/^Welcome/).waitFor();
  t.equal(await guest.page.getByRole('link', { name: 'Customers' }).count(), 0, 'customers see no others');
  await guest.page.goto('/customers');
  await guest.page.getByText('This needs the owner of the installation').waitFor();
  await guest.context.close();

  await page.reload();
  await row.getByRole('button', { name: 'Plan' }).click();
  await page.getByRole('combobox', { name: 'Plan' }).click();
  await page.getByRole('option', { name: 'Free' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('plan Free').waitFor();
  await page.getByRole('link', { name: 'Usage by project' }).click();
  await page.getByRole('heading', { name: 'Usage of customers' }).waitFor();

  await lab.database.query(MANY_PROJECTS);
  await page.reload();
  const projects = page.getByRole('row', { name: /^Northwind/ });
  await projects.first().waitFor();
  t.equal(await projects.count(), 20, 'a month with many projects shows its first ones');
  await page.getByRole('button', { name: 'Show all 25 projects' }).click();
  await page.getByRole('cell', { name: 'Project 25', exact: true }).waitFor();
  t.equal(await projects.count(), 25);
};

/** Twenty-five projects with runs in the last month. */
const MANY_PROJECTS = `with made as (
    insert into projects (id, organization_id, slug, name)
    select gen_random_uuid(), o.id, 'project-' || n, 'Project ' || n
    from organizations o, generate_series(1, 25) as n where o.slug = 'northwind' returning id, organization_id)
  insert into project_usage_months (organization_id, month, project_id, endpoint_seconds, runs)
  select organization_id, to_char(now() at time zone 'UTC' - interval '1 month', 'YYYY-MM'), id, 600, 1 from made`;

export const DASHBOARD: DashboardOfFeature = {
  pages: {
    '/customers': 'runs this installation',
    '/customers/usage': 'Download CSV',
    '/usage': 'Download CSV',
  },
  pictured: {
    'new-customer': {
      address: () => '/customers',
      ready: 'runs this installation',
      isInside: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'New customer' }).click();
        await page.getByLabel('Name of the organization').fill('Northwind');
        await page.getByRole('combobox', { name: 'Plan' }).click();
        await page.getByRole('option', { name: 'Starter' }).click();
        await page.getByText('10,000 endpoint minutes a month').waitFor();
      },
    },
  },
  chapters: { customers },
};
