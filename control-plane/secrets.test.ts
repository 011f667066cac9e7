/** Passwords, keys and tokens in the control plane are printed nowhere, and arrive unchanged where they are used. */
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { wire } from '@carillon/proto';
import t, { type Test } from 'tap';
import { stringify } from 'yaml';
import { createIdentity } from '../agent/net/text/self-signed.ts';
import { CATALOGUE } from './catalogue.ts';
import { readConfig } from './config.ts';
import { parseProvisionFile } from './contract/provision-file.ts';
import { provisionFaults } from './domain/project/provision.ts';
import { type AllocateOrder, allocateOrder } from './domain/run/orders/orders.ts';
import type { PlannedInstance } from './domain/run/plan/plan.ts';
import { encodeOrder } from './link/wire/encode-order.ts';
import { newToken } from './operations/request/session.ts';
import { insertCommand, openCommands } from './store/agents/commands.ts';
import { ringOf } from './store/db.ts';
import { webhookSecret } from './store/notify/webhooks.ts';
import { registrarPlans, registrarPlansWithKeys, sipAccountPlans } from './store/project/registrars.ts';
import { acmeFile, openApi } from './testing/api.ts';

const { certificate, key } = createIdentity('127.0.0.1');
const PRIVATE_KEY = key.reveal();
/** A line from its middle. */
const KEY_LINE = PRIVATE_KEY.split('\n')[1] as string;
const SIP_PASSWORD = 'sip-password-7';
const WEBHOOK_SECRET = 'webhook-secret-of-24-letters';
/** Of any password of 1002. */
const HA1 = '939e7578ed9e3c518a452acee763bce9';
const SECRETS = [
  KEY_LINE,
  SIP_PASSWORD,
  WEBHOOK_SECRET,
  'database-password-7',
  'mail-password-7',
  'metrics-token-of-16',
  'a password of a user',
  'the join token of theirs',
  'crl_00000000000000000000000000000001',
  HA1,
];

const printed = (value: unknown): string =>
  [inspect(value, { depth: null, showHidden: true }), JSON.stringify(value), String(value)].join('\n');
const masked = (t: Test, value: unknown, what: string): void => {
  const text = printed(value);
  t.same(
    SECRETS.filter((secret) => text.includes(secret)),
    [],
    `${what} prints no secret`,
  );
};

const tls = { verify: 'SKIP', certificate, key: PRIVATE_KEY };
const sipAccounts = [{ username: '1001', password: SIP_PASSWORD }];
const REGISTRAR = { slug: 'pbx', name: 'PBX', uri: 'sip:pbx.example', protocol: 'TLS', tls, sipAccounts };
const api = await openApi(t);
const { world, ask, projectId, workerIds } = api;
const { db } = world.database;
const lab = `/projects/${projectId}`;
await world.provision(acmeFile({ registrars: [REGISTRAR] }));

t.test('secrets of the configuration are masked', async (t) => {
  const config = readConfig({
    DATABASE_URL: 'postgres://carillon:database-password-7@127.0.0.1/carillon',
    CARILLON_METRICS_TOKEN: 'metrics-token-of-16',
  });
  masked(t, config, 'the configuration');
  t.match(config.databaseUrl?.reveal(), 'database-password-7');
  t.equal(config.metricsToken?.reveal(), 'metrics-token-of-16');
  t.throws(() => readConfig({ CARILLON_METRICS_TOKEN: 'too short' }), /CARILLON_METRICS_TOKEN: (?!.*too short)/);
  for (const value of [
    'a secret of its own\n',
    'a secret of its own\r\n',
    ' a secret of its own',
    'a secret of its own\t',
  ])
    t.throws(
      () => readConfig({ CARILLON_METRICS_TOKEN: value }),
      { message: /CARILLON_METRICS_TOKEN: begins or ends with white space/ },
      JSON.stringify(value),
    );
});

t.test('secrets of a provisioning file are masked', async (t) => {
  const [acme, other] = acmeFile({
    registrars: [REGISTRAR],
    webhooks: [{ url: 'https://example.com/hook', events: ['incident.opened'], secret: WEBHOOK_SECRET }],
  }).organizations;
  const users = [{ email: 'a@acme.example', name: 'A', role: 'OWNER', password: 'a password of a user' }];
  const text = stringify({ organizations: [acme, { ...other, users: [...(other?.users ?? []), ...users] }] });
  masked(t, parseProvisionFile(text, {}, provisionFaults), 'a provisioning file');
  const twice = stringify({ organizations: [acme, { ...other, apiKeys: acme?.apiKeys.slice(0, 1) }] });
  t.throws(
    () => parseProvisionFile(twice, {}, provisionFaults),
    /apiKeys\[0\]\.key: is also used elsewhere in this file/,
  );
});

t.test("requests' bodies", async (t) => {
  const account = CATALOGUE.createSipAccounts.input.parse({ projectId, registrarId: 'r', sipAccounts });
  masked(t, account, 'SIP accounts');
  t.equal(account.sipAccounts[0]?.password?.reveal(), SIP_PASSWORD);
  const hashed = [{ username: '1002', ha1: HA1 }];
  const other = CATALOGUE.createSipAccounts.input.parse({ projectId, registrarId: 'r', sipAccounts: hashed });
  masked(t, other, 'an account by its HA1');
  t.equal(other.sipAccounts[0]?.ha1?.reveal(), HA1);
  masked(t, CATALOGUE.createRegistrar.input.parse({ projectId, name: 'P', uri: 'sip:p', tls }), 'a registrar');
  const url = 'https://example.com/hook';
  const webhook = { projectId, url, events: ['incident.opened'], secret: WEBHOOK_SECRET };
  masked(t, CATALOGUE.createWebhook.input.parse(webhook), 'a webhook');
  const password = 'a password of a user';
  masked(t, CATALOGUE.logIn.input.parse({ email: 'a@acme.example', password }), 'a login');
  masked(t, CATALOGUE.changePassword.input.parse({ currentPassword: password, newPassword: password }), 'a change');
  t.match(newToken().reveal(), /^[\w-]{43}$/);
});

/** An allocation as planned from the rows of the database. */
async function allocation(): Promise<AllocateOrder> {
  const ids = (await registrarPlans(db, projectId)).map((r) => r.id);
  const registrar = (await registrarPlansWithKeys(db, projectId, ids)).find((r) => r.tls !== null);
  const [account] = await sipAccountPlans(db, projectId, ids);
  masked(t, [registrar, account], 'a registrar and its accounts');
  const group = { mode: 'CALL', audioCodecs: ['PCMU'], actions: [], mediaTracks: [], callee: { mode: 'RECEIVE' } };
  const endpoints = [{ number: 0, listener: 0, registerAtMs: 0, callAtMs: 0, user: 'e0', calleeUri: '' }];
  const instance = {
    id: randomUUID(),
    group: {
      ...group,
      subPopulations: [],
      videoCodecs: [],
      encryption: 'NONE',
      dtmf: null,
      rtcpMux: false,
      rtpTrace: null,
    },
    registrar,
    role: 'CALLEE',
    endpoints: [...endpoints.map((e) => ({ ...e, account })), ...endpoints.map((e) => ({ ...e, account: null }))],
  } as unknown as PlannedInstance;
  const times = { endpoints: 2, durationSeconds: 1, buildupSeconds: 0, maxExecutionSeconds: 60 };
  return allocateOrder({ id: randomUUID(), config: { groups: [instance.group] }, ...times }, instance, new Map());
}

t.test('an allocation, the same as it waits in the database, and as its agent gets it', async (t) => {
  const order = await allocation();
  masked(t, order, 'an allocation');
  const workerId = workerIds['edge-1'] as string;
  await db.deleteFrom('worker_commands').execute();
  await insertCommand(db, {
    workerId,
    runId: order.runId,
    instanceId: order.allocationId,
    kind: 'allocate',
    body: order,
  });
  const { body } = await db.selectFrom('worker_commands').select('body').executeTakeFirstOrThrow();
  t.match(body, { endpoints: { accountUser: ['1001', ''] }, group: { tls: { verify: 'SKIP' } } });
  masked(t, body, 'an order in the database');
  const [waiting] = await openCommands(db, workerId, []);
  masked(t, waiting, 'an order that waits');
  const { Command } = wire.agent.v1;
  const told = Command.decode(Command.encode(encodeOrder(1, waiting?.order as AllocateOrder)).finish()).allocate;
  t.equal(told?.group?.tls?.key, PRIVATE_KEY);
  t.same(told?.endpoints?.accountPassword, [SIP_PASSWORD, '']);
  await db.deleteFrom('worker_commands').execute();
});

t.test('a request is another one where only its secret differs', async (t) => {
  const registrarId = (await registrarPlans(db, projectId)).find((r) => r.tls !== null)?.id;
  const make = (password: string) =>
    ask(
      'POST',
      `${lab}/registrars/${registrarId}/sip-accounts`,
      { sipAccounts: [{ username: '2002', password }] },
      {
        headers: { 'idempotency-key': 'once' },
      },
    );
  const first = await make(SIP_PASSWORD);
  t.equal(first.status, 201, first.text);
  t.same((await make(SIP_PASSWORD)).data, first.data);
  t.match(await make('another'), { status: 422, paths: ['Idempotency-Key'] });
  const { request } = await db.selectFrom('idempotency_keys').select('request').executeTakeFirstOrThrow();
  const none = { authName: null, displayName: null, ha1: null, number: null };
  const account = { ...none, password: SIP_PASSWORD, username: '2002', values: {} };
  const asked = { projectId, registrarId, sipAccounts: [account] };
  const [mac] = ringOf(db).macs(JSON.stringify(['createSipAccounts', asked]));
  t.ok(request.equals(mac), 'of all that it says, with a key: nobody tries passwords on it');
});

t.test("a webhook's secret is returned once, and masked", async (t) => {
  const url = 'https://example.com/hook';
  const made = await ask('POST', `${lab}/webhooks`, { url, events: ['incident.opened'], secret: WEBHOOK_SECRET });
  t.equal(made.data.secret, WEBHOOK_SECRET, 'told once');
  const kept = await webhookSecret(db, made.data.id, 1);
  masked(t, { kept }, 'its secret');
  t.equal(kept?.reveal(), WEBHOOK_SECRET);
});

t.test('nothing of all this was logged, or answered where it was not asked for', async (t) => {
  const told = api.heard.filter((line) => !line.includes(`"secret":"${WEBHOOK_SECRET}"`));
  masked(t, told, 'what was heard');
});
