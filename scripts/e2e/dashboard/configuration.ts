/**
 * The parts of a project, by clicks: registrars and their accounts, probes, media files, tests as YAML, webhooks; and the
 * pages' answers.
 */

import { ownLoopback } from '../../peers/network/loopback.ts';
import { startWebhookReceiver } from '../../peers/network/webhook-receiver.ts';
import { until } from '../../peers/process.ts';
import { barriersInBoth } from '../../peers/referees/chromium.ts';
import { toneWav } from '../../peers/referees/tone.ts';
import { passwordOf, startKamailio } from '../../peers/sip/kamailio.ts';
import { callsRun } from './founded.ts';
import { type Chapter, XSS } from './lab.ts';
import { askAs } from './lab-data.ts';
import { unfold } from './sections.ts';
import { shows } from './shows.ts';

/** A disturbed agent grades nothing. */
const MAX_TRIES = 12;

export const configuration: Chapter = async (t, lab) => {
  const { page } = lab.owner;
  const pbx = await startKamailio(ownLoopback().address(60), 'registrar');
  t.teardown(() => pbx.stop());
  const hook = await startWebhookReceiver();
  t.teardown(() => hook.stop());
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = page.getByRole('dialog');
  /** Runs the probe of the page until an execution has this grade. */
  const execute = async (health: RegExp): Promise<void> => {
    const judged = page.getByRole('row', { name: health }).first();
    const unknown = page.getByRole('row', { name: /Unknown/ });
    for (let tries = 0; tries < MAX_TRIES && (await judged.count()) === 0; tries++) {
      const next = unknown.nth(await unknown.count());
      await button('Run now').click();
      await judged.or(next).first().waitFor();
    }
    await judged.waitFor();
  };

  await t.test('a registrar, accounts from CSV, and what REGISTER says', async (t) => {
    await page.goto(`${lab.projectUrl}/registrars`);
    await button('New registrar').click();
    await page.getByLabel('Name').fill(`PBX ${XSS}`);
    await page.getByLabel('SIP address').fill(pbx.uri);
    await button('Create registrar').click();
    await page.getByRole('link', { name: /^PBX/ }).click();

    const add = async (csv: string) => {
      await button('Add SIP accounts').click();
      await page.getByRole('textbox', { name: 'Accounts' }).fill(csv);
    };
    await add('user;password\n1001;"wrong;""one"\n1002\n1001;again\n"10 03";x\n');
    await dialog.getByText('3 lines cannot be taken').waitFor();
    await shows(t, dialog.getByRole('table'), /3\s+1002\s+has no password[\s\S]*4\s+1001\s+.*in line 2/);
    t.ok(await button('Add 1 account').isDisabled(), 'nothing is lost unseen');
    t.same(await barriersInBoth(page), [], 'CSV import');
    await button('skip them').click();
    await button('Add 1 account').click();
    await page.getByRole('cell', { name: '1001', exact: true }).waitFor();
    await button('Check now').click();
    await page.getByText('Registration denied').waitFor();
    await shows(t, page.getByRole('region', { name: 'Check by REGISTER' }), /Fault: caller/);

    await button('Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No SIP account yet').waitFor();
    await add(`1001,${passwordOf('1001')}\n1002,${passwordOf('1002')}`);
    await button('Add 2 accounts').click();
    await button('Check now').click();
    await page.getByText('Reachable').waitFor();
    await shows(t, page.getByRole('region', { name: 'Check by REGISTER' }), /401, 200\s+removed: 200/);
    t.same(await barriersInBoth(page), [], 'registrar');
  });

  await t.test('a probe: made, run, changed under its own chart, in an incident', async (t) => {
    await page.goto(`${lab.projectUrl}/probes/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Door ${XSS}`);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Register with the registrar' }).click();
    await page.getByRole('combobox', { name: 'Via' }).click();
    await page.getByRole('option', { name: /^PBX/ }).click();
    await unfold(page);
    await page.getByRole('textbox', { name: 'Time registered, seconds' }).fill('1');
    await page.getByLabel(/^Open an incident after/).fill('1');
    await button('Create probe').click();
    await execute(/Healthy/);
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByRole('img', { name: /^Registration round trip.* over \d+ executions?$/ }).waitFor();
    await page.getByLabel(/, healthy$/).fill('0');
    await page.getByLabel(/, degraded$/).fill('0.001');
    t.same(await barriersInBoth(page), [], 'changing a probe');
    await button('Save').click();
    await execute(/Unhealthy/);
    await page.getByText('still open').waitFor();
    await page.getByRole('img', { name: '1 incident in the last 7 days' }).waitFor();
    await button('Switch off').click();
    await page.getByRole('alert').getByText('Switched off').waitFor();
    t.same(await barriersInBoth(page), [], 'probe');
    await page.goto(`${lab.projectUrl}/probes`);
    await page.getByText('Switched off').waitFor();
    t.pass('and its list says that it does not run');
  });

  await t.test('a recording: refused, uploaded, seen and heard', async (t) => {
    await page.goto(`${lab.projectUrl}/media`);
    const choose = (name: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'audio/wav', buffer });
    await choose('broken.wav', Buffer.from('no sound'));
    await page.getByRole('alert').waitFor();
    await choose(`${XSS}.wav`, toneWav({ hz: [440, 880], peak: 0.5, rateHz: 8000 }));
    await page.getByRole('button', { name: /^Play / }).click();
    await page.getByRole('img', { name: /^Waveform of .*, 2 s, loudest at 50 %/ }).waitFor();
    await page.evaluate("document.querySelector('audio').play()");
    const at = () => page.evaluate<number>("document.querySelector('audio').currentTime");
    await until('it plays', async () => (await at()) > 0.1);
    await page.evaluate("document.querySelector('audio').pause()");
    t.same(await barriersInBoth(page), [], 'media');
  });

  await t.test('a test as YAML: faults by line, then the form, and whether it would run', async (t) => {
    await page.goto(`${lab.projectUrl}/tests/new`);
    await page.getByText('YAML', { exact: true }).click();
    const text = page.getByRole('textbox', { name: 'The test as YAML' });
    const yaml = (registrar: string, source: string) =>
      `slug: pasted
name: Pasted
durationSeconds: 5
groups:
  - name: callers
    registrar: ${registrar}
    callee: { mode: EXTERNAL_URI, uri: "sip:1002@${pbx.uri.slice(4)}" }
    placement: { mode: REGION, region: local }
    mediaTracks: [{ kind: AUDIO, source: ${source} }]
    subPopulations:
      - { name: all, role: CALLER, endpoints: 2 }
`;
    await text.fill(yaml('nowhere', 'TONE'));
    await button('Create test').click();
    await page.getByRole('row', { name: /^6 groups\[0\]\.registrar / }).waitFor();
    const at = new URL(lab.projectUrl).pathname;
    const registrars = await askAs(page)<{ slug: string; isCloud: boolean }[]>('GET', `${at}/registrars`);
    const slug = registrars.find((one) => !one.isCloud)?.slug ?? '';
    await text.fill(yaml(slug, 'NOISE'));
    await button('Create test').click();
    await page.getByRole('row', { name: /^9 groups\[0\]\.mediaTracks\[0\]\.source / }).waitFor();
    t.same(await barriersInBoth(page), [], 'YAML');
    await text.fill(yaml(slug, 'SPEECH'));
    const calls = page.getByRole('textbox', { name: 'Calls', exact: true });
    await until('the text is a form', async () => {
      await page.getByText('Form', { exact: true }).click();
      return calls.isVisible();
    });
    t.equal(await calls.inputValue(), '2');
    await page.getByText('SIP accounts: 2 of 2').waitFor();
    await page.getByText('YAML', { exact: true }).click();
    t.match(await text.inputValue(), /source: SPEECH/);
    await button('Create test').click();
    await page.getByRole('heading', { name: 'Pasted' }).waitFor();
    await page.getByText('The test can run now.').waitFor();
    await shows(t, page.getByRole('region', { name: 'Preflight' }), /2 are needed, 2 are there/);
    t.same(await barriersInBoth(page), [], 'test');
    await page.getByRole('textbox', { name: 'Calls', exact: true }).fill('3');
    await page.getByText('Too few SIP accounts: 3 of 2').waitFor();
    await button('Save').click();
    await page.getByText('SIP accounts: not yet').waitFor();
    await button('Run anyway').waitFor();
  });

  await t.test('webhooks: PagerDuty with its key, deliveries and sending again', async (t) => {
    await page.goto(`${lab.projectUrl}/webhooks`);
    await shows(t, page.getByRole('main'), /no link to Carillon[\s\S]*CARILLON_PUBLIC_URL/);
    await button('New webhook').click();
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'PagerDuty' }).click();
    await page.getByLabel('Integration key').fill('0123456789abcdef0123456789abcdef');
    t.same(await barriersInBoth(page), [], 'new webhook');
    await button('Create webhook').click();
    await page.getByRole('link', { name: 'https://events.pagerduty.com/v2/enqueue' }).waitFor();

    await button('New webhook').click();
    await page.getByLabel('Address').fill(hook.url);
    await page.getByRole('textbox', { name: 'Secret' }).fill(hook.secret);
    await button('Create webhook').click();
    await page.getByRole('link', { name: hook.url }).click();
    await button('Send a test').click();
    await page.getByRole('row', { name: /Delivered/ }).waitFor();
    t.equal(hook.received.length, 1, 'signed with the secret that was given');
    await button('Send again').first().click();
    await until('it came again', () => hook.received.length === 2);
    t.equal(hook.received[1]?.id, hook.received[0]?.id, 'the same webhook-id');
    await button('Attempts').first().click();
    await dialog.getByText('answered 204').first().waitFor();
    t.same(await barriersInBoth(page), [], 'a delivery');
    await button('Close').click();
    await button('New secret').click();
    await button('Create new secret').click();
    await shows(t, page.locator('pre'), /^whsec_/);
    await button('Done').click();
  });

  await t.test('an endpoint: both ends in one ladder, SDP against its offer, media on the same clock', async (t) => {
    await page.goto((await callsRun(t, lab)).url);
    await page.getByRole('link', { name: 'Caller' }).first().click();
    await page.getByRole('button', { name: /^Sent from Callee to Caller .* 200 \(INVITE\)$/ }).click();
    const answer = dialog.getByRole('region', { name: 'SDP compared with its offer' });
    await answer.locator('ins').first().waitFor();
    await shows(t, answer, /− o=[^\n]*\s+\+ o=/);
    t.same(await barriersInBoth(page), [], 'a message');
    await button('Close').click();
    await page.getByRole('img', { name: /^Received over time, \d.* packets\/s/ }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download pcapng' }).click(),
    ]);
    t.match(file.suggestedFilename(), /\.pcapng$/);
    await page.getByRole('link', { name: 'The other end of its call' }).click();
    await page.getByRole('heading', { name: /^Callee/ }).waitFor();
    t.same(await barriersInBoth(page), [], 'endpoint');
  });
};
