/**
 * A log-in against a real OpenID provider: log in, prove, connect, disconnect; and the pages' text if it does not work. A control
 * plane of its own knows the provider.
 */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { isInside, logIn, logOut, openWithSettings } from '../../../../scripts/e2e/dashboard/other-settings.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';
import { PROVIDER_CLIENT, startOpenIdProvider } from '../testing/openid-provider.ts';

const provider: Chapter = async (t, lab) => {
  let idp!: Awaited<ReturnType<typeof startOpenIdProvider>>;
  const { guest: visited, forgetProofs } = await openWithSettings(t, lab, async (url) => {
    idp = await startOpenIdProvider(t, `${url}/sign-in`);
    return {
      CARILLON_OIDC_ISSUER: idp.issuer,
      CARILLON_OIDC_CLIENT_ID: PROVIDER_CLIENT.clientId,
      CARILLON_OIDC_CLIENT_SECRET: PROVIDER_CLIENT.clientSecret,
      CARILLON_OIDC_NAME: 'Acme Login',
    };
  });
  for (const name of ['ada', 'bob']) idp.accounts.set(name, { email: `${name}@acme.example`, email_verified: true });
  /** Faults of the pages; contacting the provider is no fault here. */
  const guest = async () => {
    const one = await visited();
    const faults = () => one.faults.filter((fault) => !fault.startsWith(`asked ${idp.issuer}/`));
    return { ...one, faults };
  };

  await t.test('the provider: somebody without a password is in, and proves it there', async (t) => {
    const { page, context, faults } = await guest();
    idp.subject = 'bob';
    await page.goto('/account');
    await page.getByRole('button', { name: 'Log in through Acme Login' }).click();
    await isInside(page, 'bob');
    await page.getByText(/Connected as bob@acme.example/).waitFor();
    t.equal(new URL(page.url()).pathname, '/account', 'where they wanted to go');
    t.equal(await page.getByText('Current password').count(), 0, 'they have none');
    t.same(await barriersInBoth(page), [], 'the account');
    await forgetProofs();
    await page.goto('/api-keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('pipeline');
    await page.getByRole('button', { name: 'Create key' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    t.equal(await proof.getByLabel('Password').count(), 0);
    const opened = context.waitForEvent('page');
    await proof.getByRole('button', { name: 'Go on through Acme Login' }).click();
    const window_ = await opened;
    await page.getByText(/This is the key pipeline/).waitFor();
    if (!window_.isClosed()) await window_.close();
    t.same(faults(), []);
    await context.close();
  });

  await t.test('the provider: who has a password connects the account; others are told why not', async (t) => {
    const { page, context, faults } = await guest();
    idp.subject = 'ada';
    await page.goto('/log-in');
    await page.getByRole('button', { name: 'Log in through Acme Login' }).click();
    await page.getByText(/has a password. Log in by it once, and connect it/).waitFor();
    t.same(await barriersInBoth(page), [], 'refused');
    idp.subject = null;
    // The provider's earlier session.
    await context.clearCookies();
    await page.goto('/log-in');
    await page.getByRole('button', { name: 'Log in through Acme Login' }).click();
    await page.getByText('Acme Login has not let you in: Nobody <b>logs in</b>').waitFor();
    await page.goto('/sign-in?code=x&state=y');
    await page.getByText(/was begun in another browser|was not started in this browser/).waitFor();
    await logIn(page);
    idp.subject = 'ada';
    await page.goto('/account');
    await page.getByRole('button', { name: 'Connect with Acme Login' }).click();
    await page.getByText(/Connected as ada@acme.example/).waitFor();
    await logOut(page, 'ada');
    await page.getByRole('button', { name: 'Log in through Acme Login' }).click();
    await isInside(page, 'ada');
    await page.goto('/account');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Connect with Acme Login' }).waitFor();
    await page.goto('/audit-log');
    await page
      .getByText(/connect identity/i)
      .first()
      .waitFor();
    t.same(faults(), []);
    await context.close();
  });
};

export const DASHBOARD: DashboardOfFeature = {
  pages: { '/sign-in': null },
  chapters: { 'identity-provider': provider },
};
