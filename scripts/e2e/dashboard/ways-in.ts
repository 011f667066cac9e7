/**
 * Passkeys and an identity provider, in Chromium with a virtual authenticator (WebDriver's, over CDP) and against a real OpenID
 * provider: log in, prove, connect, disconnect; and the pages' text if it does not work. A control plane of its own knows the
 * provider.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { PROVIDER_CLIENT, startOpenIdProvider } from '../../../control-plane/testing/openid-provider.ts';
import { startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { provisionText } from '../../peers/lab/provision.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { barriersInBoth, visit } from '../../peers/referees/chromium.ts';
import { type Chapter, PASSWORD } from './lab.ts';

export const waysIn: Chapter = async (t, lab) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-ways-in-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o711);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const idp = await startOpenIdProvider(t, `${url}/sign-in`);
  const database = await openLabDatabase(path.join(dir, 'data'), 'migrated');
  t.teardown(() => database.close());
  const user = (name: string, more: object = {}) => ({
    email: `${name}@acme.example`,
    name,
    role: 'OWNER' as const,
    ...more,
  });
  const controlPlane = await startControlPlaneProcess({
    dataDir: path.join(dir, 'data'),
    port,
    ...(database.url !== undefined && { databaseUrl: database.url }),
    provision: provisionText({
      slug: 'acme',
      name: 'Acme',
      plan: 'UNLIMITED',
      users: [user('ada', { password: PASSWORD }), user('bob')],
      projects: [],
    }),
    env: {
      CARILLON_PUBLIC_URL: url,
      CARILLON_OIDC_ISSUER: idp.issuer,
      CARILLON_OIDC_CLIENT_ID: PROVIDER_CLIENT.clientId,
      CARILLON_OIDC_CLIENT_SECRET: PROVIDER_CLIENT.clientSecret,
      CARILLON_OIDC_NAME: 'Acme Login',
    },
  });
  t.teardown(() => controlPlane.stop('SIGTERM', 20_000));
  for (const name of ['ada', 'bob']) idp.accounts.set(name, { email: `${name}@acme.example`, email_verified: true });

  /** Faults of the pages; contacting the provider is no fault here. */
  const guest = async () => {
    const one = await visit(lab.browser, url);
    t.teardown(() => one.context.close());
    const faults = () => one.faults.filter((fault) => !fault.startsWith(`asked ${idp.issuer}/`));
    return { ...one, faults };
  };
  const forgetProofs = () => database.query(`update sessions set proved_at = now() - interval '2 hours'`);

  await t.test('a passkey: added, used, a proof, removed', async (t) => {
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
    await inside(page, 'ada');

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
    await inside(page, 'ada');
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
    t.same(faults(), []);
    await context.close();
  });

  await t.test('the provider: somebody without a password is in, and proves it there', async (t) => {
    const { page, context, faults } = await guest();
    idp.subject = 'bob';
    await page.goto('/account');
    await page.getByRole('button', { name: 'Log in through Acme Login' }).click();
    await inside(page, 'bob');
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
    await inside(page, 'ada');
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

const inside = (page: Page, name: string) => page.getByRole('button', { name: `${name}: account` }).waitFor();
async function logIn(page: Page): Promise<void> {
  await page.goto('/log-in');
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await inside(page, 'ada');
}
async function logOut(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `${name}: account` }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('E-mail').waitFor();
}
