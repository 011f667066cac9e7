/** Secrets in the database: a dump contains none of them, a lost key is reported, and another key takes over during operation. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { createIdentity } from '../agent/net/text/self-signed.ts';
import { type Database, openDatabase, ringOf } from './store/db.ts';
import { webhookSecret } from './store/notify/webhooks.ts';
import { registrarPlans, sipAccountPlans } from './store/project/registrars.ts';
import { KeyRing, newKey, parseKey } from './store/secrets/key-ring.ts';
import { reseal, secretsByKey } from './store/secrets/reseal.ts';
import { SEALED_TABLES } from './store/secrets/sealed-columns.ts';
import { openIn, sealIn } from './store/secrets/sealing.ts';
import { forgetKey, takeUpKeys, usedKeys } from './store/secrets/sealing-keys.ts';
import { acmeFile, callsBody, openApi } from './testing/api.ts';
import { FakeAgent, isAllocate, TOKENS } from './testing/world.ts';

const { certificate, key } = createIdentity('127.0.0.1');
const SECRETS = {
  password: 'sip-password-that-is-long',
  ha1: '939e7578ed9e3c518a452acee763bce9',
  tlsKey: key.reveal(),
  webhook: 'webhook-secret-of-24-letters',
  earlier: 'webhook-secret-before-that-one',
  sent: 'sip-password-with-a-key',
};
const PASSWORDS = ['1001', '1002', '1003'].map((username) => ({ username, password: SECRETS.password }));
const PBX = {
  slug: 'pbx',
  name: 'PBX',
  uri: 'sip:127.0.0.1:5070',
  protocol: 'TLS',
  tls: { verify: 'SKIP', certificate, key: SECRETS.tlsKey },
  sipAccounts: [...PASSWORDS, { username: '1004', ha1: SECRETS.ha1 }],
};
const OTHER = { slug: 'other', name: 'Other', uri: 'sip:127.0.0.1:5071', sipAccounts: PASSWORDS };

const api = await openApi(t);
const { world, ask, projectId } = api;
const { database } = world;
const { db } = database;
const lab = `/projects/${projectId}`;
const hook = (url: string, secret: string) => ({
  url,
  events: ['incident.opened'],
  secret,
});
const file = acmeFile({
  registrars: [PBX, OTHER],
  webhooks: [hook('https://example.com/hook', SECRETS.earlier), hook('https://hooks.example/other', SECRETS.webhook)],
});
await world.provision(file);
const ids = new Map<string, string>(
  (await ask('GET', `${lab}/registrars`)).data.map((r: { slug: string; id: string }) => [r.slug, r.id]),
);
const nothing = () => undefined;
await takeUpKeys(database, new Date(), nothing);

/** Every row of every table, as a dump writes them. */
async function dump(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const texts = await Promise.all(
    rows.map(async ({ name }) => {
      const found = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(db);
      return found.rows.map(({ text }) => text).join('\n');
    }),
  );
  return texts.join('\n');
}

const secretsIn = (text: string): string[] =>
  Object.entries(SECRETS)
    .filter(([, secret]) => {
      const line = secret.split('\n')[1] ?? secret;
      return [line, Buffer.from(line).toString('hex'), Buffer.from(line).toString('base64').slice(0, -4)].some((form) =>
        text.includes(form),
      );
    })
    .map(([name]) => name);

/** The same database, with other keys. */
async function withKeys<T>(ring: KeyRing, work: (database: Database) => Promise<T>): Promise<T> {
  const other = openDatabase(database.config, { max: 2, onError: nothing, ring });
  return work(other).finally(() => other.close());
}

async function scratch(t: Test): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-keys-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return path.join(dir, 'data.keys');
}

async function run(registrar: string) {
  const made = await ask('POST', `${lab}/tests`, callsBody(ids.get(registrar) as string));
  const { data } = await ask('POST', `${lab}/tests/${made.data.id}/run`);
  await world.work();
  return (await ask('GET', `${lab}/test-runs/${data.testRunId}`)).data;
}

t.test('a dump tells no secret, an agent gets them', async (t) => {
  const headers = { 'idempotency-key': 'accounts' };
  const accounts = { sipAccounts: [{ username: '2001', password: SECRETS.sent }] };
  t.equal((await ask('POST', `${lab}/registrars/${ids.get('other')}/sip-accounts`, accounts, { headers })).status, 201);
  const [webhook] = (await ask('GET', `${lab}/webhooks`)).data;
  await ask('POST', `${lab}/webhooks/${webhook.id}/rotate-secret`, { secret: SECRETS.webhook });
  const agent = new FakeAgent(world);
  agent.sipAbilities = ['TLS', 'IDENTITY'];
  await agent.greet(TOKENS[0]);
  const started = await run('pbx');
  t.equal(started.status, 'QUEUED', started.error?.message);
  const text = await dump();
  t.ok(text.includes('2001') && text.includes('hooks.example'), 'it has what is no secret');
  t.same(secretsIn(text), [], 'and nothing that is');
  const order = (await agent.orders()).find(isAllocate);
  t.ok(order?.endpoints.accountPassword.some((p) => p.reveal() === SECRETS.password));
  t.equal(order?.group.tls?.key.reveal(), SECRETS.tlsKey);
});

t.test('what stays the same is not changed when the file is applied again', async (t) => {
  const versions = async () =>
    [...(await ask('GET', `${lab}/registrars`)).data, ...(await ask('GET', `${lab}/webhooks`)).data].map(
      (x) => x.version,
    );
  await world.provision(file);
  const before = await versions();
  await world.provision(file);
  t.same(await versions(), before);
});

/** Columns of bytes that are no sealed secrets: hashes, public keys, contents. */
const OTHER_BYTES =
  /\.(hash|sha256|request|public_key|credential_id)$|^(brands\.logo|media_files\.content|rtp_headers\.header|sealing_keys\.id|sip_chunks\.text)$/;

t.test('every column of bytes is sealed and listed, or known to be no secret', async (t) => {
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', table_name, column_name) as name from information_schema.columns
    where data_type = 'bytea' and table_schema = 'public' order by 1`.execute(db);
  const listed = SEALED_TABLES.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  t.same(
    rows.map(({ name }) => name).filter((name) => !OTHER_BYTES.test(name)),
    listed.toSorted(),
  );
});

t.test('a start with other keys is refused, and says how to mend it', async (t) => {
  const lost = await scratch(t);
  const [needed] = (await usedKeys(db)).map((id) => id.toString('hex'));
  const refusal = (ring: KeyRing) =>
    withKeys(ring, (d) => takeUpKeys(d, new Date(), nothing)).then(nothing, (e: Error) => e.message);
  const missing = await refusal(new KeyRing({ file: lost }));
  t.match(
    missing,
    new RegExp(
      `sealed with key ${needed}, and .*data\\.keys is not there.*CARILLON_SEALING_KEYS_FILE.*forget ${needed}`,
    ),
  );
  await t.rejects(stat(lost), { code: 'ENOENT' }, 'no file was made');
  t.match(await refusal(new KeyRing({ keys: newKey() })), /CARILLON_SEALING_KEYS does not hold it/);
  t.throws(
    () => new KeyRing({ keys: new Secret('short') }),
    /Sealing key 1 in CARILLON_SEALING_KEYS is not valid\. .*openssl rand -base64 32/,
  );
});

t.test('a row that cannot be read is refused by itself', async (t) => {
  const of = async (slug: string) => (await sipAccountPlans(db, projectId, [ids.get(slug) as string]))[0]?.id as string;
  const id = await of('other');
  const own = (await db.selectFrom('sip_accounts').where('id', '=', id).select('password').executeTakeFirstOrThrow())
    .password as Buffer;
  const foreign = await db
    .selectFrom('sip_accounts')
    .where('id', '=', await of('pbx'))
    .select('password')
    .executeTakeFirstOrThrow();
  const put = (password: Buffer | null) =>
    db.updateTable('sip_accounts').set({ password }).where('id', '=', id).execute();
  await put(foreign.password);
  const refused = await run('other');
  t.match(refused, { status: 'CANNOT_RUN_FOR_NOW', error: { code: 'SECRET_UNREADABLE' } });
  t.match(
    refused.error.message,
    new RegExp(`sip_accounts ${id} cannot be read: it was changed, or belongs to another row.*set the secret again`),
  );
  const stranger = sealIn(db, { table: 'sip_accounts', id }, new Secret('x'));
  parseKey(newKey()).id.copy(stranger, 1);
  await put(stranger);
  t.match((await run('other')).error.message, /key [0-9a-f]{16} is not in CARILLON_SEALING_KEYS/);
  t.match(await reseal(database), { unreadable: 1 }, 'it stays as it is');
  const other = await run('pbx');
  t.equal(other.status, 'QUEUED', other.error?.message ?? 'the others go on');
  t.equal((await ask('PATCH', `${lab}/registrars/${ids.get('pbx')}`, { name: 'PBX' })).status, 200);
  for (const wreck of [
    own.subarray(0, 20),
    Buffer.concat([own.subarray(0, -1), Buffer.of((own.at(-1) as number) ^ 1)]),
  ]) {
    t.throws(() => openIn(db, { table: 'sip_accounts', id }, wreck), { code: 'CONFLICT' });
  }
  await put(own);
});

t.test(
  'a file of keys is made once, for its owner only; another key takes over while others seal and read',
  async (t) => {
    const keys = await scratch(t);
    await reseal(database);
    const moved = new KeyRing({ file: keys });
    t.same(
      [new KeyRing({ file: keys }).makeFile(), moved.makeFile()].sort(),
      [false, true],
      'one of two first starts makes it',
    );
    t.equal((await stat(keys)).mode & 0o777, 0o600);
    const [first] = moved.all();
    // As if this installation had had the file from the beginning.
    const [present] = ringOf(db).all();
    const given = new KeyRing({ keys: new Secret([first, present].map((k) => k?.bytes.toString('base64')).join(' ')) });
    await withKeys(given, (d) => takeUpKeys(d, new Date(), nothing));
    t.same([...(await secretsByKey(db)).keys()], [first?.id.toString('hex')]);

    const running = new KeyRing({ file: keys });
    const webhook = (await ask('GET', `${lab}/webhooks`)).data[0];
    const read = (d: Database) => webhookSecret(d.db, webhook.id, webhook.version).then((s) => s?.reveal());
    await withKeys(running, async (d) => {
      const before = await read(d);
      t.equal(typeof before, 'string');
      const second = parseKey(newKey());
      moved.write([second, ...moved.all()]);
      const account = randomUUID();
      const row = { table: 'sip_accounts', id: account } as const;
      const late = sealIn(d.db, row, new Secret('late'));
      t.ok(late.subarray(1, 9).equals(second.id), 'the process that was running seals with the new key at once');
      await withKeys(moved, reseal);
      t.same([...(await secretsByKey(db)).keys()], [second.id.toString('hex')]);
      t.equal(await read(d), before);
      moved.write([second]);
      t.equal(running.all().length, 1);
      t.equal(await read(d), before, 'without the key before');
    });
    t.match(await readFile(keys, 'utf8'), /^# The keys to the secrets/);
    await writeFile(keys, 'garbage\n');
    t.throws(() => new KeyRing({ file: keys }), /Sealing key 1 in .*data\.keys is not valid/);
  },
);

t.test('a key that is lost is forgotten by command, and what it sealed is set again', async (t) => {
  const ring = new KeyRing({ keys: newKey() });
  for (const id of await usedKeys(db)) await forgetKey(db, id);
  const warnings: string[] = [];
  await withKeys(ring, async (d) => {
    const { unreadable } = await takeUpKeys(d, new Date(), (message) => warnings.push(message));
    t.ok(unreadable > 0);
    t.match(warnings.join(), /rows hold secrets that no key in CARILLON_SEALING_KEYS opens/);
    t.ok((await registrarPlans(d.db, projectId)).length > 0, 'what is no secret can be read');
  });
});
