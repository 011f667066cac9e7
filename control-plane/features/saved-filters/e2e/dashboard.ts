/** Filters of runs and of calls are saved under a name, opened and deleted. */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';

const NAME = 'Failed <b>today</b>';

const savedFilters: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const menu = page.getByRole('button', { name: 'Saved filters' });
  const inMenu = page.getByRole('dialog', { name: 'Saved filters' });
  for (const [list, query, other] of [
    ['runs', 'status=FAILED&label=branch%3Dmain%0Anightly&period=day', 'verdict=VOID'],
    ['calls', 'result=failed&number=%2B49+30', 'code=486'],
  ] as const) {
    await page.goto(`${lab.projectUrl}/${list}?${query}&page=2`);
    await menu.click();
    await inMenu.getByLabel('Save these filters as').fill(NAME);
    t.same(await barriersInBoth(page), []);
    await inMenu.getByRole('button', { name: 'Save', exact: true }).click();
    await inMenu.getByRole('button', { name: NAME, exact: true }).waitFor();
    await page.goto(`${lab.projectUrl}/${list}?${other}`);
    await menu.click();
    await inMenu.getByRole('button', { name: NAME, exact: true }).click();
    await page.waitForURL((url) => !url.search.includes(other));
    const opened = [...new URL(page.url()).searchParams].toSorted();
    t.same(opened, [...new URLSearchParams(query)].toSorted(), `${list}: the filters, and not the page`);
    await inMenu.waitFor({ state: 'detached' });
  }
  await menu.click();
  await inMenu.getByRole('button', { name: `Delete the filter ${NAME}` }).click();
  await inMenu.getByRole('button', { name: NAME, exact: true }).waitFor({ state: 'detached' });
  await page.goto(`${lab.projectUrl}/runs?status=FAILED`);
  await menu.click();
  await inMenu.getByRole('button', { name: NAME, exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await inMenu.waitFor({ state: 'detached' });
};

export const DASHBOARD: DashboardOfFeature = {
  chapters: { 'saved-filters': savedFilters },
  make: async (ask, at) => {
    await ask('POST', `${at}/saved-filters`, { list: 'RUNS', name: 'Failed today', query: 'status=FAILED&period=day' });
    await ask('POST', `${at}/saved-filters`, { list: 'RUNS', name: 'Void of main', query: 'verdict=VOID' });
    return {};
  },
  pictured: {
    'saved-filters': {
      address: ({ projectId }) => `/projects/${projectId}/runs?verdict=VALID`,
      ready: /of \d+ calls? good/,
      isInside: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'Saved filters' }).click();
        await page.getByLabel('Save these filters as').waitFor();
      },
    },
  },
};
