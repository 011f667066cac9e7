/** The API for tests that write: two organizations, keys of every role, and one line a request. */
import type { Test } from 'tap';
import { ROLES, type Role } from '../contract/roles.ts';
import { createHttpServer } from '../http/server.ts';
import { callsTest, openWorld, TOKENS, type World } from './world.ts';

export type TestIdentity = {
  readonly name: string;
  readonly key: string;
  /** Role in the project `lab`; null: it does not exist for this identity. */
  readonly role: Role | null;
  /** Role in the organization. */
  readonly own: Role;
};

const keyOf = (n: number) => `crl_${String(n).padStart(32, '0')}`;
const members: TestIdentity[] = ROLES.map((role, i) => ({ name: role, key: keyOf(i + 1), role, own: role }));
export const OWNER = members.at(-1) as TestIdentity;
export const EDITOR = members[2] as TestIdentity;
const ELSEWHERE: TestIdentity = { name: 'ADMIN elsewhere', key: keyOf(11), role: null, own: 'ADMIN' };
export const FOREIGN: TestIdentity = { name: 'OWNER, other org', key: keyOf(12), role: null, own: 'OWNER' };
export const IDENTITIES: readonly TestIdentity[] = [...members, ELSEWHERE, FOREIGN];

const email = (name: string) => `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@acme.example`;

export const acmeFile = (more: object = {}) => ({
  organizations: [
    {
      slug: 'acme',
      name: 'Acme Telecom',
      users: [
        ...members.map((m) => ({ email: email(m.name), name: m.name, role: m.own })),
        { email: email(ELSEWHERE.name), name: 'Elsewhere', role: ELSEWHERE.own, projects: ['hidden'] },
      ],
      apiKeys: [...members, ELSEWHERE].map((m) => ({ name: m.name, user: email(m.name), key: m.key })),
      workers: TOKENS.map((joinToken, i) => ({ name: `edge-${i + 1}`, region: 'local', capacity: 20, joinToken })),
      projects: [
        { slug: 'lab', name: 'Lab', ...more },
        { slug: 'hidden', name: 'Hidden', tests: [callsTest(1)] },
      ],
    },
    {
      slug: 'other',
      name: 'Other',
      users: [{ email: 'owner@other.example', name: 'Owner', role: 'OWNER' }],
      apiKeys: [{ name: 'key', user: 'owner@other.example', key: FOREIGN.key }],
      workers: [{ name: 'theirs', joinToken: 'the join token of theirs' }],
      projects: [{ slug: 'lab', name: 'Other lab', tests: [callsTest(1)] }],
    },
  ],
});

export type ApiReply = {
  readonly status: number;
  readonly etag: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
  readonly data: any;
  readonly code: string | undefined;
  readonly message: string;
  /** Paths of the details. */
  readonly paths: readonly string[];
  readonly total: number | undefined;
  readonly text: string;
};

export type Ask = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  options?: { readonly key?: string; readonly headers?: Readonly<Record<string, string>> },
) => Promise<ApiReply>;

export type TestApi = {
  readonly world: World;
  readonly ask: Ask;
  readonly projectId: string;
  readonly hiddenId: string;
  readonly cloudId: string;
  readonly workerIds: Readonly<Record<string, string>>;
  /** Opens a port; the address that ends in /api/v1. */
  listen(): Promise<string>;
  /** All answers and log lines. */
  readonly heard: string[];
};

export async function openApi(t: Test): Promise<TestApi> {
  const world = await openWorld(t);
  const heard: string[] = [];
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    world.ports.log[level] = (fields, message) => void heard.push(JSON.stringify([fields, message]));
  }
  await world.provision(acmeFile());
  const { app } = await createHttpServer(world.ports);
  await app.ready();
  t.teardown(() => app.close());
  const ask: Ask = async (method, url, body, { key = OWNER.key, headers = {} } = {}) => {
    const response = await app.inject({
      method,
      url: `/api/v1${url}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    heard.push(response.body);
    const isJson = /\bjson\b/.test(String(response.headers['content-type']));
    const { data, error, meta } = isJson ? response.json() : {};
    return {
      status: response.statusCode,
      etag: response.headers.etag,
      headers: response.headers,
      data,
      code: error?.code,
      message: error?.message ?? '',
      paths: (error?.details ?? []).map((d: { path: string }) => d.path),
      total: meta?.pagination?.total,
      text: response.body,
    };
  };
  const projects: { id: string; slug: string }[] = (await ask('GET', '/projects')).data;
  const idOf = (slug: string) => projects.find((p) => p.slug === slug)?.id as string;
  const projectId = idOf('lab');
  const workers = await world.database.db.selectFrom('workers').select(['id', 'name']).execute();
  return {
    world,
    ask,
    projectId,
    hiddenId: idOf('hidden'),
    cloudId: (await ask('GET', `/projects/${projectId}/registrars`)).data[0].id,
    workerIds: Object.fromEntries(workers.map((w) => [w.name, w.id])),
    listen: async () => `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`,
    heard,
  };
}

const region = { mode: 'REGION', region: 'local' };

/** Callers and callees over this registrar. */
export const callsBody = (registrarId: string, calls = 1, more: object = {}) => ({
  name: 'Calls',
  buildup: 2,
  durationSeconds: 5,
  groups: [
    {
      name: 'callers',
      registrarId,
      callee: { mode: 'GROUP', group: 'callees' },
      placement: region,
      subPopulations: [{ name: 'all', role: 'CALLER', endpoints: calls }],
    },
    {
      name: 'callees',
      registrarId,
      callee: { mode: 'RECEIVE' },
      placement: region,
      subPopulations: [{ name: 'all', role: 'CALLEE', endpoints: calls }],
    },
  ],
  ...more,
});

export const probeBody = (registrarId: string, more: object = {}) => ({
  name: 'Front door (local)',
  fixedIntervalSec: 300,
  test: { registrarId, callee: { mode: 'EXTERNAL_URI', uri: 'sip:9000@127.0.0.1:5070' }, placement: region },
  thresholds: [{ metricKey: 'avgMos', greenValue: 4, orangeValue: 3.6 }],
  ...more,
});

/** A WAV file of silence: PCM, one channel. */
export function wavBase64(ms = 100, rate = 8000, bits = 16): string {
  const data = Buffer.alloc((rate * ms * bits) / 8000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * bits) / 8, 28);
  head.writeUInt16LE(bits / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]).toString('base64');
}
