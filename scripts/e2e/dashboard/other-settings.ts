/** A control plane of its own for a chapter that needs other settings: with its users, and guests in browsers. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { provisionText } from '../../peers/lab/provision.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { type Visit, visit } from '../../peers/referees/chromium.ts';
import { type DashboardLab, PASSWORD } from './lab.ts';

export type OtherInstallation = {
  /** In another browser profile, until the test ends. */
  guest(): Promise<Visit>;
  /** Whoever is logged in has to confirm their identity again. */
  forgetProofs(): Promise<unknown>;
};

/** Its owners are ada, who has the password of all, and bob, who has none. `settings`: by its address; all of it ends with `t`. */
export async function openWithSettings(
  t: Test,
  lab: DashboardLab,
  settings: (url: string) => Promise<Readonly<Record<string, string>>>,
): Promise<OtherInstallation> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-other-settings-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o711);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { CARILLON_PUBLIC_URL: url, ...(await settings(url)) };
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
    env,
  });
  t.teardown(() => controlPlane.stop('SIGTERM', 20_000));
  return {
    async guest() {
      const one = await visit(lab.browser, url);
      t.teardown(() => one.context.close());
      return one;
    },
    forgetProofs: () => database.query(`update sessions set proved_at = now() - interval '2 hours'`),
  };
}

export const isInside = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name: `${name}: account` }).waitFor();

/** As ada. */
export async function logIn(page: Page): Promise<void> {
  await page.goto('/log-in');
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await isInside(page, 'ada');
}

export async function logOut(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `${name}: account` }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('E-mail').waitFor();
}
