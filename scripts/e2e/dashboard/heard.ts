/**
 * A peer that answers and sends nothing: its run is not a success on any page, until a group tolerates it, and then it is still
 * reported. From the run to the list by its finding, to one call and back; thresholds and expectations in the form; runs
 * beside each other.
 */
import type { Test } from 'tap';
import { ownLoopback } from '../../peers/network/loopback.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { BAD_BEHAVIOURS } from '../../peers/sip/behaving/behaviours.ts';
import { startBehavingPeer } from '../../peers/sip/behaving-peer.ts';
import type { Chapter, DashboardLab } from './lab.ts';
import { askAs, endedRun, runByClicks, startRun } from './lab-data.ts';
import { shows } from './shows.ts';

const SECONDS = '4';

export const heard: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const { 'no-rtp': silent, drops } = BAD_BEHAVIOURS;
  const peer = await startBehavingPeer(ownLoopback().address(61), { silent, drops });
  t.teardown(async () => peer.close());
  const at = lab.projectUrl.slice(lab.controlPlane.url.length);
  const ask = askAs(page);
  const { id: registrarId } = await ask('POST', `${at}/registrars`, {
    name: 'Behaving peer',
    uri: `sip:${peer.address}:${peer.port}`,
    register: false,
  });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name, exact: true });
  let failedRun = '';
  let toleratedRun = '';

  await t.test('a test with a threshold, made and run by clicks: nobody heard anything', async (t) => {
    await page.goto(`${lab.projectUrl}/tests/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Dead air');
    await page.getByRole('radio', { name: 'A SIP address', exact: true }).check();
    await page.getByRole('combobox', { name: 'Registrar or trunk' }).click();
    await page.getByRole('option', { name: 'Behaving peer' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill(peer.uri('silent'));
    await page.getByRole('textbox', { name: 'Calls', exact: true }).fill('2');
    await page.getByRole('textbox', { name: 'Spread over, seconds' }).fill('1');
    await page.getByRole('textbox', { name: 'Call duration, seconds' }).fill(SECONDS);
    await page.getByRole('combobox', { name: 'Add a metric' }).click();
    await page.getByRole('option', { name: 'Calls heard both ways' }).click();
    await page.getByText('Calls in which both ends were heard for the whole call').waitFor();
    t.equal(await page.getByLabel('Calls heard both ways, healthy').inputValue(), '99');
    await page.getByLabel('Calls heard both ways, degraded').fill('90');
    t.same(await barriersInBoth(page), [], 'a test with a threshold');
    await button('Create test').click();
    await page.getByRole('heading', { name: 'Dead air' }).waitFor();
    const { verdict, passed, id } = await runDeadAir(lab);
    failedRun = id;
    t.match(verdict, /0 of 2 calls good, 2 answered, but with a fault; heard both ways: 0 of 2/);
    t.match(verdict, /2 × No audio came\. Fault: network/);
    await shows(t, region('Thresholds'), passed);
    await shows(t, region('Thresholds table'), /Calls heard both ways[\s\S]*≥ 99 %\s+≥ 90 %/);
    for (const part of [
      /2 calls\s+2 failed after the answer/,
      /Good calls\s+0 of 2/,
      /Heard both ways\s+0 of 2/,
      /Talk time with media\s+0 %/,
      /Dropped\s+0 of 2/,
      /Fault\s+No audio came\s+Found by callers, caused by the network\s+2 of 2 answered calls \(100 %\)\s+All 2/,
    ])
      await shows(t, region('What callers heard'), part);
    await shows(t, region('Failures'), /2 callers\s+No audio came\s+network\s+In call\s+[\d.:]+\s+number silent/);
    t.same(await barriersInBoth(page), [], 'a run that nobody heard');
  });

  await t.test('from the finding to its calls, to one of them, and back', async (t) => {
    await region('What callers heard').getByRole('link', { name: 'All 2' }).click();
    await page.waitForURL(/finding=NO_MEDIA&type=CALLER/);
    await page.reload();
    const list = region('Endpoints, events and messages');
    await list.getByText('2 endpoints', { exact: true }).waitFor();
    const filter = page.getByRole('combobox', { name: 'Finding' });
    t.equal(await filter.inputValue(), 'No audio came');
    const row = page.getByRole('row', { name: /^Caller/ }).first();
    await shows(
      t,
      row,
      /\d\d:\d\d:\d\d\.\d{3}[\s\S]*No audio came\s+200 OK · caused by the network\s+No audio[\s\S]*\s–\s/,
    );
    t.match(
      await row.getByText('No audio', { exact: true }).getAttribute('title'),
      /^Fault: No audio came\. No audio packet/,
    );
    await filter.click();
    await page.getByRole('option', { name: 'Audio was interrupted' }).click();
    await list.getByText('No matching endpoint').waitFor();
    await filter.click();
    await page.getByRole('option', { name: 'No audio came' }).click();
    await narrowList(lab, t);

    await page
      .getByRole('link', { name: /^Caller \d/ })
      .first()
      .click();
    await page.getByRole('heading', { name: /^Caller/ }).waitFor();
    await shows(
      t,
      region('Findings'),
      /^Fault\s+No audio came\s+No audio packet came in [\d.]+ s of the call\.\s+Caused by the network · stream 0 \(PCMU\) · for [\d.]+ s\s+Ended by the endpoint/,
    );
    await shows(t, region('Streams table'), /Media came in 0 s of [\d.]+ s \(0 %\): no packet came\./);
    t.same(await barriersInBoth(page), [], 'a call that nobody heard');
    await page.getByRole('link', { name: 'The run' }).click();
    await page.waitForURL(/finding=NO_MEDIA&type=CALLER/);
  });

  await t.test('what a group tolerates does not fail, and is told all the same', async (t) => {
    await page.goto(`${lab.projectUrl}/tests`);
    await page.getByRole('link', { name: 'Dead air' }).click();
    await page.getByRole('combobox', { name: 'Tolerated faults' }).click();
    await page.getByRole('option', { name: 'No audio came' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('YAML', { exact: true }).click();
    t.match(
      await page.getByRole('textbox', { name: 'The test as YAML' }).inputValue(),
      /expectations:\s+toleratedFindings:\s+- NO_MEDIA\n/,
    );
    await page.getByText('Form', { exact: true }).click();
    await button('Save').click();
    await page.getByRole('status').getByText('Saved').waitFor();
    const { verdict, id } = await runDeadAir(lab);
    toleratedRun = id;
    t.match(verdict, /2 of 2 calls good; heard both ways: 0 of 2/);
    await shows(t, region('What callers heard'), /Tolerated\s+No audio came/);
    await region('Failures').getByText('No endpoint failed.').waitFor();
  });

  await t.test('runs beside each other in the list', async (t) => {
    await page.goto(`${lab.projectUrl}/runs`);
    const rowOf = (id: string) =>
      page.getByRole('row', { name: /Dead air/ }).filter({ has: page.locator(`a[href$="${id}"]`) });
    const [tolerated, failed] = [rowOf(toleratedRun), rowOf(failedRun)];
    t.match(await failed.innerText(), /0 of 2 calls good, 2 answered, but with a fault[\s\S]*No audio came \(2\)/);
    t.match(await tolerated.innerText(), /2 of 2 calls good[\s\S]*No audio came \(2\)/);
  });

  await t.test('a far end that drops calls says why', async (t) => {
    const test = await ask('POST', `${at}/tests`, {
      name: 'Dropped',
      durationSeconds: Number(SECONDS),
      groups: [
        {
          name: 'callers',
          registrarId,
          callee: { mode: 'EXTERNAL_URI', uri: peer.uri('drops') },
          placement: { mode: 'REGION', region: 'local' },
          subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 1 }],
        },
      ],
    });
    const { id } = await endedRun(ask, at, () => startRun(ask, at, test.id));
    await page.goto(`${lab.projectUrl}/runs/${id}`);
    await region('Verdict').waitFor();
    await shows(
      t,
      region('Failures'),
      /1 caller\s+The far end hung up early\s+Q\.850 cause 38: Network out of order\s+network/,
    );
    await shows(t, region('What callers heard'), /Dropped\s+1 of 1/);
    // A busy host adds a note: packets that it read too late.
    const found = region('What callers heard').getByRole('listitem').filter({ hasText: 'The far end hung up' });
    await found.getByRole('link', { name: 'Example 1' }).click();
    await page.getByRole('heading', { name: /^Caller/ }).waitFor();
    await shows(t, page.getByRole('group', { name: 'Calls of the list' }), /1 of 1/);
    await shows(
      t,
      region('Findings'),
      /^Fault\s+The far end hung up early\s+The far end hung up after .*\(Q\.850 cause 38\)\.[\s\S]*Ended by the far end · Q\.850 cause 38: Network out of order/,
    );
  });
};

/** Runs it to its end from the list of tests; its first lines, and whether it passed by them. */
async function runDeadAir(lab: DashboardLab): Promise<{ id: string; verdict: string; passed: RegExp }> {
  const { page } = lab.owner;
  const { id } = await endedRun(askAs(page), new URL(lab.projectUrl).pathname, async () => {
    await page.goto(`${lab.projectUrl}/tests`);
    await button(page, 'Run Dead air').click();
    return runByClicks(page, () => button(page, 'Start run').click());
  });
  const card = page.getByRole('region', { name: 'Verdict' });
  await card.waitFor();
  const verdict = await card.innerText();
  // A stalled host has measured nothing.
  return {
    id,
    verdict,
    passed: /^Void$/m.test(verdict) ? /Not judged/ : /Not passed\s+beyond the limit: Calls heard both ways/,
  };
}

const button = (page: DashboardLab['owner']['page'], name: string) => page.getByRole('button', { name, exact: true });

/** On a phone, rows contain the names of their columns, and nothing is wider than the screen. */
async function narrowList({ owner: { page } }: DashboardLab, t: Test): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const rows = page.getByRole('region', { name: 'Endpoints table' });
  await rows
    .getByRole('link', { name: /^Caller \d/ })
    .first()
    .waitFor();
  const isWider = (of: string) => page.evaluate<boolean>(`(${of}).scrollWidth > (${of}).clientWidth`);
  t.notOk(await isWider('document.documentElement'));
  t.notOk(await isWider("document.querySelector('.rows')"));
  t.same(await barriersInBoth(page), [], 'the list on a phone');
  if (size) await page.setViewportSize(size);
}
