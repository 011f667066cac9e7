/** Who is invited sees what the role may, and no more; who is removed is out at once. */
import { until } from '../../peers/process.ts';
import { type Chapter, PASSWORD } from './lab.ts';

export const roles: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  await page.goto('/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail').fill('grace@acme.example');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Viewer/ }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const invitation = await page.locator('pre').innerText();

  const guest = await lab.visit('dark');
  await guest.page.goto(invitation);
  await guest.page.getByLabel('Your name').fill('Grace');
  await guest.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await guest.page.getByRole('heading', { name: 'Projects' }).waitFor();
  t.equal(await guest.page.getByRole('button', { name: 'New project' }).count(), 0);
  await guest.page.goto(`${lab.projectUrl}/tests`);
  await guest.page.getByRole('link', { name: /^Calls/ }).waitFor();
  for (const name of ['New test', 'Run', 'Delete']) {
    t.equal(await guest.page.getByRole('button', { name }).count(), 0, `no ${name}`);
  }
  t.equal(await guest.page.getByRole('link', { name: 'Members' }).count(), 0);

  await page.goto('/members');
  await page.getByRole('row', { name: /Grace/ }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('grace@acme.example').waitFor({ state: 'detached' });
  await guest.page.getByRole('heading', { name: 'Log in' }).waitFor();
  t.pass('the session of who is removed is over, and the page says so by itself');
  await guest.page.getByLabel('E-mail').fill('grace@acme.example');
  for (let n = 0; n < 11; n++) {
    await guest.page.getByRole('textbox', { name: 'Password' }).fill(`guess ${n}`);
    await guest.page.getByRole('button', { name: 'Log in' }).click();
    await guest.page.getByRole('alert').waitFor();
    await until('the answer is there', async () => (await guest.page.locator('button[data-loading]').count()) === 0);
  }
  await guest.page.getByText('Too many attempts').waitFor();
  await guest.context.close();
};
