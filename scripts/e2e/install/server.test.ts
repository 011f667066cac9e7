/**
 * The examples of docs/guide/server.md, as they are printed: TLS of the control plane, three proxies before it, the service of
 * systemd. Names, ports and folders are the only words that differ. By the public address come people, the API, an agent and live
 * events; the address of a client is its own, and the doctor finds nothing missing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { CheckResult } from '../../../proto/check-result.ts';
import { buildDashboard } from '../../build-dashboard.ts';
import { newApiKey, newJoinToken, startAgentProcess, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { callsAmongAgents, labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { certificateIn } from '../../peers/network/certificate.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { type Peer, startPeer, until } from '../../peers/process.ts';
import { blockOf } from '../../site/blocks.ts';
import { blocksProvedBy } from '../../site/proofs.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const PAGE = 'docs/guide/server.md';
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-server-'));
await chmod(dir, 0o711);
t.teardown(() => rm(dir, { recursive: true, force: true }));
const { files, first } = certificateIn(dir);
const [publicPort, ownPort] = [await freePort(), await freePort()];
/** The address that a client has, and the one that it claims to have. */
const [CLIENT, LIE] = ['127.0.0.2', '203.0.113.9'];
const publicUrl = `https://${hostname()}:${publicPort}`;

const taken = new Set<string>();
/** A block of the page, in the places of this test. */
function block(part: string, folder: string): string {
  const { at, text: printed } = blockOf(PAGE, part);
  taken.add(at);
  return printed
    .replaceAll('https://carillon.example', publicUrl)
    .replaceAll('carillon.example', hostname())
    .replaceAll('/etc/carillon/fullchain.pem', files.certificate)
    .replaceAll('/etc/carillon/privkey.pem', files.key)
    .replaceAll('/var/lib/carillon/data', path.join(folder, 'data'))
    .replaceAll('/etc/haproxy', folder)
    .replaceAll('/opt/carillon', ROOT)
    .replace(/(?<=PORT=|listen |bind :)443/, String(publicPort))
    .replace(/(?<=PORT=|127\.0\.0\.1:)8080/, String(ownPort));
}

const settings = (lines: string): Record<string, string> =>
  Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

async function folderOf(name: string): Promise<string> {
  const folder = path.join(dir, name);
  await mkdir(folder, { mode: 0o711 });
  return folder;
}

/** A client with an address of its own, which says that it has another. */
async function ask(url: string, method = 'GET', headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const client = { ca: first.certificate, agent: false, localAddress: CLIENT, method } as const;
  const asked = request(`${publicUrl}${url}`, { ...client, headers: { 'x-forwarded-for': LIE, ...headers } }).end();
  return (await once(asked, 'response'))[0];
}

async function publicAnswer(url: string, accept = '*/*'): Promise<{ status: number | undefined; body: string }> {
  const answer = await ask(url, 'GET', { accept });
  return { status: answer.statusCode, body: await text(answer) };
}

const authorization = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
async function api(apiKey: string, url: string, method = 'GET') {
  const answer = await ask(`/api/v1${url}`, method, authorization(apiKey));
  return JSON.parse(await text(answer)).data;
}

/** The run lasts until it is stopped: a proxy that holds events back would hold them until then. */
async function eventsComeAsTheyHappen(t: Test, apiKey: string) {
  const [project] = await api(apiKey, '/projects');
  const [long] = await api(apiKey, `/projects/${project.id}/tests`);
  const { testRunId } = await api(apiKey, `/projects/${project.id}/tests/${long.id}/run`, 'POST');
  const run = `/projects/${project.id}/test-runs/${testRunId}`;
  const events = await ask(`/api/v1${run}/live`, 'GET', authorization(apiKey));
  let heard = '';
  events.setEncoding('utf8').on('data', (data: string) => {
    heard += data;
  });
  await until('it is told that calls are placed', () => heard.includes('"status":"RUNNING"'));
  await api(apiKey, `${run}/cancel`, 'POST');
  await until('the last event arrives', () => /^event: end$/m.test(heard));

  const [entry] = await api(apiKey, '/audit-entries?action=runTest');
  t.equal(entry.address, CLIENT, 'the address of the client');
}

async function withControlPlane(t: Test, env: Record<string, string>, folder: string) {
  const database = await openLabDatabase(path.join(folder, 'data'), 'migrated');
  const joinToken = newJoinToken();
  const apiKey = newApiKey();
  const organization = labOrganization({
    apiKey,
    workers: [{ name: 'edge', region: 'local', joinToken }],
    registrars: [],
    tests: [callsAmongAgents('long', { endpoints: 1, durationSeconds: 600 })],
  });
  const controlPlane = await startControlPlaneProcess({
    dataDir: path.join(folder, 'data'),
    provision: provisionText(organization),
    // The client of this test is on this host as well: only the proxy may say who asks.
    env: { ...env, CARILLON_TRUSTED_PROXIES: '127.0.0.1' },
    ...(database.url !== undefined && { databaseUrl: database.url }),
  });
  t.teardown(async () => {
    await controlPlane.stop();
    await database.close();
  });
  return { joinToken, apiKey, database };
}

/** People, programs and agents reach it by the public address; the doctor says so. */
async function isReached(t: Test, env: Record<string, string>, folder: string) {
  const { joinToken, apiKey, database } = await withControlPlane(t, env, folder);
  t.match(await publicAnswer('/healthz'), { status: 200, body: /ok/ });
  t.match(await publicAnswer('/', 'text/html'), { status: 200, body: /<html/ }, 'the dashboard');
  t.equal((await publicAnswer('/api/v1/projects')).status, 401, 'the API');
  const agent = await startAgentProcess({
    url: publicUrl,
    stateDir: path.join(folder, 'agent'),
    joinToken,
    env: { CARILLON_CA: files.certificate },
  });
  t.teardown(() => agent.stop());
  const online = async () => /carillon_workers\{status="ONLINE"\} 1/.test((await publicAnswer('/metrics')).body);
  await until('the agent is online', online);
  await eventsComeAsTheyHappen(t, apiKey);
  const child = spawn(process.execPath, [path.join(ROOT, 'control-plane/commands/doctor.ts'), '--json'], {
    env: { ...process.env, ...env, DATABASE_URL: database.url ?? '', NODE_EXTRA_CA_CERTS: files.certificate },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const results = JSON.parse(await text(child.stdout)) as CheckResult[];
  const found = results.filter(({ state, check }) => state !== 'OK' && check !== 'clock');
  t.same(found, [], 'the doctor finds nothing missing');
  t.ok(results.some(({ check }) => check === 'agents'));
}

t.jobs = 1;
await buildDashboard();

t.test('TLS of its own', async (t) => {
  const folder = await folderOf('tls');
  await isReached(t, settings(block('HOST=0.0.0.0', folder)), folder);
});

/** How each proxy starts with its part of the configuration: what a distribution puts around it stands here. */
const PROXIES: Readonly<Record<string, (folder: string, file: string) => Promise<Peer>>> = {
  async nginx(folder, file) {
    const parts = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `${one}_temp_path ${folder}/${one};`,
    );
    const head = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}`;
    const around = (server: string) => `${head}\nhttp { access_log off; ${parts.join(' ')}\n${server} }\n`;
    await writeFile(file, around(block('map $http_upgrade', folder)));
    return startPeer('/usr/sbin/nginx', ['-p', folder, '-c', file, '-e', 'stderr']);
  },
  async caddy(folder, file) {
    const head = `{\n admin off\n auto_https disable_redirects\n https_port ${publicPort}\n}\n`;
    await writeFile(file, `${head}${block('reverse_proxy', folder)}`);
    return startPeer('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env: { HOME: folder } });
  },
  async haproxy(folder, file) {
    spawnSync('sh', ['-ec', block('> /etc/haproxy/carillon.pem', folder)]);
    await writeFile(file, block('backend carillon', folder));
    return startPeer('/usr/sbin/haproxy', ['-db', '-f', file]);
  },
};

for (const [name, start] of Object.entries(PROXIES)) {
  t.test(`behind ${name}`, async (t) => {
    const folder = await folderOf(name);
    const proxy = await start(folder, path.join(folder, 'proxy.conf'));
    t.teardown(() => proxy.stop());
    await isReached(t, settings(block('HOST=127.0.0.1', folder)), folder);
  });
}

t.test('as a service of systemd', async (t) => {
  const folder = await folderOf('systemd');
  const unit = block('[Unit]', folder);
  const file = path.join(folder, 'carillon.service');
  await writeFile(file, unit);
  const verified = spawnSync('sh', ['-c', `systemd-analyze verify ${file} 2>&1 || true`], { encoding: 'utf8' });
  t.notMatch(verified.stdout, /Unknown|Failed to parse|Invalid/, 'systemd reads the unit');

  const { ExecStart = '', WorkingDirectory = '' } = settings(unit);
  const env = settings(block('HOST=0.0.0.0', folder));
  const [program = '', ...args] = ExecStart.split(' ');
  const service: Peer = startPeer(program, args, { cwd: WorkingDirectory, env: { ...env, DATABASE_URL: '' } });
  t.teardown(() => service.stop('SIGKILL'));
  const link = await until('it prints the link', () => /https\S+\/set-up#\S+/.exec(service.output())?.[0], {
    idleMs: 120_000,
  });
  t.ok(link.startsWith(`${publicUrl}/set-up#`), link);
  t.match(await publicAnswer('/set-up', 'text/html'), { status: 200, body: /<html/ });
  t.equal(await service.stop(), 0, 'SIGTERM to the one process ends it in order');
});

t.test('every example was taken', (t) => {
  const here = blocksProvedBy('scripts/e2e/install/server.test.ts').map(({ at }) => at);
  t.same(
    here.filter((at) => !taken.has(at)),
    [],
  );
  t.end();
});
