/** An account of a control plane, as its owner and strangers log in to it, and the operator's command beside it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';
import { SESSION_HEADER } from '../../../control-plane/client.ts';
import { newApiKey, startControlPlaneProcess } from '../../peers/lab/carillon.ts';
import { openLabDatabase } from '../../peers/lab/database.ts';
import { labOrganization, provisionText } from '../../peers/lab/provision.ts';
import { type Peer, startPeer } from '../../peers/process.ts';

const ACCOUNT = path.resolve(import.meta.dirname, '..', '..', '..', 'control-plane', 'commands', 'account.ts');
export const PASSWORD = 'correct horse battery';
export const EMAIL = 'ada@lab.example';
/** More attempts than an account has from one network, in two quarters of an hour: the first may end in between. */
const GUESSES = 22;

export type GuardedAccount = {
  readonly cookiesOf: (response: Response) => string;
  /** A request of the dashboard. */
  post(at: string, body: object, cookie?: string): Promise<Response>;
  logIn(email: string, password: string, cookie?: string): Promise<Response>;
  /** The statuses of a stranger's guesses, until one is refused for their number. */
  guessed(): Promise<number[]>;
  /** `npm run account`. */
  command(...args: string[]): Peer;
};

export async function openAccount(t: Test): Promise<GuardedAccount> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-account-'));
  const dataDir = path.join(dir, 'data');
  const database = await openLabDatabase(dataDir, 'given');
  const lab = labOrganization({ apiKey: newApiKey(), workers: [], tests: [], registrars: [] });
  const ada = { email: EMAIL, name: 'Ada', role: 'OWNER' as const, password: PASSWORD };
  const controlPlane = await startControlPlaneProcess({
    dataDir,
    provision: provisionText({ ...lab, users: [...(lab.users ?? []), ada] }),
    ...(database.url !== undefined && { databaseUrl: database.url }),
  });
  t.teardown(async () => {
    await controlPlane.stop();
    await database.close();
    await rm(dir, { recursive: true, force: true });
  });
  const page = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const post = (at: string, body: object, cookie = '') =>
    fetch(`${controlPlane.url}/api/v1${at}`, {
      method: 'POST',
      headers: { ...page, cookie },
      body: JSON.stringify(body),
    });
  const logIn = (email: string, password: string, cookie = '') => post('/entrance/log-in', { email, password }, cookie);
  return {
    cookiesOf: (response) =>
      response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    post,
    logIn,
    async guessed() {
      const answers = new Set<number>();
      for (let n = 0; n < GUESSES && !answers.has(429); n++)
        answers.add((await logIn(EMAIL, 'a guess of a stranger')).status);
      return [...answers];
    },
    command: (...args) =>
      startPeer(process.execPath, [ACCOUNT, ...args], {
        env: { CARILLON_DATA_DIR: dataDir, DATABASE_URL: database.url ?? '', CARILLON_PROVISION: '' },
      }),
  };
}
