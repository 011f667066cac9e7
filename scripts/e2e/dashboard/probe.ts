/**
 * A probe whose calls are not heard: its sentence, its incident and who handles it, a maintenance window, recovery; and its
 * executions, filtered by a lasting address.
 */
import type { Test } from 'tap';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { BAD_BEHAVIOURS, GOOD_BEHAVIOURS } from '../../peers/sip/behaving/behaviours.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import { comeIn } from './founded.ts';
import type { Chapter, DashboardLab } from './lab.ts';
import { askAs, request } from './lab-data.ts';
import { shows } from './shows.ts';

const NAME = 'Hotline (local)';
const NO_AUDIO =
  /No audio packet came in [\d.]+ s of the call\. During the call, from worker berlin-1, since 20[\d-]+ [\d:]+ UTC\./;
/** A disturbed agent grades nothing. */
const MAX_TRIES = 20;

type Execution = { readonly status: string; readonly completedAt: string | null; readonly testRunId: string };

export const probe: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const { 'no-rtp': silent } = BAD_BEHAVIOURS;
  const { echo } = GOOD_BEHAVIOURS;
  const peer = await startBehavingPeer(ownLoopback().address(62), { line: silent });
  t.teardown(async () => peer.close());
  const at = lab.projectUrl.slice(lab.controlPlane.url.length);
  const ask = askAs(page);
  const { id: registrarId } = await ask('POST', `${at}/registrars`, {
    name: 'Hotline trunk',
    uri: `sip:${peer.address}:${peer.port}`,
    register: false,
  });
  const { id: probeId } = await ask('POST', `${at}/probes`, {
    name: NAME,
    scheduleType: 'CRON',
    fixedIntervalSec: null,
    // It runs on request.
    cronExpression: '0 0 29 2 *',
    durationSeconds: 3,
    alertStrikeRuns: 1,
    test: {
      registrarId,
      callee: { mode: 'EXTERNAL_URI', uri: peer.uri('line') },
      placement: { mode: 'REGION', region: 'local' },
    },
    thresholds: [],
  });
  const path = `${at}/probes/${probeId}`;
  const probeUrl = lab.controlPlane.url + path;
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const region = (name: string | RegExp) => page.getByRole('region', { name, exact: typeof name === 'string' });
  const dialog = page.getByRole('dialog');

  /** How many executions were graded so. */
  const graded = { HEALTHY: 0, UNHEALTHY: 0 };
  /** The far end is in this process: while it is stalled, a call is not heard. */
  const execute = async (status: keyof typeof graded): Promise<void> => {
    let last: Execution | undefined;
    for (let n = 0; n < MAX_TRIES && last?.status !== status; n++) {
      const { testRunId } = await ask<Execution>('POST', `${path}/run`);
      last = await until(
        'it is executed',
        async () =>
          (await ask<Execution[]>('GET', `${path}/instances?per_page=1`)).find(
            (e) => e.testRunId === testRunId && e.completedAt !== null,
          ),
        { everyMs: 500 },
      );
      if (last.status === 'HEALTHY' || last.status === 'UNHEALTHY') graded[last.status]++;
      if (last.status === 'HEALTHY') break;
    }
    t.equal(last?.status, status);
  };

  let incidentUrl = '';

  await t.test('its sentence stands on its page, in the lists and in the overview', async (t) => {
    await execute('UNHEALTHY');
    await page.goto(probeUrl);
    const says = region(/^Unhealthy for /);
    await shows(t, says, NO_AUDIO);
    await says.getByText('has not been acknowledged yet').waitFor();
    const row = region('Executions table').getByRole('row', { name: /Unhealthy/ });
    await shows(t, row, NO_AUDIO);
    await shows(t, row, /No audio came · caused by the network/);
    // No name to resolve, no REGISTER, and no media: a dash each. INVITE to its answer and BYE to its answer were measured.
    const cell = (column: string) => row.locator(`[data-column="${column}"]`).innerText();
    for (const column of ['REGISTER', 'First media']) t.equal(await cell(column), '–', column);
    for (const column of ['Answer', 'BYE']) t.match(await cell(column), /^[\d.,]+$/, column);
    t.match(await row.getByRole('link', { name: /^Run of / }).getAttribute('href'), /\/runs\/[\w-]{36}$/);
    await shows(t, region('Incidents'), NO_AUDIO);
    t.same(await barriersInBoth(page), [], 'a probe that is not well');
    const ofEach: string[] = [];
    page.on('request', (one) => one.url().includes('/instances') && ofEach.push(one.url()));
    for (const where of ['/', at, `${at}/probes`]) {
      await page.goto(where);
      await page.getByRole('main').getByText(NO_AUDIO).first().waitFor();
      await page
        .getByRole('link', { name: /^Latest executions of .*unhealthy/ })
        .first()
        .waitFor();
      t.pass(`it stands on ${where.replace(at, 'the project')}`);
    }
    t.same(ofEach, [], 'no list asks once for each probe');
  });

  await t.test('its incident has an address, and is acknowledged with a note', async (t) => {
    await page.goto('/');
    await region('Open incidents').getByRole('link', { name: NAME }).click();
    await page.getByRole('heading', { name: `Incident of ${NAME}` }).waitFor();
    incidentUrl = page.url();
    const [incident] = await ask<{ id: string }[]>('GET', `${path}/incidents`);
    t.equal(incidentUrl, `${probeUrl}/incidents/${incident?.id}`, 'as messages have it');
    await shows(t, region(/^Down for /), NO_AUDIO);
    const run = page.getByRole('link', { name: 'Run that opened it' });
    const row = region('Executions table').getByRole('row', { name: /Unhealthy/ });
    t.equal(
      await run.getAttribute('href'),
      await row.getByRole('link', { name: /^Run of / }).getAttribute('href'),
      'the run that opened it is among its executions',
    );
    t.same(await barriersInBoth(page), [], 'an incident');
    await button('Acknowledge').click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('The carrier knows.\nTicket 4711');
    t.same(await barriersInBoth(page), [], 'acknowledging');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.waitFor({ state: 'detached' });
    const after = region('Acknowledgement');
    await after.getByText('Ticket 4711').waitFor();
    await shows(t, after, /Ada[^\n]* acknowledged it .*\.\s+The carrier knows\.\nTicket 4711/);
    await page.getByRole('main').getByText('Acknowledged', { exact: true }).waitFor();
    await button('Edit note').click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('A cable.');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await after.getByText('A cable.', { exact: true }).waitFor();
    await page.goto(probeUrl);
    await region(/^Unhealthy for /)
      .getByText(/ was acknowledged by Ada/)
      .waitFor();
    await onlyReads(t, lab, incidentUrl, `${path}/incidents/${incident?.id}`);
  });

  await t.test('in maintenance it goes on, is marked, and alarms nobody', async (t) => {
    await page.goto(probeUrl);
    await region('Maintenance').getByRole('button', { name: 'Plan maintenance' }).click();
    const ends = dialog.getByLabel('Ends, UTC');
    const hour = await ends.inputValue();
    await ends.fill(await dialog.getByLabel('Starts, UTC').inputValue());
    await dialog.getByRole('button', { name: 'Plan maintenance' }).click();
    await dialog.getByText('a window ends after it starts').first().waitFor();
    t.same(await barriersInBoth(page), [], 'planning maintenance');
    await ends.fill(hour);
    await dialog.getByRole('textbox', { name: 'Note' }).fill('New firmware');
    await dialog.getByRole('button', { name: 'Plan maintenance' }).click();
    await region(`In maintenance until ${hour.replace('T', ' ')} UTC`).waitFor();
    await execute('UNHEALTHY');
    // In addition to those that were not graded because the agent was disturbed.
    const row = region('Executions table')
      .getByRole('row', { name: /In maintenance/ })
      .filter({ hasText: 'Unhealthy' });
    await row.waitFor();
    await shows(t, row, /Unhealthy[\s\S]*No audio packet came/, 'it stays visible');
    t.same(await barriersInBoth(page), [], 'a probe in maintenance');
    for (const where of ['/', at, `${at}/probes`]) {
      await page.goto(where);
      await page.getByText(/^In maintenance until /).waitFor();
    }
    await page.getByRole('link', { name: 'Maintenance', exact: true }).click();
    const window = page.getByRole('row', { name: /New firmware/ });
    await shows(t, window, /Now[\s\S]*Hotline \(local\)\s+New firmware\s+by Ada/);
    await window.getByRole('button', { name: 'Change' }).click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Old firmware');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('row', { name: /Old firmware/ });
    await changed.getByRole('button', { name: 'End it now' }).click();
    await changed.getByText('Over', { exact: true }).waitFor();
    t.same(await barriersInBoth(page), [], 'maintenance windows');
    await changed.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await changed.waitFor({ state: 'detached' });
    await page.goto(probeUrl);
    await row.waitFor();
    t.equal(await page.getByText(/^In maintenance until /).count(), 0, 'and its execution stays marked');
  });

  await t.test('when calls are heard again it is over, and says so', async (t) => {
    peer.behaviours.set('line', echo);
    await execute('HEALTHY');
    await page.goto(incidentUrl);
    await shows(t, region(/^It was down for /), NO_AUDIO);
    await page.getByRole('main').getByText('Resolved', { exact: true }).waitFor();
    t.equal(await button('Acknowledge').count(), 0, 'nothing is left to look after');
    await page.goto(probeUrl);
    await shows(t, region('Healthy'), /The call was answered \(200\) after [\d,]+ ms, and heard both ways\./);
  });

  await t.test('its executions by health and time', async (t) => {
    await page.getByRole('link', { name: 'All executions' }).click();
    const rows = region(/executions? table$/).getByRole('row', { name: /^(Healthy|Unhealthy) / });
    const count = (n: number) => until(`${n} are listed`, async () => (await rows.count()) === n);
    await count(graded.HEALTHY + graded.UNHEALTHY);
    const choose = async (select: string, option: string) => {
      await page.getByRole('combobox', { name: select }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const unhealthy = `${graded.UNHEALTHY} executions`;
    await choose('Health', 'Unhealthy');
    await page.waitForURL(/\?status=UNHEALTHY$/);
    await region(unhealthy).waitFor();
    await page.reload();
    await region(unhealthy).waitFor();
    await count(graded.UNHEALTHY);
    await choose('Scheduled in', 'The last hour');
    await page.waitForURL(/period=hour/);
    await region(unhealthy).waitFor();
    await choose('Scheduled in', 'Between two instants');
    await page.getByLabel('Until, UTC').fill('2020-02-29T12:00');
    await page.waitForURL(/to=2020-02-29T12/);
    await page.getByText('No matching execution').waitFor();
    await page.getByLabel('Until, UTC').fill('');
    await page.getByLabel('From, UTC').fill('2020-02-29T12:00');
    await region(unhealthy).waitFor();
    t.same(await barriersInBoth(page), [], 'executions');
    await isNarrowEnough(t, lab, [page.url(), probeUrl, incidentUrl, `${at}/probes`]);
  });
};

/** A user without write access reads the same, without a button, and is refused. */
async function onlyReads(t: Test, lab: DashboardLab, url: string, path: string): Promise<void> {
  const guest = await comeIn(lab, 'Reader', 'VIEWER');
  await guest.page.goto(url);
  await guest.page.getByText('A cable.', { exact: true }).waitFor();
  t.equal(await guest.page.getByRole('main').getByRole('button').count(), 0, 'a reader is suggested nothing');
  t.equal((await request(guest.page, 'PATCH', path, { acknowledged: false })).status, 403);
  await guest.context.close();
}

/** On a phone, rows contain the names of their columns, and nothing is wider than the screen. */
async function isNarrowEnough(t: Test, { owner: { page } }: DashboardLab, urls: readonly string[]): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 812 });
  for (const url of urls) {
    await page.goto(url);
    await page
      .getByText(/No audio packet came|heard both ways/)
      .first()
      .waitFor();
    for (const box of ['document.documentElement', "document.querySelector('.scroll') ?? document.body"])
      t.notOk(await page.evaluate<boolean>(`(${box}).scrollWidth > (${box}).clientWidth`), `${url}: ${box}`);
    t.same(await barriersInBoth(page), [], `${url} on a phone`);
  }
  if (size) await page.setViewportSize(size);
}
