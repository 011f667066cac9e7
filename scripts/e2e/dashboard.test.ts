/**
 * The dashboard in a real browser, by clicks alone: from the link that the start printed to the cause of a call; what a role
 * does not see; what a stranger's text may not do. Of every page: nothing is asked of other hosts, the content security policy
 * is kept, and axe-core finds no serious barrier, in light and in dark.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { buildDashboard } from '../build-dashboard.ts';
import { startAgentProcess, startControlPlaneProcess } from '../peers/carillon.ts';
import { barriers, startChromium, visit } from '../peers/chromium.ts';
import { openLabDatabase } from '../peers/lab-database.ts';
import { until } from '../peers/process.ts';

const PASSWORD = 'correct horse battery';
const XSS = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';

await buildDashboard();
const dir = await mkdtemp('/tmp/carillon-dashboard-');
await chmod(dir, 0o711);
t.teardown(() => rm(dir, { recursive: true, force: true }));
const database = await openLabDatabase(path.join(dir, 'data'), 'given');
const controlPlane = await startControlPlaneProcess({
  dataDir: path.join(dir, 'data'),
  ...(database.url && { databaseUrl: database.url }),
});
const browser = await startChromium();
/** Agents of tests that are over go on calling. */
const stops: (() => Promise<unknown>)[] = [];
t.teardown(async () => {
  for (const stop of stops) await stop();
  await browser.close();
  await controlPlane.stop('SIGTERM', 20_000);
  await database.close();
});
const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(controlPlane.output())?.[1]);
const owner = await visit(browser, controlPlane.url);
const faults = [owner.faults];
let projectUrl = '';
let runUrl = '';

t.test('from the printed link to a measured call, by clicks alone', async (t) => {
  const { page } = owner;
  await page.goto(link);
  await page.getByLabel('Organization').fill(`Acme ${XSS}`);
  await page.getByLabel('Your name').fill(`Ada ${XSS}`);
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account' }).click();

  await page.getByRole('button', { name: 'Make your first project' }).click();
  await page.getByLabel('Name').fill(XSS);
  await page.getByRole('button', { name: 'Make the project' }).click();
  await page.getByRole('heading', { name: XSS }).waitFor();
  projectUrl = page.url();

  await page.getByRole('link', { name: 'Enrol an agent' }).click();
  await page.getByRole('button', { name: 'Enrol an agent' }).click();
  await page.getByLabel('Name').fill('berlin-1');
  await page.getByRole('button', { name: 'Make the join token' }).click();
  const command = await page.locator('pre').innerText();
  const [, url, joinToken] =
    /^CARILLON_URL=(ws\S+)\/agent\/v1 CARILLON_JOIN_TOKEN=(\S+) npm run agent$/.exec(command) ?? [];
  t.ok(joinToken, command);
  const agent = await startAgentProcess({
    url: (url ?? '').replace(/^ws/, 'http'),
    stateDir: path.join(dir, 'agent'),
    joinToken: joinToken ?? '',
  });
  stops.push(() => agent.stop('SIGTERM', 20_000));
  await page.getByText('The agent is online').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.goBack();
  await page.getByRole('link', { name: 'Make a test' }).click();
  await page.getByLabel('Name').fill(`Calls ${XSS}`);
  await page.getByRole('textbox', { name: 'Calls', exact: true }).fill('4');
  await page.getByRole('textbox', { name: 'Spread over, seconds' }).fill('1');
  await page.getByRole('textbox', { name: 'A call lasts, seconds' }).fill('3');
  await page.getByText('4 at the same time').waitFor();
  await page.getByText('Room: 8 of').waitFor();
  await page.getByRole('button', { name: 'Make the test' }).click();

  await page.getByRole('button', { name: /^Run Calls/ }).click();
  await page.getByText('Calls started').waitFor();
  runUrl = page.url();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.reload();
  await page.getByText('Completed').first().waitFor({ timeout: 60_000 });
  await page.getByText('No endpoint failed.').waitFor();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  t.match(await page.getByRole('region', { name: 'Summary' }).innerText(), /Calls\s+4\s+4 good/);
  t.ok((await page.getByRole('img', { name: /^MOS over time/ }).count()) > 0, 'MOS is drawn');

  await page.getByRole('link', { name: 'Caller' }).first().click();
  await page.getByRole('button', { name: /^Sent .* INVITE$/ }).click();
  await page.getByRole('dialog').getByText('CSeq:', { exact: false }).first().waitFor();
  t.match(await page.getByRole('dialog').innerText(), /INVITE sip:.*\s+Via: SIP\/2\.0\/UDP/);
});

t.test('a run is stopped from its page', async (t) => {
  const { page } = owner;
  await page.goto(`${projectUrl}/tests`);
  await page.getByRole('link', { name: /^Calls/ }).click();
  await page.getByRole('textbox', { name: 'A call lasts, seconds' }).fill('300');
  await page.getByRole('button', { name: 'Save the test' }).click();
  await page.getByRole('button', { name: /^Run Calls/ }).click();
  await page.getByText('In call', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Cancelled').first().waitFor();
  t.pass('cancelled');
});

t.test('who is invited sees what the role may, and no more', async (t) => {
  const { page } = owner;
  await page.goto('/members');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail').fill('grace@acme.example');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Viewer/ }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const invitation = await page.locator('pre').innerText();

  const guest = await visit(browser, controlPlane.url, 'dark');
  faults.push(guest.faults);
  await guest.page.goto(invitation);
  await guest.page.getByLabel('Your name').fill('Grace');
  await guest.page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Accept' }).click();
  await guest.page.getByRole('heading', { name: 'Projects' }).waitFor();
  t.equal(await guest.page.getByRole('button', { name: 'New project' }).count(), 0);
  await guest.page.goto(`${projectUrl}/tests`);
  await guest.page.getByRole('link', { name: /^Calls/ }).waitFor();
  for (const name of ['New test', 'Run', 'Delete']) {
    t.equal(await guest.page.getByRole('button', { name }).count(), 0, `no ${name}`);
  }
  t.equal(await guest.page.getByRole('link', { name: 'Members' }).count(), 0);

  await owner.page.goto('/members');
  await owner.page.getByRole('row', { name: /Grace/ }).getByRole('button', { name: 'Remove' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await owner.page.getByText('grace@acme.example').waitFor({ state: 'detached' });
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
});

t.test('every page: no barrier, in light and in dark', async (t) => {
  const { page } = owner;
  const pages: [string, string | RegExp][] = [
    ['/', 'Projects'],
    [projectUrl, 'Last runs'],
    [`${projectUrl}/tests`, /Calls/],
    [`${projectUrl}/tests/new`, 'What it will be'],
    [`${projectUrl}/runs`, /Completed/],
    [runUrl, 'SIP responses'],
    [`${projectUrl}/registrars`, 'built in'],
    [`${projectUrl}/media`, 'No media file yet'],
    [`${projectUrl}/probes`, 'No probe yet'],
    [`${projectUrl}/settings`, 'Delete this project'],
    ['/workers', 'berlin-1'],
    ['/members', 'ada@acme.example'],
    ['/api-keys', 'No API key yet'],
    ['/audit-log', 'create project'],
    ['/account', 'Where you are logged in'],
  ];
  for (const [address, text] of pages) {
    await page.goto(address);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.getByText(text).first().waitFor();
      t.same(await barriers(page), [], `${address.replace(projectUrl, '…')}, ${colorScheme}`);
    }
  }
});

t.test('an API key is shown once, and works', async (t) => {
  const { page } = owner;
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByLabel('Name').fill('pipeline');
  await page.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.locator('pre').innerText();
  const answer = await fetch(`${controlPlane.url}/api/v1/projects`, { headers: { authorization: `Bearer ${key}` } });
  t.equal(answer.status, 200);
  await page.reload();
  t.notOk((await page.content()).includes(key), 'not again');
});

t.test('what the browser was told, and what it never did', async (t) => {
  const page = await fetch(controlPlane.url, { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';
  t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{20,}'/);
  t.notMatch(policy, /unsafe/);
  t.equal(page.headers.get('cache-control'), 'no-cache');
  const text = await page.text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
  t.match((await fetch(controlPlane.url + script)).headers.get('cache-control'), /immutable/);
  t.equal((await fetch(`${controlPlane.url}/api/v1/nothing`, { headers: { accept: 'text/html' } })).status, 404);
  t.same(faults.flat(), []);
});
