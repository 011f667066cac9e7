/** Changes on the pages of project and organization: settings, mail, workers, members, keys, password. */
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { comeIn, joinAgent } from './founded.ts';
import { type Chapter, PASSWORD } from './lab.ts';
import { askAs } from './lab-data.ts';

export const administration: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);

  await t.test('recipients of mail', async (t) => {
    await page.goto(`${lab.projectUrl}/mail`);
    await page.getByText('Mail is not configured').waitFor();
    const addresses = page.locator('input').and(page.getByLabel('Addresses'));
    await addresses.fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^nobody: /).waitFor();
    await addresses.press('Backspace');
    await addresses.fill('noc@acme.example');
    await page.keyboard.press('Enter');
    await Promise.all([
      page.waitForResponse((response) => response.request().method() !== 'GET' && response.ok()),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    await page.reload();
    await page.getByText('noc@acme.example').waitFor();
    t.pass('kept');
  });

  await t.test("a project's name", async (t) => {
    await page.goto(`${lab.projectUrl}/settings`);
    await page.getByLabel('Description').fill('Everything that rings');
    // Going to another page cuts off a request that is not answered yet.
    const answered = page.waitForResponse((response) => response.request().method() !== 'GET' && response.ok());
    await page.getByRole('button', { name: 'Save' }).click();
    await answered;
    await page.goto(lab.projectUrl);
    await page.getByText('Everything that rings').waitFor();
    t.pass('kept');
  });

  await t.test('a worker is drained, resumed; another one revoked', async (t) => {
    const workerId = await joinAgent(lab, ask, 'bremen-1');
    t.teardown(() => ask('DELETE', `/workers/${workerId}`));
    t.teardown(() => lab.endAgent('bremen-1'));
    await page.goto('/workers');
    const row = page.getByRole('row', { name: /bremen-1/ });
    await row.getByRole('button', { name: 'Drain' }).click();
    await row.getByText('Draining').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('Online').waitFor();
    await page.getByRole('button', { name: 'bremen-1' }).click();
    const drawer = page.getByRole('dialog', { name: 'bremen-1' });
    await drawer.getByText('at most 50').waitFor();
    await drawer.getByRole('textbox', { name: 'Set it to' }).fill('40');
    await drawer.getByRole('button', { name: 'Change' }).click();
    await drawer.getByText('40 endpoints, 2 of them reserved for probes').waitFor();
    t.same(await barriersInBoth(page), [], 'one worker');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Drain' }).click();
    await row.getByText('Draining').waitFor();
    await lab.endAgent('bremen-1');
    await row.getByText('Offline').waitFor();
    await row.getByText('drained', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText('drained', { exact: true }).waitFor({ state: 'detached' });
    t.equal(await row.getByRole('button', { name: /^(Drain|Resume)$/ }).count(), 0, 'it takes runs once it is back');
    await page.getByRole('button', { name: 'Enroll an agent' }).click();
    await page.getByLabel('Name').fill('hamburg-1');
    await page.getByRole('button', { name: 'Create join token' }).click();
    await page.getByRole('timer').waitFor();
    t.same(await barriersInBoth(page), [], 'its command');
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    const other = page.getByRole('row', { name: /hamburg-1/ });
    await other.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('timer').waitFor();
    await page.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await other.waitFor({ state: 'detached' });
    t.pass('gone');
  });

  await t.test('a member has another role; an invitation is withdrawn', async (t) => {
    await (await comeIn(lab, 'Clerk', 'TESTER')).context.close();
    await page.goto('/members');
    await page
      .getByRole('row', { name: /clerk@acme/ })
      .getByRole('button', { name: 'Change' })
      .click();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Editor/ }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /clerk@acme/ })
      .getByText('Editor')
      .waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail').fill('linus@acme.example');
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /linus@acme/ });
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await row.waitFor({ state: 'detached' });
    t.pass('withdrawn');
  });

  await t.test('an API key is shown once, works, and is revoked', async (t) => {
    await page.goto('/api-keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('short-lived');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.locator('pre').innerText();
    const status = async () =>
      (await fetch(`${lab.controlPlane.url}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } })).status;
    t.equal(await status(), 200);
    await page.reload();
    t.notOk((await page.content()).includes(key), 'not again');
    await page
      .getByRole('row', { name: /short-lived/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('row', { name: /short-lived/ })
      .getByText('Revoked')
      .waitFor();
    t.equal(await status(), 401);
  });

  await t.test('the audit log is filtered, and the address keeps the filters', async (t) => {
    await page.goto('/audit-log');
    await page.getByRole('cell', { name: 'create project' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Of what' }).click();
    await page.getByRole('option', { name: 'API key' }).click();
    await page.getByRole('cell', { name: 'create project' }).first().waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('cell', { name: 'short-lived' }).first().waitFor();
    t.equal(await page.getByRole('cell', { name: 'create project' }).count(), 0);
    t.same(await barriersInBoth(page), [], 'filtered');
  });

  await t.test('a password is changed', async (t) => {
    const [account] = await lab.database.query<{ hash: string }>(
      `select password_hash as hash from users where email = 'ada@acme.example'`,
    );
    t.teardown(() =>
      lab.database.query(`update users set password_hash = $1 where email = 'ada@acme.example'`, [account?.hash]),
    );
    await page.goto('/account');
    const change = async (from: string, to: string) => {
      await page.getByLabel('Current password').fill(from);
      await page.getByLabel('New password').fill(to);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('no idea of it', 'a long enough one');
    await page.getByText('is not your password').waitFor();
    await change(PASSWORD, `${PASSWORD} again`);
    await page.getByText('The password was changed.').waitFor();
    await change(`${PASSWORD} again`, PASSWORD);
    await page
      .getByRole('button', { name: 'Change password' })
      .and(page.locator('[data-loading]'))
      .waitFor({ state: 'detached' });
    t.pass('and back');
  });
};
