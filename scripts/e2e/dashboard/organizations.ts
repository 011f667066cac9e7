/** A user in two organizations sees one at a time, and nothing of the other; not by an address, either. */
import { newId } from '../../../control-plane/store/new-id.ts';
import { callsRun, comeIn } from './founded.ts';
import type { Chapter } from './lab.ts';
import { askAs, request } from './lab-data.ts';

export const organizations: Chapter = async (t, lab) => {
  const { url: runUrl } = await callsRun(t, lab);
  const { page } = await comeIn(lab, 'Olga', 'ADMIN');
  // As a provisioning file would create it; users create no second organization.
  const there = newId();
  await lab.database.query(`insert into organizations (id, slug, name, plan) values ($1, 'other', 'Other', 'FREE')`, [
    there,
  ]);
  await lab.database.query(
    `insert into memberships (organization_id, user_id, role) select $1, id, 'OWNER' from users where email = 'olga@acme.example'`,
    [there],
  );
  await page.goto(lab.projectUrl);
  await page.getByRole('button', { name: /: account$/ }).click();
  await page.getByRole('menuitem', { name: 'Go to Other' }).click();
  await page.getByText(/^Welcome/).waitFor();
  await page.getByRole('button', { name: 'Create your first project' }).waitFor();
  t.notMatch(await page.getByRole('main').innerText(), /Acme|Calls/);
  for (const address of ['/workers', '/members', '/audit-log', '/api-keys']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    t.notMatch(await page.getByRole('main').innerText(), /berlin-1|grace|short-lived|create test/, address);
  }
  for (const address of [lab.projectUrl, runUrl, `${lab.projectUrl}/settings`]) {
    await page.goto(address);
    await page
      .getByText(/There is no project/)
      .first()
      .waitFor();
    t.equal((await request(page, 'GET', new URL(lab.projectUrl).pathname)).status, 404, address);
  }
  await page.goto('/organization');
  await page.getByRole('heading', { name: 'Plan Free' }).waitFor();
  await page.getByLabel('Name of the organization').fill('Other Telecom');
  const rename = page.locator('form', { has: page.getByLabel('Name of the organization') });
  await rename.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('navigation', { name: 'Organization' }).getByText('Other Telecom').waitFor();
  const me = await askAs(page)<{ organizations: { id: string }[] }>('GET', '/me');
  const back = me.organizations.find((o) => o.id !== there)?.id;
  await askAs(page)('POST', '/me/organization', { organizationId: back });
  await page.goto(lab.projectUrl);
  await page.getByText('Recent runs').waitFor();
};
