/** A session that expires during work, and use with only the keyboard. */
import { until } from '../../peers/process.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { type Chapter, PASSWORD } from './lab.ts';

export const session: Chapter = async (t, lab) => {
  const logIn = async (page: typeof lab.owner.page) => {
    await page.getByLabel('E-mail').fill('ada@acme.example');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  await t.test('ended elsewhere: to the log-in, and back to where one was', async (t) => {
    const away = await lab.visit();
    const where = `/workers?from=${lab.projectUrl.split('/').at(-1)}`;
    await away.page.goto(where);
    await away.page.getByRole('heading', { name: 'Log in' }).waitFor();
    t.same(await barriersInBoth(away.page), [], 'log-in');
    await logIn(away.page);
    await away.page.getByRole('link', { name: /^Back to/ }).waitFor();
    const address = () => away.page.url().slice(lab.controlPlane.url.length);
    t.equal(address(), where, 'after log-in the user arrives at the requested page');

    const { page } = lab.owner;
    await page.goto('/account');
    await page.getByRole('button', { name: 'End' }).first().click();
    await page.getByRole('button', { name: 'End' }).waitFor({ state: 'detached' });
    await away.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await logIn(away.page);
    await away.page.getByRole('link', { name: /^Back to/ }).waitFor();
    t.equal(address(), where);
    await away.context.close();
  });

  await t.test('by keys only', async (t) => {
    const { page } = lab.owner;
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.goto('/workers');
    await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor();
    await page.getByRole('button', { name: 'Enroll an agent' }).waitFor();
    await page.keyboard.press('Tab');
    t.equal(await focused(), 'Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.ok(
      await page.evaluate("document.querySelector('main').contains(document.activeElement)"),
      'the navigation is skipped',
    );
    // Features may have an entry before it.
    if ((await focused()) !== 'Enroll an agent') await page.keyboard.press('Tab');
    t.equal(await focused(), 'Enroll an agent');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // The focus follows a dialog a moment later.
    const tag = () => page.evaluate('document.activeElement.tagName');
    await until('the first field has the focus', async () => (await tag()) === 'INPUT');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the focus is where it was', async () => (await focused()) === 'Enroll an agent');
    t.pass('and the focus is where it was');
  });
};
