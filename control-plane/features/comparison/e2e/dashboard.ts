/** Runs compared by clicks: one that completed with one that was stopped, and by what was heard; the trend of a test. */
import { callsRun } from '../../../../scripts/e2e/dashboard/founded.ts';
import type { Chapter } from '../../../../scripts/e2e/dashboard/lab.ts';
import { askAs, endedRun, runningRun, startRun } from '../../../../scripts/e2e/dashboard/lab-data.ts';
import type { DashboardOfFeature } from '../../../../scripts/e2e/dashboard/of-features.ts';
import { shows } from '../../../../scripts/e2e/dashboard/shows.ts';
import { ownLoopback } from '../../../../scripts/peers/network/loopback.ts';
import { until } from '../../../../scripts/peers/process.ts';
import { barriers, barriersInBoth, chartsAreDrawn } from '../../../../scripts/peers/referees/chromium.ts';
import { BAD_BEHAVIOURS } from '../../../../scripts/peers/sip/behaving/behaviours.ts';
import { startBehavingPeer } from '../../../../scripts/peers/sip/behaving-peer.ts';

type Ended = { readonly endedAt: string | null };
type Calling = { readonly progress: { readonly phases: Readonly<Record<string, number>> } };

const comparison: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);
  const at = new URL(lab.projectUrl).pathname;
  const { id, url: runUrl } = await callsRun(t, lab);
  const { testId } = await ask<{ testId: string }>('GET', `${at}/test-runs/${id}`);
  const rowOf = (name: RegExp) => page.getByRole('row', { name });

  await t.test('runs are compared', async (t) => {
    await ask('PATCH', `${at}/tests/${testId}`, { durationSeconds: 300 });
    const stopped = await runningRun(ask, at, () => startRun(ask, at, testId));
    const run = `${at}/test-runs/${stopped.id}`;
    await until(
      'both ends of four calls',
      async () => (await ask<Calling>('GET', run)).progress.phases['INCALL'] === 8,
    );
    await ask('POST', `${run}/cancel`);
    await until('it has ended', async () => (await ask<Ended>('GET', run)).endedAt !== null);
    await page.goto(`${lab.projectUrl}/runs`);
    await page.getByRole('checkbox').first().waitFor();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await page.getByRole('button', { name: 'Compare 2 runs' }).click();
    await rowOf(/^durationSeconds/).waitFor();
    await shows(t, rowOf(/^durationSeconds/), /300\s+3/);
    await page.getByRole('img', { name: /^Set-up, p95 over time/ }).waitFor();
    t.ok((await chartsAreDrawn(page)) > 1, 'lines of the compared runs');
    await shows(t, rowOf(/^Set-up, p95/), /4 calls/);
    t.same(await barriers(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Swipe sideways to see all 2 runs.').first().waitFor();
    const far = await page.evaluate(`(() => {
      const box = document.querySelector('.side-by-side').closest('.scroll');
      box.scrollLeft = box.scrollWidth;
      const name = box.querySelector('tbody th');
      return [box.scrollLeft > 0, Math.round(name.getBoundingClientRect().left - box.getBoundingClientRect().left)];
    })()`);
    t.same(far, [true, 0], 'scrolled to the last run, the names of the rows are in sight');
    await page.setViewportSize({ width: 1360, height: 900 });
    // The other one was stopped.
    const told = page.getByRole('region', { name: /^Difference of / });
    await page.getByText(/only runs that completed are compared|No baseline/).waitFor();
    if ((await told.count()) > 0) await shows(t, told, /Not comparable/);
  });

  await t.test('with no other run, and over time', async (t) => {
    await page.goto(runUrl);
    await page.getByRole('button', { name: 'Compare with' }).click();
    await page.getByText('No other run of this test has completed.').waitFor();
    t.same(await barriersInBoth(page), []);
    await page.goto(`${lab.projectUrl}/runs`);
    await page.getByRole('combobox', { name: 'Test', exact: true }).click();
    await page.getByRole('option', { name: /^Calls/ }).click();
    // A busy host has made the completed run VOID: there may be nothing to draw.
    await page.getByRole('region', { name: 'Trend' }).getByText('oldest on the left').waitFor();
  });

  await t.test('by what was heard', async (t) => {
    const peer = await startBehavingPeer(ownLoopback().address(64), { silent: BAD_BEHAVIOURS['no-rtp'] });
    t.teardown(async () => peer.close());
    const uri = `sip:${peer.address}:${peer.port}`;
    const registrar = await ask('POST', `${at}/registrars`, { name: 'Behaving peer', uri, register: false });
    const groups = (expectations: object) => [
      {
        ...{ name: 'callers', registrarId: registrar.id, ...expectations },
        callee: { mode: 'EXTERNAL_URI', uri: peer.uri('silent') },
        placement: { mode: 'REGION', region: 'local' },
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 2 }],
      },
    ];
    const body = { name: 'Dead air', buildup: 1, durationSeconds: 4, groups: groups({}) };
    const test = await ask('POST', `${at}/tests`, body);
    const ended = () => endedRun(ask, at, () => startRun(ask, at, test.id));
    const failed = await ended();
    const tolerant = groups({ expectations: { toleratedFindings: ['NO_MEDIA'] } });
    await ask('PATCH', `${at}/tests/${test.id}`, { groups: tolerant });
    const tolerated = await ended();
    await page.goto(`${lab.projectUrl}/runs`);
    for (const run of [tolerated, failed])
      await rowOf(/Dead air/)
        .filter({ has: page.locator(`a[href$="${run.id}"]`) })
        .getByRole('checkbox')
        .check();
    await page.getByRole('button', { name: 'Compare 2 runs' }).click();
    const cells = async (name: RegExp) => (await rowOf(name).innerText()).replaceAll(/\s+/g, ' ');
    t.match(await cells(/^Good calls/), /100 %.* 0 %/);
    t.match(await cells(/^Heard both ways/), /0 %.*2 calls with audio/);
    t.match(await cells(/^No audio came \(callers\)/), /100 %.*2 answered calls 100 %/);
    t.match(await cells(/toleratedFindings/), /NO_MEDIA none/);
    t.same(await barriersInBoth(page), [], 'compared');
  });
};

export const DASHBOARD: DashboardOfFeature = {
  pages: { '/projects/$projectId/compare': 'Choose two to five runs' },
  pictured: {
    'project-compare-two': {
      address: ({ projectId, runId, failedRunId }) => `/projects/${projectId}/compare?runs=${runId},${failedRunId}`,
      ready: 'Difference',
      isInside: true,
    },
  },
  chapters: { comparison },
};
