/**
 * Actions that a role may not do are not on its pages, and are refused; for each role, in a separate browser. A removed member
 * is logged out immediately; password guessing is blocked.
 */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Role } from '../../../control-plane/contract/roles.ts';
import { barriersInBoth, follow } from '../../peers/referees/chromium.ts';
import { callsTest, comeIn } from './founded.ts';
import { type Chapter, type DashboardLab, PASSWORD } from './lab.ts';
import { request } from './lab-data.ts';
import { OF_FEATURES, type RoleAction } from './of-features.ts';

const ROLES = ['VIEWER', 'TESTER', 'EDITOR', 'ADMIN'] as const;
const RANK: readonly Role[] = [...ROLES, 'OWNER'];

const ACTIONS: readonly RoleAction[] = [
  ['/', 'New project', 'ADMIN', 'POST', '/projects'],
  ['…/tests', /^Run Calls/, 'TESTER', 'POST', '…/tests/no-such-test/run'],
  ['…/tests', 'New test', 'EDITOR', 'POST', '…/tests'],
  ['…/tests', 'Delete', 'EDITOR', 'DELETE', '…/tests/no-such-test'],
  ['…/registrars', 'New registrar', 'EDITOR', 'POST', '…/registrars'],
  ['…/probes/maintenance', 'Plan maintenance', 'EDITOR', 'POST', '…/maintenance-windows'],
  ['…/settings', 'Save', 'ADMIN', 'PATCH', '…'],
  ['/workers', 'Enroll an agent', 'ADMIN', 'POST', '/workers'],
  ['/workers', 'Revoke', 'ADMIN', 'DELETE', '/workers/no-such-worker'],
  ['/organization', 'Delete the organization', 'OWNER', 'PATCH', '/organization'],
  ...OF_FEATURES.flatMap(({ actions = [] }) => actions),
];
/** In the navigation, and the requests of their pages. */
const PLACES: readonly (readonly [name: string, least: Role, path: string])[] = [
  ['Members', 'ADMIN', '/members'],
  ['API keys', 'EDITOR', '/api-keys'],
  ['Audit log', 'ADMIN', '/audit-entries'],
  ['Mail', 'ADMIN', '…/mail'],
  ['Webhooks', 'ADMIN', '…/webhooks'],
];

export const roles: Chapter = async (t, lab) => {
  await callsTest(lab);
  await t.test('each role', (t) =>
    Promise.all(
      ROLES.map(async (role) => {
        const guest = await comeIn(lab, role, role);
        await isHeldTo(t, lab, guest.page, role);
        await guest.context.close();
      }),
    ),
  );
  await t.test('invited by a link, removed at once, shut out', (t) => comesAndGoes(t, lab));
};

async function isHeldTo(t: Test, lab: DashboardLab, page: Page, role: Role): Promise<void> {
  const project = new URL(lab.projectUrl).pathname;
  const may = (least: Role) => RANK.indexOf(role) >= RANK.indexOf(least);
  let shown = '';
  for (const [where, name, least, method, path] of ACTIONS) {
    const address = where.replace('…', project);
    if (shown === '') await page.goto(address);
    else if (address !== shown) await follow(page, address);
    shown = address;
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    const suggested = page.getByRole('main').getByRole('button', { name }).or(page.getByRole('link', { name }));
    if (may(least)) await suggested.first().waitFor();
    else t.equal(await suggested.count(), 0, `${role} is not suggested ${name}`);
    if (may(least)) continue;
    const { status } = await request(page, method, path.replace('…', project));
    t.equal(status, 403, `${role} is refused ${method} ${path}`);
  }
  await follow(page, project);
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const [name, least, path] of PLACES) {
    const place = page.getByRole('link', { name, exact: true });
    if (may(least)) await place.waitFor();
    else t.equal(await place.count(), 0, `${role}: ${name}`);
    const { status } = await request(page, 'GET', path.replace('…', project));
    t.equal(status, may(least) ? 200 : 403, `${role}: GET ${path}`);
  }
}

async function comesAndGoes(t: Test, lab: DashboardLab): Promise<void> {
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
  await guest.page.getByLabel('Your name').waitFor();
  t.same(await barriersInBoth(guest.page), [], 'invitation');
  await guest.page.getByLabel('Your name').fill('Grace');
  await guest.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await guest.page.getByRole('heading', { name: 'Projects' }).waitFor();

  await page.goto('/members');
  await page.getByRole('row', { name: /Grace/ }).getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('grace@acme.example').waitFor({ state: 'detached' });
  await guest.page.getByRole('heading', { name: 'Log in' }).waitFor();
  t.pass('the session of a removed member ends, and the page says so by itself');
  await guest.page.getByLabel('E-mail').fill('grace@acme.example');
  const shutOut = guest.page.getByText('Too many failed attempts');
  // Ten in a quarter of an hour by the clock, which may end in between.
  for (let n = 0; n < 22 && !(await shutOut.isVisible()); n++) {
    await guest.page.getByRole('textbox', { name: 'Password' }).fill(`guess ${n}`);
    const answer = guest.page.waitForResponse(/\/entrance\/log-in$/);
    await guest.page.getByRole('button', { name: 'Log in' }).click();
    await answer;
    await guest.page.getByRole('alert').waitFor();
  }
  await shutOut.waitFor();
  await guest.context.close();
}
