/** A second factor: set up, requested at the log-in and for a proof, and required of a member who has none. */
import { Secret as Base32, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { type Chapter, PASSWORD } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';

const STEP_MS = 30_000;
/** Of the next step, whose code is used already: later than any that was typed before. */
const nextCode = (secret: string): string =>
  new TOTP({ secret: Base32.fromBase32(secret) }).generate({ timestamp: Date.now() + STEP_MS });

/** A code is valid for a minute: on a slow machine, the next one is typed. */
async function typeCode(page: Page, secret: string, button: string, done: () => Promise<unknown>): Promise<void> {
  const wrong = page.getByText(/^is not (right|what)/);
  for (let tries = 0; ; tries++) {
    await page.getByLabel('Code').fill(nextCode(secret));
    const answered = page.waitForResponse((r) => r.request().method() === 'POST');
    await page.getByRole('button', { name: button }).click();
    if ((await answered).ok() || tries === 5) break;
    await wrong.waitFor();
  }
  await done();
}

const secondFactor: Chapter = async (t, lab) => {
  const ask = askAs(lab.owner.page);
  const require = (needed: boolean) =>
    lab.database.query(`update organizations set needs_second_factor = $1 where slug <> 'other'`, [needed]);
  t.teardown(() => require(false));
  const comesIn = async (name: string) => {
    const { token } = await ask<{ token: string }>('POST', '/invitations', {
      email: `${name}@acme.example`,
      role: 'VIEWER',
    });
    const guest = await lab.visit();
    await guest.page.goto(`/invitation#${token}`);
    await guest.page.getByLabel('Your name').fill(name);
    await guest.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await guest.page.getByRole('button', { name: 'Accept' }).click();
    await guest.page.getByRole('button', { name: `${name}: account` }).waitFor();
    return guest;
  };
  const zoe = await comesIn('zoe');
  const { page } = zoe;
  let secret = '';
  let codes: string[] = [];

  await t.test('set up with a QR code, confirmed by a code', async (t) => {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    t.same(await barriersInBoth(page), [], 'the QR code');
    secret = (await dialog.locator('pre').innerText()).replaceAll(/\s/g, '');
    t.match(secret, /^[A-Z2-7]{32}$/);
    await dialog.getByLabel('Code').fill('12345x');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText(/is not what the authenticator shows/).waitFor();
    await typeCode(page, secret, 'Confirm', () => page.getByText('The second factor is set up').waitFor());
    codes = (await dialog.locator('pre').innerText()).trim().split('\n');
    t.equal(codes.length, 10);
    t.same(await barriersInBoth(page), [], 'the recovery codes');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
  });

  await t.test('asked for after the password', async (t) => {
    await page.getByRole('button', { name: 'zoe: account' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('E-mail').fill('zoe@acme.example');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Code').waitFor();
    t.equal(await page.evaluate('document.activeElement.autocomplete'), 'one-time-code', 'where one types');
    t.same(await barriersInBoth(page), [], 'the code');
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText(/is not right, or was used before/).waitFor();
    await page.getByLabel('Code').fill(codes[0] as string);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'zoe: account' }).waitFor();
  });

  await t.test('and for a proof', async (t) => {
    await lab.database.query(
      `update sessions set proved_at = now() - interval '2 hours' where user_id = (select id from users where name = 'zoe')`,
    );
    await page.goto('/account');
    await page.getByText('9 recovery codes are left').waitFor();
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    t.same(await barriersInBoth(page), [], 'the proof');
    await proof.getByLabel('Code').fill(codes[1] as string);
    await proof.getByRole('button', { name: 'Go on' }).click();
    const told = page.getByRole('dialog', { name: 'New recovery codes' });
    t.notOk((await told.locator('pre').innerText()).includes(codes[2] as string), 'others than before');
    await told.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
  });

  await t.test('required by the organization', async (t) => {
    const yan = await comesIn('yan');
    const { page: owner } = lab.owner;
    await owner.goto('/organization');
    await owner.getByLabel('Require a second factor for every log-in').check();
    const form = owner.locator('form', { has: owner.getByLabel('Require a second factor for every log-in') });
    await form.getByRole('button', { name: 'Save' }).click();
    await owner.getByText('Set up a second factor of your own first').waitFor();
    await require(true);
    await yan.page.reload();
    await yan.page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor();
    t.equal(await yan.page.getByRole('link', { name: 'Members' }).count(), 0, 'nothing else is there');
    t.same(await barriersInBoth(yan.page), [], 'held up');
    await yan.page.getByRole('button', { name: 'Set up a second factor' }).click();
    const own = (await yan.page.getByRole('dialog').locator('pre').innerText()).replaceAll(/\s/g, '');
    await typeCode(yan.page, own, 'Confirm', () => yan.page.getByRole('button', { name: 'Done' }).click());
    await yan.page.getByRole('link', { name: 'Workers' }).first().waitFor();
    await page.goto('/account');
    await page.getByText('10 recovery codes are left').waitFor();
    t.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0, 'it is not removed while it is required');
    await require(false);
    await page.reload();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Set up a second factor' }).waitFor();
    await yan.context.close();
  });
  await zoe.context.close();
};

export const DASHBOARD: DashboardOfFeature = { chapters: { 'second-factor': secondFactor } };
