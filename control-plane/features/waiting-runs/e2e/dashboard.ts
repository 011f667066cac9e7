/** A run that waits, by clicks: asked for before the start, seen while it waits, and started by the agent that comes. */
import { callsTest, joinAgent } from '../../../../scripts/e2e/dashboard/founded.ts';
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs, runByClicks } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { shows } from '../../../../scripts/e2e/dashboard/shows.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';

const waits: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const region = page.getByRole('region', { name: 'Agents', exact: true });
  await page.goto(`${lab.projectUrl}/tests/${await callsTest(lab)}`);
  await button('Run this test').click();
  await page.getByRole('checkbox', { name: 'Wait for agents' }).check();
  await page.getByRole('textbox', { name: 'Agents' }).fill('2');
  await page.getByRole('textbox', { name: 'For at most' }).fill('3600');
  t.same(await barriersInBoth(page), [], 'the fields of a wait');
  await runByClicks(page, () => page.getByRole('button', { name: /^Start / }).click());
  await shows(t, region, /Waiting for 2 agents: 1 is there/);
  t.same(await barriersInBoth(page), [], 'a run that waits');
  const workerId = await joinAgent(lab, ask, 'berlin-2');
  t.teardown(async () => {
    await lab.endAgent('berlin-2');
    await ask('DELETE', `/workers/${workerId}`);
  });
  await region.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^(Stop|Run again)$/ }).waitFor();
};

export const DASHBOARD: DashboardOfFeature = { chapters: { waits } };
