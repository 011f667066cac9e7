/**
 * From the link that the first start printed to a measured call, only by clicks that the pages suggest; the agent is started
 * with the command that the page shows. No PBX: agents call each other.
 */

import { until } from '../../peers/process.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { type Chapter, PASSWORD, XSS } from './lab.ts';
import { shows } from './shows.ts';

export const newcomer: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(lab.controlPlane.output())?.[1]);
  await page.goto(link);
  await page.getByLabel('Organization').waitFor();
  t.same(await barriersInBoth(page), [], 'set-up');
  await page.getByLabel('Organization').fill(`Acme ${XSS}`);
  await page.getByLabel('Your name').fill(`Ada ${XSS}`);
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByRole('button', { name: 'Create your first project' }).click();
  // Units have a cheaper one.
  const [account] = await lab.database.query<{ hash: string }>('select password_hash as hash from users');
  t.match(account?.hash, /^scrypt\$32768\$8\$3\$/, 'a guess costs what it should');
  await page.getByLabel('Name').fill(XSS);
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { name: XSS }).waitFor();
  lab.projectUrl = page.url();

  await page.getByRole('link', { name: 'Enroll an agent' }).click();
  await page.getByRole('button', { name: 'Enroll an agent' }).click();
  await page.getByLabel('Name').fill('berlin-1');
  await page.getByRole('button', { name: 'Create join token' }).click();
  await page
    .getByRole('timer')
    .getByText(/good for 1[45]:\d\d/)
    .waitFor();
  for (const [way, command] of [
    ['npm package', /^npm install -g \.\/carillon-agent-[\d.]+\.tgz\ncarillon-agent enroll --url ws\S+ --token \S+\n/],
    ['Single file', /\.\/carillon-agent-linux-x64 enroll --url ws/],
    ['systemd', /systemctl enable --now carillon-agent$/],
  ] as const) {
    await page.getByRole('tab', { name: way }).click();
    await shows(t, page.locator('pre'), command, way);
  }
  await page.getByRole('tab', { name: 'Checkout' }).click();
  await lab.startShownAgent(await page.locator('pre').innerText());
  await page.getByText('The agent is online').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('link', { name: 'Back to' }).click();
  await page.getByRole('link', { name: 'Create a test' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Calls ${XSS}`);
  await page.getByRole('textbox', { name: 'Calls', exact: true }).fill('4');
  await page.getByRole('textbox', { name: 'Spread over, seconds' }).fill('1');
  await page.getByRole('textbox', { name: 'Call duration, seconds' }).fill('3');
  await page.getByText('4 at the same time').waitFor();
  await page.getByText('Room: 8 of').waitFor();
  await page.getByRole('button', { name: 'Create test' }).click();

  await page.getByRole('button', { name: /^Run Calls/ }).click();
  await page.getByText('Only to endpoints of the test.').waitFor();
  await page.getByRole('button', { name: 'Start run' }).click();
  await page.getByText('Calls started').waitFor();
  lab.runUrl = page.url();
  // On a slow host the calls are over before the page has drawn it.
  await page.getByRole('button', { name: 'Stop' }).or(page.getByText('Completed')).first().waitFor();
  await page.reload();
  await page.getByText('Completed').first().waitFor({ timeout: 60_000 });
  await page.getByText('No endpoint failed.').waitFor();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  await shows(t, page.getByRole('region', { name: 'Summary' }), /Calls\s+4\s+4 answered/);
  await shows(t, page.getByRole('region', { name: 'What callers heard' }), /4 calls\s+4 good\s+Good calls\s+4 of 4/);
};
