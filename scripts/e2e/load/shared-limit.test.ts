/** Two control planes on one database: a key has one budget, at whichever it is used. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { newApiKey, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { labOrganization, provisionText } from '../../peers/lab/provision.ts';

const LIMIT = 120;
const REQUESTS_EACH = 200;
/** 400 requests take less. */
const ENOUGH_SECONDS = 20;

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-replicas-'));
const database = await openLabDatabase(dir, 'given');
const apiKey = newApiKey();
const provision = provisionText({ ...labOrganization({ apiKey, workers: [], tests: [] }), plan: 'PRO' });
const start = (name: string) =>
  startControlPlaneProcess({
    dataDir: `${dir}/${name}`,
    provision,
    env: { CARILLON_SEALING_KEYS_FILE: `${dir}/keys` },
    ...(database.url !== undefined && { databaseUrl: database.url }),
  });
const first = await start('first');
const second = await start('second');
t.teardown(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await database.close();
  await rm(dir, { recursive: true, force: true });
});

const ask = (url: string) => fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${apiKey}` } });
const resetSeconds = async (): Promise<number> => Number((await ask(first.url)).headers.get('ratelimit-reset'));

t.test(`of ${2 * REQUESTS_EACH} requests in one window exactly ${LIMIT} pass`, async (t) => {
  // A window starts with the minute: the rest of this one may be too short. Our own requests count.
  for (let left = await resetSeconds(); left < ENOUGH_SECONDS; left = await resetSeconds()) await sleep(left * 1000);
  const looks = LIMIT - Number((await ask(second.url)).headers.get('ratelimit-remaining'));
  const answers = await Promise.all(
    [first, second].flatMap(({ url }) => Array.from({ length: REQUESTS_EACH }, () => ask(url))),
  );
  const statuses = answers.map((a) => a.status);
  const passed = statuses.filter((s) => s === 200).length;
  t.equal(passed + looks, LIMIT, `${passed} of ${statuses.length}, after ${looks} looks`);
  t.equal(statuses.filter((s) => s === 429).length, statuses.length - passed, 'all others are refused');
  const refused = answers.find((a) => a.status === 429);
  t.ok(Number(refused?.headers.get('retry-after')) > 0, 'and told when to come again');
  t.match(await refused?.json(), { error: { code: 'RATE_LIMITED' } });
});
