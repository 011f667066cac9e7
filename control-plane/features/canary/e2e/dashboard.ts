/** A canary, by clicks: chosen before the start of a load, seen while it is awaited, and reported afterwards. */
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs, type EndedRun, runByClicks, runningRun } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { shows } from '../../../../scripts/e2e/dashboard/shows.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { barriersInBoth } from '../../../../scripts/peers/referees/chromium.ts';
import { startSipp } from '../../../../scripts/peers/sip/sipp.ts';

const canary: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const callee = await startSipp({ address: ownLoopback().address(63), scenario: { builtIn: 'uas' } });
  t.teardown(() => callee.stop('SIGKILL'));
  const at = new URL(lab.projectUrl).pathname;
  const ask = askAs(page);
  const trunk = { name: 'Trunk', uri: callee.uri.replace('callee@', ''), register: false };
  const { id: registrarId } = await ask('POST', `${at}/registrars`, trunk);
  const target = {
    registrarId,
    callee: { mode: 'EXTERNAL_URI', uri: callee.uri },
    placement: { mode: 'REGION', region: 'local' },
  };
  await ask('POST', `${at}/probes`, {
    ...{ name: 'Beside the load', enabled: false, fixedIntervalSec: 300, durationSeconds: 1 },
    test: { ...target, expectations: { toleratedFindings: ['NO_MEDIA'] } },
  });
  const { id: testId } = await ask('POST', `${at}/tests`, {
    ...{ name: 'All day', durationSeconds: 1, breaker: null },
    // Longer than a slow browser needs for what comes: the run is stopped then.
    load: { shape: 'CONCURRENCY', callsPerSecond: 4, seconds: 900 },
    groups: [
      {
        ...{ ...target, name: 'callers', mediaTracks: [] },
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2, calls: null }],
      },
    ],
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const region = page.getByRole('region', { name: 'Canary', exact: true });

  await t.test('chosen before the start, and waited for', async (t) => {
    await runningRun(ask, at, async () => {
      await page.goto(`${lab.projectUrl}/tests/${testId}`);
      await button('Run this test').click();
      await page.getByRole('combobox', { name: 'Canary', exact: true }).click();
      await page.getByRole('option', { name: 'Beside the load', exact: true }).click();
      t.same(await barriersInBoth(page), [], 'what a run sends, and its canary');
      const id = await runByClicks(page, () => button('Start run').click());
      // It says so only before the load starts; and not at all if a busy host prevents the run.
      const waits = region.getByText('The load starts after 3 executions');
      const isOver = async () => (await ask<EndedRun>('GET', `${at}/test-runs/${id}`)).endedAt !== null;
      await until('it waits for its canary', async () => (await waits.isVisible()) || isOver());
      return id;
    });
    await page.getByRole('region', { name: 'Load', exact: true }).waitFor();
    await button('Stop').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled').first().waitFor();
  });

  await t.test('reported afterwards', async (t) => {
    await shows(t, region, /Beside the load[\s\S]*(While the load was on|Too few values)[\s\S]*Executions \(\d+\)/);
    await region.getByText(/^Executions/).click();
    await region.getByRole('cell', { name: 'before the load' }).first().waitFor();
    t.same(await barriersInBoth(page), [], 'a run with a canary');
  });
};

export const DASHBOARD: DashboardOfFeature = { chapters: { canary } };
