/** A project whose configuration is written over the API: valid bodies of each kind, and the addresses of what they create. */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { DEFAULT_PLANS } from '../contract/people/plans.ts';
import { callsBody, openApi, probeBody, wavBase64 } from './api.ts';

export async function openWrites(t: Test) {
  const api = await openApi(t);
  const { ask, world, projectId, cloudId } = api;
  const { db } = world.database;
  const lab = `/projects/${projectId}`;

  let n = 0;
  const fresh = (what: string) => `${what} ${++n}`;

  /** Creates one, and returns its address. */
  const make = async (where: string, body: object): Promise<string> => {
    const made = await ask('POST', where, body);
    if (made.status !== 201) throw new Error(`${where}: ${made.text}`);
    return `${where}/${made.data.id}`;
  };
  const registrar = (more: object = {}) => ({ name: fresh('PBX'), uri: 'sip:127.0.0.1:5070', ...more });
  const newRegistrar = (more: object = {}) => make(`${lab}/registrars`, registrar(more));
  const idOf = (url: string) => url.split('/').at(-1) as string;

  async function newAccounts(registrarUrl: string, usernames: string[]): Promise<{ id: string; username: string }[]> {
    const sipAccounts = usernames.map((username) => ({ username, password: `secret-${username}` }));
    const made = await ask('POST', `${registrarUrl}/sip-accounts`, { sipAccounts });
    return made.data.sipAccounts;
  }
  async function newAccount(): Promise<string> {
    const url = await newRegistrar();
    const [account] = await newAccounts(url, ['1001']);
    return `${url}/sip-accounts/${account?.id}`;
  }
  const webhook = () => ({ url: `https://hooks.example/${++n}`, events: ['incident.opened'] });
  const pattern = (name: string): string =>
    readFileSync(new URL(import.meta.resolve(`@carillon/media/video/pattern/${name}`))).toString('base64');
  const media = () => ({ name: fresh('greeting'), content: wavBase64() });
  const test = (more: object = {}) => callsBody(cloudId, 1, { name: fresh('Calls'), ...more });
  const probe = (more: object = {}) => probeBody(cloudId, { name: fresh('Door'), ...more });

  return {
    ...{ api, db, lab, fresh, make, registrar, newRegistrar, idOf, newAccounts, newAccount },
    ...{ webhook, pattern, media, test, probe },
  };
}

/** Plans for as many requests as a test sends. */
export const UNHURRIED = {
  ...DEFAULT_PLANS,
  UNLIMITED: { ...DEFAULT_PLANS.UNLIMITED, requestsPerMinute: 1_000_000 },
};

/** After all writes: neither an answer nor the log has them. */
export function noPasswordReturned(t: Test, api: Awaited<ReturnType<typeof openApi>>, ownerKey: string): void {
  const text = api.heard.join('\n');
  t.notMatch(text, /secret-1001|hidden 1000|renewed password/);
  t.notOk(text.includes(ownerKey.slice(4)), 'nor a key');
}
