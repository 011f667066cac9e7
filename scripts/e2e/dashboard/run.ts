/** A run's page: live, stopped, ended, downloaded; from there to one endpoint and its messages. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { until } from '../../peers/process.ts';
import { barriers, barriersInBoth, chartsAreDrawn } from '../../peers/referees/chromium.ts';
import { callsRun } from './founded.ts';
import { type Chapter, type DashboardLab, XSS } from './lab.ts';
import { askAs, endedRun, runByClicks, runningRun } from './lab-data.ts';
import { shows } from './shows.ts';

export const run: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const ask = askAs(page);
  const at = new URL(lab.projectUrl).pathname;
  const { url: runUrl, validity } = await callsRun(t, lab);

  await t.test('from what was measured to one message', async (t) => {
    await page.goto(runUrl);
    // A busy host, by which a run is void, has made faults of its own.
    if (validity?.verdict !== 'VOID') await page.getByText('No endpoint failed.').waitFor();
    const shown = (name: string) =>
      page
        .getByRole('img', { name: `${name} over time` })
        .first()
        .waitFor();
    for (const name of ['Calls', 'Calls at once', 'Set-up', 'MOS (NB)', "Agents' own noise"]) await shown(name);
    t.equal(
      await page.getByRole('img', { name: /^(Packet loss|Final responses) over time/ }).count(),
      0,
      'few at first',
    );
    await page.getByRole('button', { name: 'More charts' }).click();
    for (const name of ['Final responses', 'Packet loss', 'Jitter']) await shown(name);
    await page.getByRole('img', { name: /^Set-up over time[\s\S]*p95: last [\d.]+/ }).waitFor();
    t.ok((await chartsAreDrawn(page)) > 5, 'every chart has a line after a cold load');
    await crosshair(lab, t);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('combobox', { name: 'Kind of event' }).click();
    await page.getByRole('option', { name: 'Status' }).click();
    await page.getByRole('cell', { name: 'COMPLETED' }).waitFor();
    await page.getByRole('tab', { name: 'SIP messages' }).click();
    await page.getByLabel('Text of SIP messages').fill('application/sdp');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/mtext=application/);
    await page.getByRole('button', { name: 'INVITE', exact: true }).first().click();
    await page.getByRole('dialog').getByText('m=audio').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Callers' }).click();
    await page.waitForURL(/type=CALLER/);
    await page.reload();
    await page.getByText('4 endpoints', { exact: true }).waitFor();
    t.same(await barriers(page), []);
    await page.getByRole('link', { name: 'Caller' }).first().click();
    await page.getByRole('button', { name: /^Sent .* INVITE$/ }).click();
    await page.getByRole('dialog').getByText('CSeq:', { exact: false }).first().waitFor();
    await shows(t, page.getByRole('dialog'), /INVITE sip:.*\s+Via: SIP\/2\.0\/UDP/);
    await page.getByRole('button', { name: 'Copy the message' }).click();
    await page.getByRole('button', { name: 'the message copied' }).waitFor();
  });

  await t.test('calls are found by what people have in hand, and one leads to the next', async (t) => {
    await page.goto(runUrl);
    const list = page.getByRole('region', { name: 'Endpoints, events and messages' });
    await list.getByText('8 endpoints', { exact: true }).waitFor();
    const row = list.getByRole('row', { name: /^Caller 0/ });
    await shows(t, row, /\d\d:\d\d:\d\d\.\d{3}\s+\d{4}-\d\d-\d\d/);
    const callId = (await row.locator('.call-id').getAttribute('title')) ?? '';
    await list.getByRole('textbox', { name: 'Call-ID' }).fill(` ${callId}`);
    await page.keyboard.press('Enter');
    // Both ends of the call are endpoints of the run.
    await list.getByText(/^[12] endpoints?$/).waitFor();
    t.equal(new URL(page.url()).searchParams.get('callId'), callId);
    await list.getByRole('textbox', { name: 'Number called' }).fill('nobody%');
    await page.keyboard.press('Enter');
    await list.getByText('No matching endpoint').waitFor();

    await page.goto(`${runUrl}?type=CALLER&order=number`);
    await list.getByText('4 endpoints', { exact: true }).waitFor();
    await list.getByRole('link', { name: 'Caller 0' }).click();
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    const place = page.getByRole('group', { name: 'Calls of the list' });
    await heading('Caller 0');
    await place.getByText('1 of 4').waitFor();
    t.ok(await place.getByRole('button', { name: 'Previous' }).isDisabled());
    await page.keyboard.press('j');
    await heading('Caller 1');
    await place.getByText('2 of 4').waitFor();
    await place.getByRole('link', { name: 'Next' }).click();
    await heading('Caller 2');
    await place.getByText('3 of 4').waitFor();
    await page.reload();
    await place.getByText('3 of 4').waitFor();
    t.same(await barriers(page), []);
    await page.keyboard.press('k');
    await heading('Caller 1');
    await page.getByRole('link', { name: 'The run' }).click();
    await page.waitForURL(/type=CALLER&order=number$/);
  });

  await t.test('calls are found over all runs', async (t) => {
    await page.goto(`${lab.projectUrl}/runs`);
    await page.getByRole('link', { name: 'Search calls' }).click();
    await page.getByText('8 calls, last first.').waitFor();
    const id = (await page.locator('.call-id').first().getAttribute('title')) ?? '';
    await page.getByRole('textbox', { name: 'Call-ID' }).fill(id);
    await page.keyboard.press('Enter');
    await page.getByText(/^[12] calls?, last first\./).waitFor();
    await page.reload();
    await page.getByText(/^[12] calls?, last first\./).waitFor();
    t.same(await barriersInBoth(page), []);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('8 calls, last first.').waitFor();
    await page
      .getByRole('link', { name: /^Calle[re] \d/ })
      .nth(1)
      .click();
    const place = page.getByRole('group', { name: 'Calls of the list' });
    await place.getByText('2 of 8').waitFor();
    await page.keyboard.press('j');
    await place.getByText('3 of 8').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('combobox', { name: 'Result' }).click();
    await page.getByRole('option', { name: 'Good' }).click();
    await page.waitForURL(/result=good/);
  });

  await t.test('one field finds everything, by keys alone', async (t) => {
    await page.goto(runUrl);
    const callId = (await page.locator('.call-id').first().getAttribute('title')) ?? '';
    const field = page.getByRole('combobox', { name: 'Find anything' });
    const option = (name: RegExp) => page.getByRole('option', { name });
    const asked = async (text: string) => {
      await page.getByRole('button', { name: /^Find anything/ }).waitFor();
      await page.keyboard.press('Control+k');
      await field.fill(text);
    };
    await asked('calls');
    for (const name of [/^Pages\s*Calls/, /^Tests\s*Calls/, /^Runs\s*Calls.*calls good/]) await option(name).waitFor();
    t.same(await barriers(page), []);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/calls$/);
    await field.waitFor({ state: 'detached' });

    await asked(callId);
    await option(/All calls with this Call-ID/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/endpoints\//);

    await asked(callId);
    await option(/All calls with this Call-ID/).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith('/calls') && url.searchParams.get('callId') === callId);

    await asked(new URL(runUrl).pathname.split('/').at(-1) ?? '');
    await option(/^Runs\s*Calls/).waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    t.equal(new URL(page.url()).searchParams.get('callId'), callId, 'nothing was gone to');

    await page.getByRole('button', { name: /^Find anything/ }).click();
    await field.fill('how do I test my trunk');
    t.match(await option(/^Documentation/).getAttribute('href'), /^\/docs\/(guide|tutorials)\//);
    t.same(await barriersInBoth(page), []);
    await field.fill('xyzzyq');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');

    await page.goto('/');
    await asked('calls');
    for (const name of [/^Tests\s*Calls/, /^Runs\s*Calls/]) await option(name).first().waitFor();
    await field.fill(callId);
    await option(/^Calls/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('a run is downloaded', async (t) => {
    await page.goto(runUrl);
    const file = async (name: RegExp): Promise<string> => {
      await page.getByRole('button', { name: 'Export' }).click();
      const begun = page.waitForEvent('download');
      await page.getByRole('menuitem', { name }).click();
      return (await begun).path();
    };
    const text = async (name: RegExp): Promise<string> => readFile(await file(name), 'utf8');
    t.equal(JSON.parse(await text(/^JSON/)).data.status, 'COMPLETED');
    t.equal((await text(/^CSV/)).trimEnd().split('\r\n').length, 9);
    const trace = await file(/^pcapng/);
    const how = ['-d', 'udp.port==1-65535,sip', '-Y', 'sip.Method == "INVITE"', '-T', 'fields', '-e', 'sip.Call-ID'];
    const invites = spawnSync('tshark', ['-r', trace, ...how], { encoding: 'utf8' })
      .stdout.trimEnd()
      .split('\n');
    const times = [...new Set(invites)].map((callId) => invites.filter((one) => one === callId).length);
    t.equal(times.length, 4, 'four calls');
    // On a stalled host an INVITE is sent again.
    t.ok(
      times.every((n) => n >= 2),
      `both ends of each: ${times}`,
    );
    const report = await text(/^HTML/);
    const guest = await lab.visit();
    const asked: string[] = [];
    guest.page.on('request', (request) => asked.push(request.url()));
    await guest.page.setContent(report);
    await guest.page.getByRole('heading', { name: `Calls ${XSS}` }).waitFor();
    t.ok((await guest.page.getByRole('img', { name: /over time/ }).count()) >= 5, 'its charts');
    t.same(asked, [], 'nothing is asked');
    t.same(await guest.page.evaluate('document.scripts.length + document.images.length'), 0);
    await guest.context.close();
  });

  await t.test('a run is seen live, and stopped from its page', async (t) => {
    await page.goto(`${lab.projectUrl}/tests`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Calls/ })
      .click();
    await page.getByRole('textbox', { name: 'Call duration, seconds' }).fill('300');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    const polls: string[] = [];
    await runningRun(ask, at, async () => {
      await page.goto(`${lab.projectUrl}/tests`);
      await page.getByRole('button', { name: /^Run Calls/ }).click();
      return runByClicks(page, () => page.getByRole('button', { name: 'Start run' }).click());
    });
    await page.getByText('live, each second').waitFor();
    page.on('request', (request) => {
      if (/\/test-runs\/[^/]+(\/timeline)?$/.test(request.url())) polls.push(request.url());
    });
    const shown = () => page.getByRole('img', { name: /^Calls at once/ }).getAttribute('aria-label');
    await until('four calls are seen', async () => /in a call: last 4/.test((await shown()) ?? ''));
    await page.getByRole('region', { name: 'What callers heard' }).getByText('4 in progress').waitFor();
    await page.getByText('No findings so far.').waitFor();
    const bar = page.getByRole('progressbar');
    const before = await bar.locator('span').getAttribute('style');
    await until('it goes on', async () => (await bar.locator('span').getAttribute('style')) !== before);
    t.same(polls, [], 'without a question');
    await page.reload();
    await until('nothing is lost by a reload', async () => /in a call: last 4/.test((await shown()) ?? ''));
    await page.getByText('live, each second').waitFor();
    t.same(await barriers(page), []);
    await lab.restartControlPlane(() => page.getByText('no live connection').waitFor());
    await page.getByText('live, each second').waitFor();
    await until('its agent is back, and nothing is lost', async () => /in a call: last 4/.test((await shown()) ?? ''));
    const later = await bar.locator('span').getAttribute('style');
    await until('it goes on', async () => (await bar.locator('span').getAttribute('style')) !== later);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled').first().waitFor();
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
  });

  await t.test('runs are filtered', async (t) => {
    await page.goto(`${lab.projectUrl}/runs`);
    const choose = async (field: string, option: string | RegExp) => {
      await page.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option }).click();
    };
    await choose('Test', /^Calls/);
    await choose('Status', 'Cancelled');
    await page.getByText('1 matching run').waitFor();
    await page.getByRole('textbox', { name: 'Label' }).fill('branch=main');
    await page.keyboard.press('Enter');
    await page.getByText('No matching run').waitFor();
    await page.reload();
    await page.getByText('No matching run').waitFor();
    t.same(await barriersInBoth(page), []);
    await page.getByRole('button', { name: 'Without the label branch=main' }).click();
    await page.getByText('1 matching run').waitFor();
  });

  await t.test('a run is done again with the settings that it had', async (t) => {
    await endedRun(ask, at, async () => {
      await page.goto(runUrl);
      return runByClicks(page, () => page.getByRole('button', { name: 'Run again' }).click());
    });
    await page.getByText(`replay-of=${runUrl.split('/').at(-1)}`).waitFor();
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
    await shows(t, page.getByRole('heading', { level: 1 }), /^Calls/);
  });
};

/** Arrow keys move it, in every chart of the run; before, each legend shows its last values. */
async function crosshair({ owner: { page } }: DashboardLab, t: Parameters<Chapter>[0]): Promise<void> {
  const chart = (name: RegExp) => page.getByRole('figure').filter({ has: page.getByRole('img', { name }) });
  const time = async (name: RegExp) =>
    (await chart(name).locator('.u-legend').innerText()).match(/\d\d:\d\d:\d\d/)?.[0];
  const last = await until('the legend says the last values by itself', () => time(/^Calls over time/));
  await page.getByRole('img', { name: /^Calls over time/ }).focus();
  await page.keyboard.press('ArrowLeft');
  const here = await until('the crosshair is there', async () => {
    const at = await time(/^Calls over time/);
    return at === last ? undefined : at;
  });
  t.equal(await time(/^Set-up over time/), here, 'and there');
}
