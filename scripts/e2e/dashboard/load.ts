/**
 * A continuous load, by clicks: created in the form, with errors at their fields; observed while it runs, changed, paused and
 * resumed by permitted users, and reported afterwards: in curves, in counts, in events.
 */
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { barriersInBoth, chartsAreDrawn } from '../../peers/referees/chromium.ts';
import { startSipp } from '../../peers/sip/sipp.ts';
import { comeIn } from './founded.ts';
import type { Chapter } from './lab.ts';
import { askAs, runByClicks, runningRun } from './lab-data.ts';
import { unfold } from './sections.ts';
import { shows } from './shows.ts';

export const load: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const callee = await startSipp({ address: ownLoopback().address(62), scenario: { builtIn: 'uas' } });
  t.teardown(() => callee.stop('SIGKILL'));
  const at = lab.projectUrl.slice(lab.controlPlane.url.length);
  const ask = askAs(page);
  const trunk = { name: 'Trunk', uri: callee.uri.replace('callee@', ''), register: false };
  await ask('POST', `${at}/registrars`, trunk);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const fill = (field: string, text: string) => page.getByRole('textbox', { name: field, exact: true }).fill(text);

  await t.test('made in the form, which says what it comes to', async (t) => {
    const atOnce = page.getByRole('textbox', { name: 'Calls at once, at most' });
    await page.goto(`${lab.projectUrl}/tests/new`);
    await fill('Name', 'Among our own');
    await choose('Calls start', 'At random (Poisson)');
    await button('Create test').click();
    await page.getByRole('heading', { name: 'Among our own' }).waitFor();
    t.equal(await atOnce.inputValue(), '125', 'callees of our own take call after call, too');

    await page.goto(`${lab.projectUrl}/tests/new`);
    await fill('Name', 'All day');
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    await choose('Registrar or trunk', 'Trunk');
    await fill('Address', callee.uri);
    await unfold(page);
    await choose('Audio', 'None: signalling only');
    await fill('Call duration, seconds', '1');
    await choose('Calls start', 'In steps of a rate');
    await button('Add a step').click();
    await page.getByText('1,500 calls').waitFor();
    await page.getByRole('img', { name: /^Calls started over time/ }).waitFor();
    t.ok((await chartsAreDrawn(page)) > 0, 'lines of the plan');
    t.same(await barriersInBoth(page), [], 'steps');
    await choose('Calls start', 'At a steady rate');
    await fill('Calls per second', '4');
    await fill('Calls at once, at most', '2');
    await fill('Seconds', '600');
    const sentence = page.getByRole('region', { name: 'Summary' });
    await sentence.getByText('Too few calls at once').waitFor();
    await shows(t, sentence, /2,400 calls over 10 min, 4 a second, at most 2 at once, no media/);
    await shows(t, sentence, /takes 4\. Of 2, none is free for about 50 % of the calls/);
    await choose('Load lasts', 'until all endpoints have called');
    await button('Create test').click();
    const length = page.getByRole('combobox', { name: 'Load lasts' });
    await until('the fault stands at its field', async () => (await length.getAttribute('aria-invalid')) === 'true');
    t.same(await barriersInBoth(page), [], 'a load without an end');
    await choose('Load lasts', 'for a time');
    // Longer than a slow browser needs for what comes: the run is stopped then.
    await fill('Seconds', '900');
    await button('Create test').click();
    await page.getByRole('heading', { name: 'All day' }).waitFor();
    t.equal(await atOnce.inputValue(), '2', 'and a form again');
  });

  const region = page.getByRole('region', { name: 'Load', exact: true });
  await t.test('changed, paused and resumed while it goes on, by those who may', async (t) => {
    const testUrl = page.url();
    await runningRun(ask, at, async () => {
      await page.goto(testUrl);
      await button('Run this test').click();
      t.same(await barriersInBoth(page), [], 'what a run sends');
      return runByClicks(page, () => button('Start run').click());
    });
    await region.getByText('current target').waitFor();
    const change = page.getByRole('textbox', { name: 'Change it to' });
    // A chart is updated while the pointer is on it.
    await page.getByRole('img', { name: /^Free endpoints over time, of 2/ }).hover();
    const asked = async (rate: string) => {
      await change.fill(rate);
      await button('Change').click();
    };
    await asked('51');
    await region.getByRole('alert').getByText('its host allows 50').waitFor();
    await asked('5');
    await button('+ 10 %').click();
    await region.getByText('5.5', { exact: true }).waitFor();
    await page.getByRole('img', { name: /^Calls dropped over time.* no endpoint free: last / }).waitFor();
    t.same(await barriersInBoth(page), [], 'a load that goes on');

    const guest = await comeIn(lab, 'Vi', 'VIEWER');
    await guest.page.goto(page.url());
    await guest.page.getByRole('region', { name: 'Load', exact: true }).getByText('5.5', { exact: true }).waitFor();
    t.equal(await guest.page.getByRole('button', { name: /^(Change|Pause|Resume)$/ }).count(), 0, 'a viewer looks on');
    await guest.context.close();

    await button('Pause').click();
    await region.getByText('Paused').waitFor();
    const free = () => page.getByRole('img', { name: /^Free endpoints/ }).getAttribute('aria-label');
    await until('every endpoint becomes free', async () => /free: last 2/.test((await free()) ?? ''));
    t.equal(await page.getByRole('textbox', { name: 'Resume at' }).inputValue(), '5.5');
    await button('Resume').click();
    await region.getByText('current target').waitFor();
    await until('calls start again', async () => !/free: last 2/.test((await free()) ?? ''));
    await button('Stop').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled').first().waitFor();
  });

  await t.test('told afterwards', async (t) => {
    await region.getByText('No endpoint free').waitFor();
    await shows(t, region, /No endpoint free\s+[1-9]\d*\s+\S+ % of those due/);
    const marks = page.getByRole('list', { name: 'Marks in the charts' }).getByRole('listitem');
    for (const words of ['5 calls/s', '5.5 calls/s', 'paused'])
      await marks
        .filter({ hasText: `Load changed: ${words}` })
        .first()
        .waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await choose('Kind of event', 'Load');
    for (const words of ['5 calls/s', '5.5 calls/s', 'paused'])
      await page.getByRole('cell', { name: words }).first().waitFor();
    t.same(await barriersInBoth(page), [], 'a load that is over');
  });

  await t.test('from an endpoint to its calls, and to one of these', async (t) => {
    await page.getByRole('tab', { name: 'Calls', exact: true }).click();
    await page
      .getByText(/^\d+ calls$/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Endpoints' }).click();
    await page.getByText('2 endpoints', { exact: true }).waitFor();
    t.same(await barriersInBoth(page), [], 'endpoints with their calls');
    await page.getByRole('link', { name: 'Caller 1', exact: true }).click();
    await page.getByRole('region', { name: 'Call results' }).waitFor();
    t.same(await barriersInBoth(page), [], 'the calls of an endpoint');
    const call = page.getByRole('link', { name: /^Caller 1, call \d+$/ }).first();
    await call.waitFor();
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.of-calls .rows-row > :first-child')].filter((cell) => cell.scrollWidth > cell.clientWidth).length`,
    );
    t.equal(cut, 0, 'the name of each call fits');
    const name = (await call.getAttribute('aria-label')) ?? '';
    await call.click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByRole('link', { name: /^Caller 1: \d+ calls/ }).waitFor();
  });
};
