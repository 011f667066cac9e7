/** What a person does on the pages of the dashboard. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../../../peers/process.ts';
import type { Effort } from './effort.ts';

export const PASSWORD = 'violet-Tractor-93-lamp';
const PROJECT = 'Lab';
const TRUNK = 'Carrier A';

export async function setUp(effort: Effort, page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Organization').waitFor();
  await effort.look(page, 'set-up');
  await effort.fill(page.getByLabel('Organization'), 'Acme Telecom');
  await effort.fill(page.getByLabel('Your name'), 'Ada');
  await effort.fill(page.getByLabel('E-mail'), 'ada@acme.example');
  await effort.fill(page.getByRole('textbox', { name: 'Password' }), PASSWORD);
  await effort.click(page.getByRole('button', { name: 'Create account' }));
  await page.getByRole('button', { name: 'Create your first project' }).waitFor();
  await effort.look(page, 'first-home');
  await effort.click(page.getByRole('button', { name: 'Create your first project' }));
  await effort.fill(page.getByLabel('Name'), PROJECT);
  await effort.click(page.getByRole('button', { name: 'Create project' }));
  await page.getByRole('link', { name: 'Enroll an agent' }).waitFor();
  await effort.look(page, 'project');
}

export async function enroll(effort: Effort, page: Page, name: string, install: (commands: string) => void) {
  if ((await page.getByRole('link', { name: 'Enroll an agent' }).count()) > 0)
    await effort.click(page.getByRole('link', { name: 'Enroll an agent' }));
  await effort.click(page.getByRole('button', { name: 'Enroll an agent' }).first());
  await effort.look(page, 'enroll');
  await effort.fill(page.getByLabel('Name'), name);
  await effort.click(page.getByRole('button', { name: 'Create join token' }));
  await page.getByText('Waiting for the agent').waitFor();
  // The control plane has the certificate of an authority of one's own.
  await page.getByText('--ca FILE').waitFor();
  await effort.look(page, 'token');
  install(await page.locator('pre').innerText());
  await page.getByText('The agent is online').waitFor();
  await effort.look(page, 'online');
  await effort.click(page.getByRole('button', { name: 'Done' }));
}

/** A trunk without registrations. */
export async function makeTrunk(effort: Effort, page: Page, address: string): Promise<void> {
  await effort.click(page.getByRole('link', { name: /^Back to/ }));
  await effort.look(page, 'project-with-agents');
  await effort.click(page.getByRole('link', { name: 'Registrars' }));
  await effort.click(page.getByRole('button', { name: 'New registrar' }));
  await effort.look(page, 'trunk');
  await effort.fill(page.getByLabel('Name'), TRUNK);
  await effort.fill(page.getByLabel('SIP address'), address);
  await effort.click(page.getByRole('radio', { name: /^Trunk/ }));
  await effort.click(page.getByRole('button', { name: 'Create registrar' }));
  await effort.click(page.getByRole('link', { name: TRUNK }));
  await effort.look(page, 'trunk-page');
  await effort.click(page.getByRole('button', { name: 'Check now' }));
  await page.getByText('Reachable').waitFor();
  await effort.look(page, 'trunk-checked');
}

/** A test by a template, and its run to the end. */
export async function runFirstTest(effort: Effort, page: Page, address: string): Promise<void> {
  await effort.click(page.getByRole('link', { name: 'Tests', exact: true }).first());
  await effort.look(page, 'tests');
  await effort.click(page.getByRole('main').getByRole('link', { name: 'New test' }).first());
  await page.getByRole('button', { name: /^Trunk load/ }).waitFor();
  await effort.look(page, 'new-test');
  await effort.click(page.getByRole('button', { name: /^Trunk load/ }));
  await effort.fill(page.getByRole('textbox', { name: 'Name', exact: true }), 'Evening load');
  await effort.choose(page, 'Registrar or trunk', TRUNK);
  await effort.fill(page.getByRole('textbox', { name: 'Address' }), address);
  await effort.fill(page.getByRole('textbox', { name: 'Seconds', exact: true }), '20');
  await effort.look(page, 'new-test-filled');
  await effort.click(page.getByRole('button', { name: 'Create test' }));
  await page.getByRole('button', { name: /^Run/ }).first().waitFor();
  await effort.look(page, 'test');
  await effort.click(page.getByRole('button', { name: /^Run/ }).first());
  await page.getByRole('button', { name: 'Start run' }).waitFor();
  await effort.look(page, 'start-run');
  await effort.click(page.getByRole('button', { name: 'Start run' }));
  await page.getByText('Calls started').waitFor();
  await effort.look(page, 'run-live');
  await page
    .getByRole('region', { name: 'Verdict' })
    .getByText(/calls good$/)
    .waitFor();
  await effort.look(page, 'run');
}

/** From the page of a run with failed calls: the call, the message that refused it, and the file for Wireshark. */
export async function readFailedCall(effort: Effort, page: Page): Promise<void> {
  await effort.click(page.getByRole('region', { name: 'Failures' }).getByRole('link', { name: 'Example 1' }));
  await page.getByText('Q.850 cause 34').first().waitFor();
  await effort.look(page, 'failed-call');
  await effort.click(page.getByRole('button', { name: /503/ }).first());
  await page.getByRole('dialog').getByText('Group 7 has no free circuit').first().waitFor();
  await effort.look(page, 'message');
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download', { timeout: 0 });
  await effort.click(page.getByRole('link', { name: 'Download pcapng' }));
  await (await download).delete();
}

/** Executes the probe until its page shows this: a disturbed agent grades nothing. */
async function runUntil(effort: Effort, page: Page, wanted: Locator): Promise<void> {
  const judged = page
    .getByRole('region', { name: 'Executions' })
    .getByRole('row')
    .filter({ hasText: /Healthy|Degraded|Unhealthy|Unknown/ });
  const newest = async () => ((await judged.count()) > 0 ? judged.first().innerText() : '');
  while ((await wanted.count()) === 0) {
    const before = await newest();
    await effort.click(page.getByRole('button', { name: 'Run now' }));
    await until('it is judged', async () => (await wanted.count()) > 0 || (await newest()) !== before);
  }
}

export async function makeProbe(effort: Effort, page: Page, address: string): Promise<void> {
  await effort.click(page.getByRole('link', { name: 'Probes', exact: true }).first());
  await effort.look(page, 'probes');
  await effort.click(page.getByRole('main').getByRole('link', { name: 'New probe' }).first());
  await effort.fill(page.getByRole('textbox', { name: 'Name', exact: true }), 'Hotline');
  await effort.choose(page, 'Via', TRUNK);
  await effort.fill(page.getByRole('textbox', { name: 'Address' }), address);
  await effort.look(page, 'new-probe');
  await effort.click(page.getByRole('button', { name: 'Create probe' }));
  await page.getByRole('button', { name: 'Run now' }).waitFor();
  await runUntil(effort, page, page.getByRole('row').filter({ hasText: /Healthy/ }));
  await effort.look(page, 'probe-healthy');
}

/** @returns the secret of the signatures */
export async function makeWebhook(effort: Effort, page: Page, address: string): Promise<string> {
  await effort.click(page.getByRole('link', { name: 'Webhooks' }));
  await effort.click(page.getByRole('button', { name: 'New webhook' }));
  await effort.fill(page.getByLabel('Address'), address);
  await effort.look(page, 'new-webhook');
  await effort.click(page.getByRole('button', { name: 'Create webhook' }));
  const secret = await page.locator('pre').innerText();
  await effort.look(page, 'webhook-secret');
  await effort.click(page.getByRole('button', { name: 'Done' }));
  return secret.trim();
}

/** The carrier is gone. */
export async function breakTarget(effort: Effort, page: Page): Promise<void> {
  await effort.click(page.getByRole('link', { name: 'Probes', exact: true }).first());
  await effort.click(page.getByRole('main').getByRole('link', { name: 'Hotline' }).first());
  await runUntil(effort, page, page.getByRole('link', { name: 'The open incident' }));
  await effort.look(page, 'probe-unhealthy');
}

/** @param link that of the message; following it is a click */
export async function acknowledge(effort: Effort, page: Page, link: string): Promise<void> {
  effort.counts({ clicks: 1 });
  await page.goto(link);
  await page.getByRole('heading', { name: 'Incident of Hotline' }).waitFor();
  await effort.look(page, 'incident');
  await effort.click(page.getByRole('button', { name: 'Acknowledge' }));
  const dialog = page.getByRole('dialog');
  await effort.fill(dialog.getByRole('textbox', { name: 'Note' }), 'The carrier knows. Ticket 4711');
  await effort.look(page, 'acknowledging');
  await effort.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  await page.getByRole('region', { name: 'Acknowledgement' }).getByText('Ticket 4711').waitFor();
  await effort.look(page, 'acknowledged');
}

/** @returns the link of its first owner */
export async function makeCustomer(effort: Effort, page: Page): Promise<string> {
  await effort.click(page.getByRole('link', { name: 'Customers' }));
  await page.getByText('runs this installation').waitFor();
  await effort.look(page, 'customers');
  await effort.click(page.getByRole('button', { name: 'New customer' }));
  await effort.fill(page.getByLabel('Name of the organization'), 'Northwind');
  await effort.fill(page.getByLabel('E-mail of the first owner'), 'nora@northwind.example');
  await effort.look(page, 'new-customer');
  await effort.click(page.getByRole('button', { name: 'Create', exact: true }));
  const link = await page.locator('pre').innerText();
  await effort.look(page, 'customer-link');
  await effort.click(page.getByRole('button', { name: 'Done' }));
  return link;
}

/** The owner of the other organization comes in, and logs in again later. */
export async function comeIn(effort: Effort, page: Page, link: string): Promise<void> {
  await page.goto(link);
  await effort.fill(page.getByLabel('Your name'), 'Nora');
  await effort.fill(page.getByRole('textbox', { name: 'Password' }), PASSWORD);
  await effort.look(page, 'invited');
  await effort.click(page.getByRole('button', { name: 'Accept' }));
  await page.getByText(/^Welcome/).waitFor();
  await effort.look(page, 'northwind');
  if ((await page.getByText(PROJECT, { exact: true }).count()) > 0) throw new Error('one customer sees another');
  await effort.click(page.getByRole('button', { name: /: account$/ }));
  await effort.click(page.getByRole('menuitem', { name: 'Log out' }));
  await effort.fill(page.getByLabel('E-mail'), 'nora@northwind.example');
  await effort.fill(page.getByRole('textbox', { name: 'Password' }), PASSWORD);
  await effort.look(page, 'log-in');
  await effort.click(page.getByRole('button', { name: 'Log in', exact: true }));
  await page.getByText(/^Welcome/).waitFor();
}

/** @returns the key */
export async function makeKey(effort: Effort, page: Page): Promise<string> {
  await effort.click(page.getByRole('link', { name: 'API keys' }));
  await effort.click(page.getByRole('button', { name: 'New API key' }).first());
  await effort.fill(page.getByLabel('Name'), 'pipeline');
  await effort.look(page, 'new-key');
  await effort.click(page.getByRole('dialog').getByRole('button', { name: /^Create/ }));
  const key = await page.locator('pre').innerText();
  await effort.look(page, 'key');
  await effort.click(page.getByRole('button', { name: 'Done' }));
  return key.trim();
}
