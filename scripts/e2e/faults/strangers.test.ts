/**
 * Floods of strangers from the address of everybody else: those with a key and those with a browser that is known are answered all the same, and what
 * they wait is told beside what they wait without. And the operator's command, beside a control plane that runs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Secret as Base32, TOTP } from 'otpauth';
import t, { type Test } from 'tap';
import { SESSION_HEADER } from '../../../control-plane/contract/client.ts';
import { newApiKey, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { startPeer } from '../../peers/process.ts';

const ACCOUNT = path.resolve(import.meta.dirname, '..', '..', '..', 'control-plane', 'commands', 'account.ts');
const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@lab.example';
const HONEST_REQUESTS = 60;
const ATTACKERS = 6;

const dir = await mkdtemp(path.join(tmpdir(), 'carillon-strangers-'));
const database = await openLabDatabase(path.join(dir, 'data'), 'given');
const apiKey = newApiKey();
const lab = labOrganization({ apiKey, workers: [], tests: [], registrars: [] });
const ada = { email: EMAIL, name: 'Ada', role: 'OWNER' as const, password: PASSWORD };
const controlPlane = await startControlPlaneProcess({
  dataDir: path.join(dir, 'data'),
  provision: provisionText({ ...lab, users: [...(lab.users ?? []), ada] }),
  ...(database.url !== undefined && { databaseUrl: database.url }),
});
t.teardown(async () => {
  await controlPlane.stop();
  await database.close();
  await rm(dir, { recursive: true, force: true });
});
const api = `${controlPlane.url}/api/v1`;
const page = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

const logIn = (email: string, password: string, cookie = '') =>
  fetch(`${api}/entrance/log-in`, {
    method: 'POST',
    headers: { ...page, cookie },
    body: JSON.stringify({ email, password }),
  });
const withKey = (key: string) => fetch(`${api}/projects`, { headers: { authorization: `Bearer ${key}` } });
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

type Served = { readonly statuses: ReadonlyMap<number, number>; readonly p99Ms: number };

/** One request after the other. */
async function serve(ask: () => Promise<Response>, requests: number): Promise<Served> {
  const statuses = new Map<number, number>();
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const began = performance.now();
    const response = await ask();
    await response.arrayBuffer();
    times.push(performance.now() - began);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  times.sort((a, b) => a - b);
  return { statuses, p99Ms: times[Math.floor(0.99 * (times.length - 1))] as number };
}

/** What is asked beside a flood of `attack`, and what came of both. */
async function beside(attack: () => Promise<Response>, ask: () => Promise<Response>, requests = HONEST_REQUESTS) {
  const alone = await serve(ask, requests);
  let isOver = false;
  const refused = new Map<number, number>();
  const attackers = Array.from({ length: ATTACKERS }, async () => {
    while (!isOver) {
      const response = await attack();
      await response.arrayBuffer();
      refused.set(response.status, (refused.get(response.status) ?? 0) + 1);
    }
  });
  const flooded = await serve(ask, requests);
  isOver = true;
  await Promise.all(attackers);
  return { alone, flooded, refused };
}

function told(t: Test, { alone, flooded, refused }: Awaited<ReturnType<typeof beside>>): void {
  const ratio = (flooded.p99Ms / alone.p99Ms).toFixed(1);
  t.comment(
    `p99 ${alone.p99Ms.toFixed(0)} ms alone, ${flooded.p99Ms.toFixed(0)} ms beside ${ATTACKERS} attackers: x ${ratio}; ` +
      `the attackers were answered ${JSON.stringify([...refused])}`,
  );
}

t.jobs = 1;

t.test('bad keys', async (t) => {
  const result = await beside(
    () => withKey(newApiKey()),
    () => withKey(apiKey),
  );
  told(t, result);
  t.same([...result.flooded.statuses], [[200, HONEST_REQUESTS]], 'the good key is answered each time');
  t.ok((result.refused.get(429) ?? 0) > 0 && !result.refused.has(200) && !result.refused.has(500));
});

/** The owner's browser. */
let known = '';

t.test('guesses of a password', async (t) => {
  known = cookiesOf(await logIn(EMAIL, PASSWORD));
  const requests = 10;
  const result = await beside(
    () => logIn(EMAIL, 'a guess of a stranger'),
    () => logIn(EMAIL, PASSWORD, known),
    requests,
  );
  told(t, result);
  t.same([...result.flooded.statuses], [[200, requests]], 'the owner comes in each time');
  t.ok((result.refused.get(429) ?? 0) > 0 && !result.refused.has(200) && !result.refused.has(500));
  t.equal((await logIn(EMAIL, PASSWORD)).status, 429, 'from that address, in a browser that is not known, nobody does');
});

t.test("the operator's command lets in again, and sets a new password", async (t) => {
  const account = (...args: string[]) =>
    startPeer(process.execPath, [ACCOUNT, ...args], {
      env: { CARILLON_DATA_DIR: path.join(dir, 'data'), DATABASE_URL: database.url ?? '', CARILLON_PROVISION: '' },
    });
  const nobody = account('reset', 'nobody@lab.example');
  t.equal(await nobody.exited, 1, nobody.output());
  t.match(nobody.output(), /Nobody has the address nobody@lab\.example/);
  const help = account();
  t.equal(await help.exited, 1);
  t.match(help.output(), /npm run account -- reset EMAIL/);
  const authenticator = async () => {
    const cookie = cookiesOf(await logIn(EMAIL, PASSWORD, known));
    const post = async (url: string, body: object) => {
      const headers = { ...page, cookie };
      return (await (await fetch(`${api}${url}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
        data: { secret: string };
      };
    };
    const { secret } = (await post('/me/second-factor', {})).data;
    const code = new TOTP({ secret: Base32.fromBase32(secret) }).generate();
    return (await post('/me/second-factor/confirmation', { code })).data !== undefined;
  };
  t.ok((await authenticator()) || (await authenticator()), 'a second factor is set up');
  t.equal((await logIn(EMAIL, PASSWORD, known)).status, 403, 'and asked for');
  const removal = account('remove-second-factor', EMAIL);
  t.equal(await removal.exited, 0, removal.output());
  t.equal((await logIn(EMAIL, PASSWORD, known)).status, 200, 'the operator has removed it');
  const again = account('remove-second-factor', EMAIL);
  t.equal(await again.exited, 1);
  t.match(again.output(), /has no second factor/);
  const reset = account('reset', EMAIL.toUpperCase());
  t.equal(await reset.exited, 0, reset.output());
  const token = /\/password#([\w-]{43})/.exec(reset.output())?.[1];
  t.equal((await logIn(EMAIL, PASSWORD)).status, 200, 'what was guessed is forgotten');
  const set = await fetch(`${api}/entrance/password`, {
    method: 'POST',
    headers: page,
    body: JSON.stringify({ token, password: 'staple under violet tram' }),
  });
  t.equal(set.status, 200);
  t.equal((await logIn(EMAIL, PASSWORD)).status, 401);
  t.equal((await logIn(EMAIL, 'staple under violet tram')).status, 200);
});
