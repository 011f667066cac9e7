/**
 * An account whose password strangers guess: its owner can log in, and the operator's command, beside a running control plane,
 * unlocks it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Secret as Base32, TOTP } from 'otpauth';
import t from 'tap';
import { SESSION_HEADER } from '../../../control-plane/client.ts';
import { newApiKey, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { startPeer } from '../../peers/process.ts';

const ACCOUNT = path.resolve(import.meta.dirname, '..', '..', '..', 'control-plane', 'commands', 'account.ts');
const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@lab.example';
/** More attempts than an account has from one network, in two quarters of an hour: the first may end in between. */
const GUESSES = 22;

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
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

t.jobs = 1;

/** The owner's browser. */
let known = '';

t.test('guesses of a password', async (t) => {
  known = cookiesOf(await logIn(EMAIL, PASSWORD));
  const answers = new Set<number>();
  for (let n = 0; n < GUESSES && !answers.has(429); n++)
    answers.add((await logIn(EMAIL, 'a guess of a stranger')).status);
  t.same([...answers], [401, 429]);
  t.equal((await logIn(EMAIL, PASSWORD, known)).status, 200, 'the owner comes in');
  t.equal((await logIn(EMAIL, PASSWORD)).status, 429, 'from that address, in a browser that is not known, nobody does');
});

t.test("the operator's command lets in again, and sets a new password", async (t) => {
  const account = (...args: string[]) =>
    startPeer(process.execPath, [ACCOUNT, ...args], {
      env: { CARILLON_DATA_DIR: path.join(dir, 'data'), DATABASE_URL: database.url ?? '', CARILLON_PROVISION: '' },
    });
  const nobody = account('reset', 'nobody@lab.example');
  t.equal(await nobody.exited, 1, nobody.output());
  t.match(nobody.output(), /No account has the address nobody@lab\.example/);
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
