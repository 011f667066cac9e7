/** A standby for reading that follows, falls behind, and is gone: what lists answer, and where its lag is shown. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import type { CheckResult } from '../../../proto/check-result.ts';
import { newApiKey, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { ask } from '../../peers/lab/database.ts';
import { startDebianPostgres, startDebianStandby } from '../../peers/lab/debian-postgres.ts';
import { labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { until } from '../../peers/process.ts';
import { scrape } from '../../peers/referees/prometheus-text.ts';

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-standby-'));
const primary = await startDebianPostgres();
const standby = await startDebianStandby(primary);
const apiKey = newApiKey();
const env = { DATABASE_READ_URL: standby.url };
const controlPlane = await startControlPlaneProcess({
  dataDir: dir,
  databaseUrl: primary.url,
  provision: provisionText(labOrganization({ apiKey, workers: [], tests: [], registrars: [] })),
  env,
});
t.teardown(async () => {
  await controlPlane.stop();
  await standby.stop();
  await primary.stop();
  await rm(dir, { recursive: true, force: true });
});

async function api(method: string, at: string, body?: object) {
  const answer = await fetch(`${controlPlane.url}/api/v1${at}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: { id: string; name: string }[] };
  return { status: answer.status, data };
}
const registrars = `/projects/${(await api('GET', '/projects')).data[0]?.id}/registrars`;
const names = async (): Promise<string> => {
  const { data } = await api('GET', registrars);
  return data.flatMap(({ name }) => (name === 'Built-in' ? [] : name)).join();
};
const create = (name: string) => api('POST', registrars, { name, uri: 'sip:127.0.0.1:5070' });
/** Behind the back of the control plane, which is told of no new registrar. */
const sneak = (name: string) =>
  ask(
    primary.url,
    `insert into registrars select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'name', $1::text, 'slug', $1::text))).*
     from registrars r limit 1`,
    [name],
  );
const replay = (what: 'pause' | 'resume') => ask(standby.url, `select pg_wal_replay_${what}()`);
const lagSeconds = async (): Promise<number | undefined> =>
  (await scrape(controlPlane.url)).value('carillon_standby_lag_seconds');
const linesWith = (line: string): number => controlPlane.output().split(line).length - 1;

async function doctor(): Promise<CheckResult | undefined> {
  const program = path.join(import.meta.dirname, '../../../control-plane/commands/doctor.ts');
  const child = spawn(process.execPath, [program, '--json'], {
    env: { ...process.env, ...env, CARILLON_DATA_DIR: dir, DATABASE_URL: primary.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text));
  await once(child, 'close');
  return (JSON.parse(output) as CheckResult[]).find(({ check }) => check === 'standby');
}

t.jobs = 1;

t.test('it follows: lists come from it, and its lag is shown', async (t) => {
  t.equal((await create('first')).status, 201);
  t.equal(await names(), 'first', 'what was just written is there, wherever it is read');
  await until('the standby has it', async () => ((await lagSeconds()) ?? 9) < 1);
  t.match(await doctor(), { state: 'OK', said: /^\d\.\d s behind$/ });
});

t.test('it falls behind: its lists are older, never than what was written here', async (t) => {
  await replay('pause');
  await sneak('second');
  t.equal(await names(), 'first', 'read from the standby');
  t.equal((await create('third')).status, 201);
  t.equal(await names(), 'first,second,third', 'after a write here, read from the primary');
  await until('its lag grows', async () => ((await lagSeconds()) ?? 0) > 2);
  t.match(await doctor(), { state: 'WARN', said: /behind/ });
  await until('it is too far behind', () => linesWith('the standby is not read') === 1);
  t.match(controlPlane.output(), /more than 10 s behind/);
  await replay('resume');
  await until('it is read again', () => linesWith('the standby is read again') === 1);
});

t.test('it is gone: the primary answers, and the log says so once', async (t) => {
  await standby.end('SIGQUIT');
  for (let n = 0; n < 10; n++) t.equal(await names(), 'first,second,third');
  await until('the log says it', () => linesWith('the standby is not read') === 2);
  await until('no lag is shown', async () => (await lagSeconds()) === undefined);
  t.match(await doctor(), { state: 'WARN', said: /ECONNREFUSED/ });
  await standby.start();
  await until('it is read again', () => linesWith('the standby is read again') === 2);
  t.equal(linesWith('the standby is not read'), 2);
});

t.test('it is promoted: it is another database from now on', async (t) => {
  await ask(standby.url, 'select pg_promote()');
  await until('it is not read', () => linesWith('the standby is not read') === 3);
  t.match(controlPlane.output(), /names no standby, or one that was promoted/);
  await sneak('fourth');
  t.match(await names(), /fourth/);
});
