/** Passkeys, in Chromium with a virtual authenticator (WebDriver's, over CDP): added, used, for a proof, removed. */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { isInside, logIn, logOut, openWithSettings } from '../../../../scripts/e2e/dashboard/other-settings.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';

const passkeys: Chapter = async (t, lab) => {
  // The name of the public address, to which passkeys are bound.
  const { guest, forgetProofs } = await openWithSettings(t, lab, async () => ({}));
  const { page, context, faults } = await guest();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await logIn(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('laptop');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('not used yet').waitFor();
  t.same(await barriersInBoth(page), [], 'the account');

  await logOut(page, 'ada');
  t.same(await barriersInBoth(page), [], 'the page for logging in');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await isInside(page, 'ada');

  await forgetProofs();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByLabel('Name').fill('once more');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Go on with a passkey' }).waitFor();
  t.same(await barriersInBoth(page), [], 'the proof');
  await proof.getByRole('button', { name: 'Go on with a passkey' }).click();
  await page.getByText('This device already has a passkey for this account.').waitFor();
  await page.keyboard.press('Escape');

  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await logOut(page, 'ada');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByText(/^No passkey was given/).waitFor();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await isInside(page, 'ada');
  await page.goto('/account');
  await page
    .getByRole('row', { name: /laptop/ })
    .getByRole('button', { name: 'Remove' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('laptop', { exact: true }).waitFor({ state: 'detached' });
  await logOut(page, 'ada');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.getByText(/^This passkey is not known here/).waitFor();
  t.same(faults, []);
  await context.close();
};

export const DASHBOARD: DashboardOfFeature = { chapters: { passkeys } };
