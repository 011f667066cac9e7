/** `npm run doctor` as an operator runs it: before the first start, beside a running control plane, and with each thing broken. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { CheckResult } from '../../../proto/check-result.ts';
import { type ControlPlaneProcess, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { certificateIn } from '../../peers/network/certificate.ts';
import { freePort } from '../../peers/network/loopback.ts';
import { until } from '../../peers/process.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const dir = await mkdtemp(path.join(tmpdir(), 'carillon-doctor-'));
await chmod(dir, 0o711);
const dataDir = path.join(dir, 'data');
const database = await openLabDatabase(dataDir, 'migrated');
const port = await freePort();
const { files, first, write } = certificateIn(dir);
const url = `https://${hostname()}:${port}`;
const TLS = { CARILLON_TLS_CERTIFICATE: files.certificate, CARILLON_TLS_KEY: files.key, CARILLON_PUBLIC_URL: url };
const SERVER = { HOST: '0.0.0.0', PORT: String(port), ...TLS };
let controlPlane: ControlPlaneProcess | null = null;
t.teardown(async () => {
  await controlPlane?.stop();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

type Env = Readonly<Record<string, string>>;

async function doctor(env: Env): Promise<{ status: number; of: (check: string) => CheckResult | undefined }> {
  const program = path.join(ROOT, 'control-plane', 'commands', 'doctor.ts');
  const child = spawn(process.execPath, [program, '--json'], {
    env: { ...process.env, CARILLON_DATA_DIR: dataDir, DATABASE_URL: database.url ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text));
  const [status] = await once(child, 'close');
  const results = JSON.parse(said) as CheckResult[];
  for (const { check, state, cure } of results)
    t.equal(cure === null, state === 'OK' || state === 'UNKNOWN', `${check}: what is wrong has a cure`);
  return { status, of: (check) => results.find((one) => one.check === check) };
}

async function finds(t: Test, env: Env, status: number, expected: Record<string, Partial<CheckResult> | object>) {
  const found = await doctor(env);
  t.equal(found.status, status, JSON.stringify(env));
  for (const [check, result] of Object.entries(expected)) t.match(found.of(check), result, check);
}

t.jobs = 1;

t.test('before the first start, with settings of a desk', async (t) => {
  const env = { CARILLON_DATA_DIR: path.join(dir, 'none'), DATABASE_URL: '', PORT: String(port) };
  await finds(t, env, 0, {
    settings: { state: 'OK' },
    database: { state: 'OK', said: /first start creates it/ },
    port: { state: 'OK', said: /free/ },
    reach: { state: 'OK', said: /only from this host; from others with HOST=0\.0\.0\.0 CARILLON_PUBLIC_URL=/ },
    mail: { state: 'OK', said: /no server/ },
    disk: { state: 'OK' },
  });
});

t.test('beside a control plane on a server', async (t) => {
  controlPlane = await startControlPlaneProcess({
    dataDir,
    port,
    env: SERVER,
    ...(database.url !== undefined && { databaseUrl: database.url }),
  });
  t.equal(controlPlane.url, `https://0.0.0.0:${port}`);
  const trusted = { ...SERVER, NODE_EXTRA_CA_CERTS: files.certificate };
  await finds(t, trusted, 0, {
    database: { state: 'OK', said: /^PostgreSQL \d+.* answers$/ },
    schema: { state: 'OK', said: /^all \d+ migrations/ },
    'sealing keys': { state: 'OK' },
    port: { state: 'OK', said: /a control plane answers/ },
    certificate: { state: 'OK', said: new RegExp(`^for ${hostname()}, until `) },
    'public address': { state: 'OK' },
    agents: { state: 'OK' },
  });
  const image = await readFile(path.join(ROOT, 'control-plane', 'Dockerfile'), 'utf8');
  const [, healthCheck = ''] = /^HEALTHCHECK .*\\\n {2}CMD (.*)$/m.exec(image) ?? [];
  const seen = spawnSync('sh', ['-c', healthCheck], { env: { ...process.env, ...SERVER } });
  t.equal(seen.status, 0, 'the image of Docker sees its health');
  const { of } = await doctor(trusted);
  t.equal(of('reach'), undefined, 'nothing is missing');
  await finds(t, SERVER, 0, { 'public address': { state: 'WARN', cure: /CARILLON_CA/ } });
});

t.test('each thing broken', async (t) => {
  const other = createServer({ cert: first.certificate, key: first.key }, (_, answer) =>
    answer.writeHead(404).end('no'),
  ).listen(0, '127.0.0.1');
  await once(other, 'listening');
  t.teardown(() => other.close());
  const { port: otherPort } = other.address() as AddressInfo;
  const rows: [string, Env, status: number, check: string, object][] = [
    [
      'a key without a certificate',
      { CARILLON_TLS_KEY: files.key },
      1,
      'settings',
      { said: /CARILLON_TLS_CERTIFICATE/ },
    ],
    ['a public address without TLS', { ...TLS, CARILLON_PUBLIC_URL: 'http://x' }, 1, 'settings', { said: /https/ }],
    [
      'no database',
      { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      1,
      'database',
      { state: 'FAIL', cure: /DATABASE_URL/ },
    ],
    ['another program at the port', { PORT: String(otherPort) }, 1, 'port', { said: /another program/, cure: /PORT/ }],
    ['a foreign address', { HOST: '192.0.2.77', PORT: '0' }, 1, 'port', { state: 'FAIL', cure: /HOST/ }],
    [
      'a certificate for others',
      { ...SERVER, CARILLON_PUBLIC_URL: `https://carillon.invalid:${port}` },
      1,
      'certificate',
      { state: 'FAIL', said: /not for carillon.invalid/ },
    ],
    [
      'an unknown name',
      { ...SERVER, CARILLON_PUBLIC_URL: `https://carillon.invalid:${port}` },
      1,
      'public address',
      { state: 'FAIL', cure: /DNS/ },
    ],
    [
      'a proxy that leads elsewhere',
      { ...SERVER, CARILLON_PUBLIC_URL: `https://${hostname()}:${otherPort}` },
      1,
      'agents',
      { state: 'FAIL', said: /404/, cure: /WebSockets/ },
    ],
    [
      'other keys',
      { ...SERVER, CARILLON_SEALING_KEYS: Buffer.alloc(32, 7).toString('base64') },
      1,
      'sealing keys',
      { state: 'FAIL', cure: /CARILLON_SEALING_KEYS/ },
    ],
    ['no mail server', { SMTP_URL: 'smtp://127.0.0.1:1' }, 0, 'mail', { state: 'WARN', cure: /SMTP_URL/ }],
  ];
  for (const [what, env, status, check, result] of rows)
    await t.test(what, (t) => finds(t, { PORT: '0', ...env }, status, { [check]: result }));
});

t.test('a certificate that breaks while it serves is a warning on each page', async (t) => {
  const readyz = async () => {
    const answer = await fetchTrusting(`https://127.0.0.1:${port}/readyz`);
    return (JSON.parse(answer) as { warnings: { kind: string; message: string }[] }).warnings;
  };
  t.same(await readyz(), []);
  write('certificate', 'nothing');
  await until('it is noticed', async () => (await readyz()).some(({ kind }) => kind === 'CERTIFICATE'));
  await finds(t, SERVER, 1, { certificate: { state: 'FAIL', said: /CARILLON_TLS_CERTIFICATE/ } });
  write('certificate', first.certificate);
  await until('it is well again', async () => (await readyz()).length === 0);
});

async function fetchTrusting(address: string): Promise<string> {
  const asked = request(address, { ca: first.certificate, agent: false }).end();
  const [answer] = await once(asked, 'response');
  return text(answer);
}
