/**
 * `node scripts/screenshots.ts FOLDER`: every page with real data, wide and narrow, light and dark. Starts an installation of
 * its own, and says what axe-core finds on the way.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { startAgentProcess, startControlPlaneProcess } from './peers/carillon.ts';
import { barriers, startChromium, visit } from './peers/chromium.ts';
import { until } from './peers/process.ts';

const folder = process.argv[2] ?? 'screenshots';
const only = process.argv[3];
const LOOKS = [
  ['wide', 'light', 1360, 900],
  ['narrow', 'light', 390, 844],
  ['wide', 'dark', 1360, 900],
  ['narrow', 'dark', 390, 844],
] as const;
const PASSWORD = 'a password for pictures';
const dataDir = await mkdtemp('/tmp/carillon-pictures-');
await chmod(dataDir, 0o711);
await mkdir(folder, { recursive: true });
await buildDashboard();
const controlPlane = await startControlPlaneProcess({
  dataDir,
  env: { CARILLON_LOG_LEVEL: 'warn,info'.split(',')[1] as string },
});
const browser = await startChromium();
const stops: (() => Promise<unknown>)[] = [() => controlPlane.stop('SIGTERM', 20_000), () => browser.close()];
try {
  const link = await until('the link is printed', () => /(http\S+\/set-up#\S+)/.exec(controlPlane.output())?.[1]);
  const owner = await visit(browser, controlPlane.url);
  const { page } = owner;
  const shoot = async (name: string, address: string, ready: string) => {
    if (only && !name.includes(only)) return;
    for (const [size, scheme, width, height] of LOOKS) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height });
      await page.goto(address);
      await page.getByText(ready).first().waitFor();
      await page.waitForTimeout(400);
      await page.screenshot({ path: path.join(folder, `${name}-${size}-${scheme}.png`), fullPage: true });
      for (const line of await barriers(page)) console.log(`${name} ${size} ${scheme}: ${line}`);
    }
    for (const line of owner.faults.splice(0)) console.log(`${name}: ${line}`);
  };
  const api = async <T>(method: string, url: string, body?: object): Promise<T> => {
    const answer = (await page.evaluate(
      async ([method, url, body]) => {
        const response = await fetch(`/api/v1${url}`, {
          method,
          headers: { 'x-carillon-dashboard': '1', ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body }),
        });
        return response.json();
      },
      [method, url, body ? JSON.stringify(body) : ''] as const,
    )) as { data?: unknown };
    if (!answer.data) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
    return answer.data as T;
  };
  await page.goto(link);
  await page.getByLabel('Organization').waitFor();
  await shoot('set-up', link, 'Make the account');
  await page.goto(link);
  await page.getByLabel('Organization').fill('Acme Telecom');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@acme.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await shoot('home-empty', '/', 'Welcome');
  const { id: projectId } = await api<{ id: string }>('POST', '/projects', {
    name: 'Berlin PBX',
    description: 'Everything that rings in Berlin',
  });
  await shoot('project-empty', `/projects/${projectId}`, 'Your first call');
  const worker = await api<{ joinToken: string }>('POST', '/workers', { name: 'berlin-1' });
  const agent = await startAgentProcess({
    url: controlPlane.url,
    stateDir: path.join(dataDir, 'agent'),
    joinToken: worker.joinToken,
  });
  stops.push(() => agent.stop('SIGTERM', 20_000));
  await shoot('test-new', `/projects/${projectId}/tests/new`, 'What it will be');
  const registrars = await api<{ id: string }[]>('GET', `/projects/${projectId}/registrars`);
  const cloudId = registrars[0]?.id as string;
  const group = (name: string, role: string, callee: object, endpoints: number) => ({
    name,
    registrarId: cloudId,
    callee,
    placement: { mode: 'REGION', region: 'local' },
    subPopulations: [{ name: 'all', role, endpoints }],
  });
  const test = (name: string, endpoints: number, durationSeconds: number, callees = endpoints) => ({
    name,
    description: 'Over the built-in registrar',
    buildup: 3,
    durationSeconds,
    groups: [
      group('callers', 'CALLER', { mode: 'GROUP', group: 'callees' }, endpoints),
      group('callees', 'CALLEE', { mode: 'RECEIVE' }, callees),
    ],
  });
  const pbx = await api<{ id: string }>('POST', `/projects/${projectId}/registrars`, {
    name: 'Front PBX',
    uri: 'sip:127.0.0.1:5099',
    register: false,
  });
  await api('POST', `/projects/${projectId}/registrars/${pbx.id}/sip-accounts`, {
    sipAccounts: ['1001', '1002', '1003'].map((username) => ({ username, password: 'x' })),
  });
  const good = await api<{ id: string }>('POST', `/projects/${projectId}/tests`, test('Twenty calls', 20, 8));
  const bad = await api<{ id: string }>('POST', `/projects/${projectId}/tests`, {
    ...test('Nobody answers', 5, 5),
    groups: [
      {
        ...group('callers', 'CALLER', { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5099' }, 5),
        registrarId: pbx.id,
      },
    ],
  });
  const run = (testId: string) =>
    api<{ testRunId: string }>('POST', `/projects/${projectId}/tests/${testId}/run`).then((r) => r.testRunId);
  const ended = async (runId: string) =>
    until(
      'the run ends',
      async () =>
        (await api<{ endedAt: string | null }>('GET', `/projects/${projectId}/test-runs/${runId}`)).endedAt
          ? true
          : undefined,
      120_000,
    );
  await until('the agent is online', async () =>
    (await api<{ status: string }[]>('GET', '/workers'))[0]?.status === 'ONLINE' ? true : undefined,
  );
  const failed = await run(bad.id);
  const done = await run(good.id);
  await ended(done);
  const live = await api<{ id: string }>('POST', `/projects/${projectId}/tests`, test('Long calls', 30, 40));
  const liveId = await run(live.id);
  await page.waitForTimeout(5000);
  await shoot('run-live', `/projects/${projectId}/runs/${liveId}`, 'Calls started');
  await shoot('run-done', `/projects/${projectId}/runs/${done}`, 'Summary');
  const endpoints = await api<{ id: string; endpointType: string }[]>(
    'GET',
    `/projects/${projectId}/test-runs/${done}/endpoints`,
  );
  const caller = endpoints.find((e) => e.endpointType === 'CALLER')?.id;
  await shoot('endpoint', `/projects/${projectId}/runs/${done}/endpoints/${caller}`, 'messages; a dashed');
  await shoot('workers', '/workers', 'berlin-1');
  await shoot('tests', `/projects/${projectId}/tests`, 'Twenty calls');
  await shoot('test', `/projects/${projectId}/tests/${good.id}`, 'What it will be');
  await shoot('registrars', `/projects/${projectId}/registrars`, 'Front PBX');
  await shoot('registrar', `/projects/${projectId}/registrars/${pbx.id}`, '1001');
  await shoot('media', `/projects/${projectId}/media`, 'No media file');
  await shoot('probes', `/projects/${projectId}/probes`, 'No probe');
  await shoot('settings', `/projects/${projectId}/settings`, 'Delete this project');
  await api('POST', '/api-keys', { name: 'pipeline' });
  await api('POST', '/invitations', { email: 'grace@acme.example', role: 'TESTER' });
  await shoot('api-keys', '/api-keys', 'pipeline');
  await shoot('members', '/members', 'grace@acme.example');
  await shoot('audit-log', '/audit-log', 'create API key');
  await shoot('account', '/account', 'Where you are logged in');
  await ended(failed);
  await shoot('run-failed', `/projects/${projectId}/runs/${failed}`, 'Failures');
  await shoot('runs', `/projects/${projectId}/runs`, 'Nobody answers');
  await shoot('project', `/projects/${projectId}`, 'Last runs');
  await shoot('home', '/', 'Berlin PBX');
} finally {
  for (const stop of stops.reverse()) await stop();
  await rm(dataDir, { recursive: true, force: true });
}
