/** From the link that the first start printed to a measured call, by clicks alone. */
import path from 'node:path';
import { startAgentProcess } from '../../peers/carillon.ts';
import { until } from '../../peers/process.ts';
import { type Chapter, PASSWORD, XSS } from './lab.ts';

export const newcomer: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(lab.controlPlane.output())?.[1]);
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
  lab.projectUrl = page.url();

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
    stateDir: path.join(lab.dir, 'agent'),
    joinToken: joinToken ?? '',
  });
  lab.stopLast(() => agent.stop('SIGTERM', 20_000));
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
  lab.runUrl = page.url();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.reload();
  await page.getByText('Completed').first().waitFor({ timeout: 60_000 });
  await page.getByText('No endpoint failed.').waitFor();
  await page.getByRole('region', { name: 'Verdict' }).waitFor();
  t.match(await page.getByRole('region', { name: 'Summary' }).innerText(), /Calls\s+4\s+4 good/);
};
