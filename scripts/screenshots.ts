/**
 * `npm run screenshots -- [FOLDER] [PATTERN OF NAMES]`: every page with real data, wide and narrow, light and dark.
 * Starts a separate installation with an agent and two SIPp callees, and reports axe-core's findings.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { askAs, type Everything, type LabAsk, makeEverything } from './e2e/dashboard/lab-data.ts';
import { addressOf, nameOfPage, PAGES } from './e2e/dashboard/pages.ts';
import { startAgentProcess, startControlPlaneProcess } from './peers/lab/carillon.ts';
import { ownLoopback } from './peers/network/loopback.ts';
import { until } from './peers/process.ts';
import { barriers, startChromium, visit } from './peers/referees/chromium.ts';
import { startSipp } from './peers/sip/sipp.ts';
import { searchPictures } from './screenshots-searches.ts';
import { testPictures } from './screenshots-tests.ts';

const folder = process.argv[2] ?? 'screenshots';
const only = process.argv[3];
const LOOKS = [
  ['wide', 'light', 1440, 900],
  ['narrow', 'light', 390, 844],
  ['wide', 'dark', 1440, 900],
  ['narrow', 'dark', 390, 844],
] as const;
/** Between all polls: the session has a budget of requests. */
const EVERY_MS = 500;
const PASSWORD = 'a password for pictures';

const dir = await mkdtemp('/tmp/carillon-pictures-');
await chmod(dir, 0o711);
const dataDir = path.join(dir, 'data');
await mkdir(folder, { recursive: true });
await buildDashboard();
const controlPlane = await startControlPlaneProcess({ dataDir });
const browser = await startChromium();
const stops: (() => Promise<unknown>)[] = [() => controlPlane.stop(), () => browser.close()];
const net = ownLoopback();

const { page, faults } = await visit(browser, controlPlane.url);
const ask: LabAsk = askAs(page);

/** Charts are redrawn a frame after the size has changed. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))';

/** In each look, after `act` on the page; axe-core's findings are printed. Dialogs stay in view: no full page then. */
async function shoot(
  name: string,
  address: string,
  ready: string | RegExp,
  act?: () => Promise<unknown>,
): Promise<void> {
  if (only && !new RegExp(only).test(name)) return;
  const [, , width, height] = LOOKS[0];
  await page.setViewportSize({ width, height });
  // A downloaded file is readable anywhere.
  if (address.endsWith('.html')) {
    await page.goto('about:blank');
    await page.setContent(await (await page.request.get(address)).text());
  } else await page.goto(address);
  await page.getByText(ready).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  await act?.();
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  for (const [size, scheme, width, height] of LOOKS) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    await page.evaluate(DRAWN);
    await page.screenshot({ path: path.join(folder, `${name}-${size}-${scheme}.png`), fullPage });
    const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    if (isWider) console.log(`${name} ${size}: wider than the screen`);
    const rules = scheme === 'dark' ? ['color-contrast'] : undefined;
    for (const line of await barriers(page, rules)) console.log(`${name} ${size} ${scheme}: ${line}`);
  }
  for (const line of faults.splice(0)) console.log(`${name}: ${line}`);
}

const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
const opens = (name: string) => async () => {
  await button(name).click();
  await page.getByRole('dialog').waitFor();
};

const ended = (projectId: string, runId: string) =>
  until(
    'the run ends',
    async () =>
      (await ask<{ endedAt: string | null }>('GET', `/projects/${projectId}/test-runs/${runId}`)).endedAt !== null,
    { idleMs: 120_000, everyMs: EVERY_MS },
  );

try {
  const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(controlPlane.output())?.[1]);
  await shoot('set-up', link, 'Create account');
  await shoot('log-in-empty', '/log-in', 'No account exists yet');
  await page.goto(link);
  await page.getByLabel('Organization').fill('Acme Telecom');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('Welcome').waitFor();
  await shoot('home-empty', '/', 'Welcome');
  await shoot('workers-empty', '/workers', 'No agent yet');

  const project = await ask('POST', '/projects', {
    name: 'Berlin PBX',
    description: 'Everything that rings in Berlin',
  });
  await shoot('project-empty', `/projects/${project.id}`, 'Your first call');
  for (const place of ['tests', 'runs', 'probes', 'probes/maintenance', 'media', 'webhooks', 'status-page', 'mail']) {
    await shoot(`${place.replace('/', '-')}-empty`, `/projects/${project.id}/${place}`, /No |Nothing|None|first|no /);
  }
  const worker = await ask<{ joinToken: string }>('POST', '/workers', { name: 'berlin-1' });
  const agent = await startAgentProcess({
    url: controlPlane.url,
    stateDir: path.join(dataDir, 'agent'),
    joinToken: worker.joinToken,
  });
  stops.push(() => agent.stop());
  await ask('POST', '/workers', { name: 'hamburg-1', region: 'hamburg', capacity: 200 });
  await until('the agent is online', async () =>
    (await ask<{ status: string }[]>('GET', '/workers')).some((w) => w.status === 'ONLINE'),
  );

  const good = await startSipp({ address: net.address(21), scenario: { builtIn: 'uas' } });
  const busy = await startSipp({ address: net.address(22), scenario: { file: 'busy.xml' } });
  stops.push(
    () => good.stop('SIGKILL'),
    () => busy.stop('SIGKILL'),
  );
  const ids = await makeEverything(ask, project.id, good.uri, (what) => what);
  const at = `/projects/${project.id}`;
  const cloud = (await ask<{ id: string; isCloud: boolean }[]>('GET', `${at}/registrars`)).find((r) => r.isCloud);
  const calls = (name: string, endpoints: number, durationSeconds: number) => ({
    name,
    description: 'Over the built-in registrar',
    buildup: 3,
    durationSeconds,
    groups: (
      [
        ['callers', 'CALLER', { mode: 'GROUP', group: 'callees' }],
        ['callees', 'CALLEE', { mode: 'RECEIVE' }],
      ] as const
    ).map(([name, role, callee]) => ({
      name,
      registrarId: cloud?.id,
      callee,
      placement: { mode: 'REGION', region: 'local' },
      subPopulations: [{ name: 'all', role, endpoints }],
    })),
  });
  const trunk = await ask('POST', `${at}/registrars`, {
    name: 'Support trunk',
    uri: busy.uri.replace('callee@', ''),
    register: false,
  });
  const office = await ask('POST', `${at}/registrars`, { name: 'Office PBX', uri: 'sip:pbx.example', register: true });
  const runOf = async (body: object): Promise<string> => {
    const { id } = await ask('POST', `${at}/tests`, body);
    return (await ask<{ testRunId: string }>('POST', `${at}/tests/${id}/run`)).testRunId;
  };
  const done = await runOf(calls('Twenty calls', 20, 8));
  const failed = await runOf({
    name: 'Everybody is busy',
    buildup: 1,
    durationSeconds: 5,
    groups: [
      {
        name: 'callers',
        registrarId: trunk.id,
        callee: { mode: 'EXTERNAL_URI', uri: busy.uri },
        placement: { mode: 'REGION', region: 'local' },
        subPopulations: [{ name: 'all', role: 'CALLER', endpoints: 5 }],
      },
    ],
  });
  const down = await ask('POST', `${at}/probes`, {
    name: 'Support line (local)',
    fixedIntervalSec: 300,
    durationSeconds: 3,
    alertStrikeRuns: 1,
    test: {
      registrarId: trunk.id,
      callee: { mode: 'EXTERNAL_URI', uri: busy.uri },
      placement: { mode: 'REGION', region: 'local' },
    },
    thresholds: [{ metricKey: 'callSetup', greenValue: 500, orangeValue: 2000 }],
  });
  let ofProbe = '';
  for (let n = 0; n < 3; n++) {
    for (const probe of [ids.probeId, down.id]) {
      const { testRunId } = await ask<{ testRunId: string }>('POST', `${at}/probes/${probe}/run`);
      await ended(project.id, testRunId);
      ofProbe = testRunId;
    }
  }
  await ask('PATCH', `${at}/status-page`, {
    slug: 'acme-voice',
    title: 'Acme Voice',
    published: true,
    probes: [
      { probeId: ids.probeId, displayName: 'Calls to the office' },
      { probeId: down.id, displayName: 'Support line' },
    ],
  });
  await ask('PATCH', `${at}/mail`, { recipients: ['noc@acme.example', 'ada@acme.example'] });
  await ask('POST', '/api-keys', { name: 'pipeline' });
  const invitation = await ask<{ token: string }>('POST', '/invitations', {
    email: 'grace@acme.example',
    role: 'TESTER',
  });
  await Promise.all([ended(project.id, done), ended(project.id, failed)]);
  const lasting = await runOf({
    name: 'All day',
    durationSeconds: 3,
    load: { shape: 'RATE', callsPerSecond: 5, seconds: 120 },
    groups: (
      [
        ['office', ids.registrarId, good.uri, 16],
        ['support', trunk.id, busy.uri, 2],
      ] as const
    ).map(([name, registrarId, uri, endpoints]) => ({
      name,
      registrarId,
      callee: { mode: 'EXTERNAL_URI', uri },
      placement: { mode: 'REGION', region: 'local' },
      mediaTracks: [],
      subPopulations: [{ name: 'all', role: 'CALLER', endpoints, calls: null }],
    })),
  });
  const dropped = page.getByRole('img', { name: /^Calls dropped/ });
  await shoot('run-load', `${at}/runs/${lasting}`, 'current target', async () => {
    await page.getByRole('textbox', { name: 'Change it to' }).fill('8');
    await button('Change').click();
    await dropped.waitFor();
  });
  await ask('POST', `${at}/test-runs/${lasting}/cancel`);
  await ended(project.id, lasting);
  await shoot('run-load-ended', `${at}/runs/${lasting}`, 'No endpoint free', () => dropped.waitFor());
  const slots = await ask<{ id: string }[]>('GET', `${at}/test-runs/${lasting}/endpoints`);
  await shoot('run-endpoints', `${at}/runs/${lasting}?list=endpoints`, '18 endpoints');
  await shoot('endpoint-calls', `${at}/runs/${lasting}/endpoints/${slots[0]?.id}/calls`, 'Call results');
  const live = await runOf(calls('Long calls', 30, 150));
  const [first] = await ask<{ id: string }[]>('GET', `${at}/test-runs/${done}/endpoints?endpoint_type=CALLER`);
  const [incident] = await ask<{ id: string }[]>('GET', `${at}/probes/${down.id}/incidents`);
  const incidentId = incident?.id ?? '';
  await ask('PATCH', `${at}/probes/${down.id}/incidents/${incidentId}`, {
    acknowledged: true,
    note: 'The trunk has too few channels. Ticket 4711 at the carrier.',
  });
  await ask('POST', `${at}/maintenance-windows`, {
    probeId: down.id,
    startsAt: new Date().toISOString(),
    endsAt: new Date(Date.now() + 7_200_000).toISOString(),
    note: 'The carrier adds channels',
  });
  const { testRunId: maintained } = await ask<{ testRunId: string }>('POST', `${at}/probes/${down.id}/run`);
  await ended(project.id, maintained);
  const shown: Everything = {
    ...ids,
    probeId: down.id,
    incidentId,
    runId: done,
    endpointId: first?.id ?? ids.endpointId,
  };
  await until(
    'calls are up',
    async () => {
      const { phase } = (await ask<{ phase: string }[]>('GET', `${at}/test-runs/${live}/endpoints`))[0] ?? {};
      return phase === 'INCALL';
    },
    { everyMs: EVERY_MS },
  );
  await shoot('run-live', `${at}/runs/${live}`, 'live, each second');
  for (const [route, text] of Object.entries(PAGES)) {
    if (text === null) continue;
    await shoot(nameOfPage(route), addressOf(route, shown), text);
  }
  await shoot('home-new-project', '/', 'Agents online', opens('New project'));
  await shoot('compare', `${at}/compare?runs=${done},${failed}`, 'Compare runs');
  await shoot('compare-with', `${at}/runs/${done}`, 'Verdict', async () => {
    await button('Compare with').click();
    await page.getByRole('menu').waitFor();
  });
  await shoot('run-share', `${at}/runs/${done}`, 'Verdict', async () => {
    await button('Share').click();
    await button('Create link').click();
    await page.getByText('/shared/').waitFor();
  });
  if (!only || /trend|capacity/.test(only))
    await searchPictures({ ask, at, shoot, ended: (id) => ended(project.id, id), body: calls, done });
  await shoot('run-events', `${at}/runs/${done}?list=events`, 'COMPLETED');
  const invite = page.getByRole('button', { name: 'INVITE', exact: true }).first();
  await shoot('run-messages', `${at}/runs/${done}?list=messages`, 'SIP responses', () => invite.waitFor());
  await shoot('run-message', `${at}/runs/${done}?list=messages`, 'SIP responses', async () => {
    await invite.click();
    await page.getByRole('dialog').getByText('m=audio').first().waitFor();
  });
  await shoot('run-failed', `${at}/runs/${failed}`, 'Failures');
  await shoot('run-of-probe', `${at}/runs/${ofProbe}`, 'Verdict');
  await shoot('run-report', `/api/v1${at}/test-runs/${done}/report.html`, 'Twenty calls');
  await shoot('endpoint-failed', `${at}/runs/${ids.runId}/endpoints/${ids.endpointId}`, /INVITE/);
  await shoot('endpoint-answer', `${at}/runs/${done}/endpoints/${first?.id}`, /INVITE/, async () => {
    await button(/ 200 \(INVITE\)$/).click();
    await page.getByRole('dialog').getByText('SDP compared with its offer').waitFor();
  });
  await testPictures({ page, ask, at, ids, shoot, ended: (id) => ended(project.id, id), only });
  await shoot('test-preflight', `${at}/tests/${ids.testId}`, 'Not checked yet', async () => {
    await button('Check servers now').click();
    await page.getByText('Show SIP messages').waitFor();
    await page.getByText('The check is in progress').waitFor({ state: 'detached' });
  });
  await shoot('registrar-change', `${at}/registrars/${office.id}`, 'No SIP account yet', opens('Change'));
  await shoot('test-new-yaml', `${at}/tests/new`, 'Summary', async () => {
    await page.getByText('YAML', { exact: true }).click();
    await page.getByRole('textbox', { name: 'The test as YAML' }).waitFor();
  });
  await shoot('test-yaml-faults', `${at}/tests/${ids.testId}`, 'Summary', async () => {
    await page.getByText('YAML', { exact: true }).click();
    const text = page.getByRole('textbox', { name: 'The test as YAML' });
    await text.fill((await text.inputValue()).replace(/registrar: .*/, 'registrar: nowhere'));
    await button('Save').click();
    await page.getByRole('alert').waitFor();
  });
  await shoot('media-played', `${at}/media`, /greeting/, async () => {
    await button(/^Play /).click();
    await page.getByRole('img', { name: /^Waveform/ }).waitFor();
  });
  await shoot('registrar-new', `${at}/registrars`, 'built in', opens('New registrar'));
  await shoot('registrar-accounts', `${at}/registrars/${office.id}`, 'No SIP account yet', async () => {
    await button('Add SIP accounts').click();
    await page
      .getByRole('textbox', { name: 'Accounts' })
      .fill('user;password;number;pin\n1003;x;+49301003;4711\n1004\n');
    await page.getByRole('dialog').getByText('cannot be taken').waitFor();
  });
  await shoot('webhook-new', `${at}/webhooks`, /hooks\.example/, opens('New webhook'));
  await shoot('maintenance-new', `${at}/probes/maintenance`, /firmware/, opens('Plan maintenance'));
  await shoot('incident-open', `${at}/probes/${ids.probeId}/incidents/${ids.incidentId}`, 'Run that opened it');
  await shoot(
    'incident-acknowledge',
    `${at}/probes/${ids.probeId}/incidents/${ids.incidentId}`,
    'Run that opened it',
    opens('Acknowledge'),
  );
  await shoot('member-invite', '/members', 'ada@acme.example', opens('Invite'));
  await shoot('api-key-new', '/api-keys', /API key/, opens('New API key'));
  await shoot('worker', '/workers', 'berlin-1', async () => {
    await button('berlin-1').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Host policy' }).waitFor();
  });
  await shoot('worker-enrol', '/workers', 'berlin-1', async () => {
    await button('Enroll an agent').click();
    await page.getByLabel('Name').fill('munich-1');
    await button('Create join token').click();
    await page.getByRole('timer').waitFor();
  });
  await shoot('status-page-public', '/status/acme-voice', 'Acme Voice');
  await shoot('not-found', '/projects/none', /./);
  await page.context().clearCookies();
  await shoot('log-in', '/log-in', 'Password');
  await shoot('invitation', `/invitation#${invitation.token}`, 'Your name');
} finally {
  for (const stop of stops.reverse()) await stop();
  await rm(dir, { recursive: true, force: true });
}
