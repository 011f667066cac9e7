/** A second factor: how users set it up, use it and lose it; and attempts to bypass it. */
import { Secret as Base32, TOTP } from 'otpauth';
import t from 'tap';
import { SESSION_HEADER } from '../../../client.ts';
import type { OperationRow } from '../../../contract/row.ts';
import { createHttpServer } from '../../../http/server.ts';
import { PROOF_SECONDS } from '../../../operations/request/actor.ts';
import { secretsByKey } from '../../../store/secrets/reseal.ts';
import { acme, KEY, openWorld } from '../../../testing/world.ts';
import { takeAwaySecondFactor } from '../operations/second-factor.ts';

const PASSWORD = 'correct horse battery';
const STEP_SECONDS = 30;
const PEOPLE = ['ada', 'bob', 'cleo', 'dora', 'emil', 'finn'];
const world = await openWorld(t);
world.hold();
const [organization] = acme().organizations;
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        ...PEOPLE.map((name) => ({ email: `${name}@acme.example`, name, role: 'OWNER', password: PASSWORD })),
      ],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

type Asking = { readonly cookie?: string; readonly address?: string; readonly key?: string };

async function ask(method: OperationRow['method'], url: string, body?: object, by: Asking = {}) {
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    remoteAddress: by.address ?? '192.0.2.1',
    headers: {
      ...(by.key ? { authorization: `Bearer ${by.key}` } : { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' }),
      ...(by.cookie && { cookie: by.cookie }),
    },
    ...(body && { payload: body }),
  });
  return {
    status: response.statusCode,
    text: response.body,
    // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
    ...(response.json() as { data: any; error: { code: string; message: string; details?: object[] } }),
    cookie: (response.cookies as { name: string; value: string }[]).map((c) => `${c.name}=${c.value}`).join('; '),
  };
}

const logIn = (name: string, more: object = {}, by: Asking = {}) =>
  ask('POST', '/entrance/log-in', { email: `${name}@acme.example`, password: PASSWORD, ...more }, by);
/** The code of an authenticator; `off`: steps from now. */
const codeOf = (secret: string, off = 0): string =>
  new TOTP({ secret: Base32.fromBase32(secret) }).generate({
    timestamp: world.ports.now().getTime() + off * STEP_SECONDS * 1000,
  });
const nextStep = () => world.pass(STEP_SECONDS);

async function enroll(name: string) {
  const by = { cookie: (await logIn(name)).cookie };
  const offer = await ask('POST', '/me/second-factor', {}, by);
  const secret = offer.data.secret as string;
  const { data } = await ask('POST', '/me/second-factor/confirmation', { code: codeOf(secret) }, by);
  nextStep();
  return { by, secret, recoveryCodes: data.recoveryCodes as string[] };
}
const actions = async (action: string) =>
  (await world.database.db.selectFrom('audit_entries').where('action', '=', action).select('actor').execute()).map(
    (e) => e.actor,
  );

t.jobs = 1;

t.test('set up: a secret once, in use with its first code; other sessions end', async (t) => {
  const elsewhere = { cookie: (await logIn('ada')).cookie };
  const by = { cookie: (await logIn('ada')).cookie };
  t.equal((await ask('GET', '/me', undefined, by)).data.secondFactor, null);
  const offer = await ask('POST', '/me/second-factor', {}, by);
  t.match(offer, { status: 201, data: { secret: /^[A-Z2-7]{32}$/, url: /^otpauth:\/\/totp\/Carillon:ada%40/ } });
  t.equal((await logIn('ada')).status, 200, 'nothing is asked before it is confirmed');
  const { secret } = offer.data;
  const confirm = (code: string) => ask('POST', '/me/second-factor/confirmation', { code }, by);
  t.match(await confirm('000000'), { status: 422, error: { details: [{ path: 'code' }] } });
  const confirmed = await confirm(codeOf(secret));
  t.equal(confirmed.status, 200);
  const codes = confirmed.data.recoveryCodes as string[];
  t.equal(new Set(codes).size, 10);
  for (const code of codes) t.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  t.match((await ask('GET', '/me', undefined, by)).data.secondFactor, { recoveryCodes: 10 });
  t.equal((await ask('GET', '/me', undefined, elsewhere)).status, 401);
  t.equal((await confirm(codeOf(secret, 1))).status, 409, 'nothing waits any more');

  t.match(await logIn('ada'), { status: 403, error: { code: 'CODE_REQUIRED' }, cookie: '' });
  t.equal((await logIn('ada', { password: 'wrong' })).error.code, 'UNAUTHORIZED', 'a wrong password tells nothing');
  t.match(await logIn('ada', { code: codeOf(secret) }), { status: 422 }, 'the code that confirmed it is used up');
  nextStep();
  t.match(await logIn('ada', { code: codeOf(secret) }), { status: 200, data: { role: 'OWNER' } });
  t.match(await logIn('ada', { code: codeOf(secret) }), { status: 422, cookie: '' }, 'a replay in its step');
  t.match(await logIn('ada', { code: codeOf(secret, -1) }), { status: 422 }, 'one of an earlier step');
  nextStep();
  const both = await Promise.all([0, 0, 0].map(() => logIn('ada', { code: codeOf(secret) })));
  t.same(both.map((one) => one.status).sort(), [200, 422, 422], 'of three at once one is in');
  t.ok((await actions('logInRefused')).length > 0, 'wrong codes are in the audit log');
});

t.test('what lies in the database and in answers tells neither secret nor codes', async (t) => {
  const { secret, recoveryCodes, by } = await enroll('bob');
  const { db } = world.database;
  const rows = [
    await db.selectFrom('second_factors').selectAll().execute(),
    await db.selectFrom('recovery_codes').selectAll().execute(),
    await db.selectFrom('audit_entries').selectAll().execute(),
  ];
  const text = JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  );
  for (const one of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
    t.notOk(text.includes(one));
  t.ok(
    [...(await secretsByKey(db)).values()].some((n) => n > 0),
    'sealed, and counted by the keys',
  );
  for (const url of ['/me', '/members', '/audit-entries'])
    t.notOk((await ask('GET', url, undefined, by)).text.includes(secret));
  t.match(
    (await ask('GET', '/members', undefined, by)).data.find((m: { name: string }) => m.name === 'bob'),
    { hasSecondFactor: true },
  );
});

t.test('recovery codes: each once, in whatever case; new ones end the old', async (t) => {
  const { by, recoveryCodes } = await enroll('cleo');
  const [first, second, third] = recoveryCodes as [string, string, string];
  t.equal((await logIn('cleo', { code: first.toLowerCase().replaceAll('-', ' ') })).status, 200);
  t.equal((await logIn('cleo', { code: first })).status, 422, 'used up');
  const both = await Promise.all([second, second].map((code) => logIn('cleo', { code })));
  t.same(both.map((one) => one.status).sort(), [200, 422], 'of two at once one is in');
  t.equal((await ask('GET', '/me', undefined, by)).data.secondFactor.recoveryCodes, 8);
  const renewed = await ask('POST', '/me/second-factor/recovery-codes', {}, by);
  t.equal(renewed.status, 201);
  t.equal((await logIn('cleo', { code: third })).status, 422, 'an old one');
  t.equal((await logIn('cleo', { code: renewed.data.recoveryCodes[0] })).status, 200);
  t.equal((await logIn('ada', { code: renewed.data.recoveryCodes[1] })).status, 422, "another person's");
});

t.test('guesses are limited, and the right password gets nobody around that', async (t) => {
  const { secret } = await enroll('dora');
  const owner = await logIn('dora', { code: codeOf(secret) });
  nextStep();
  const stranger = (n: number) => ({ address: `203.0.${n}.7` });
  const statuses: number[] = [];
  for (let n = 0; n < 14; n++) {
    // A log-in without a code is not a success: earlier failures still count.
    await logIn('dora', {}, stranger(n));
    statuses.push((await logIn('dora', { code: '123456' }, stranger(n))).status);
  }
  t.same(statuses, [...Array(10).fill(422), ...Array(4).fill(429)], 'from fourteen networks');
  t.equal((await logIn('dora', { code: codeOf(secret) }, stranger(99))).status, 429, 'the right one, too');
  const known = await logIn('dora', { code: codeOf(secret) }, { ...stranger(100), cookie: owner.cookie });
  t.equal(known.status, 200, 'not in the browser that the person has logged in from');
  t.ok((await actions('logInRefused')).length >= 10);
  const without = [];
  for (let n = 0; n < 30; n++) without.push((await logIn('ada', {}, { address: '198.51.100.9' })).error.code);
  t.same(new Set(without), new Set(['CODE_REQUIRED']), 'a password that was right is no failure');
});

t.test('a proof takes a code; what would weaken it takes a fresh proof', async (t) => {
  const { secret, by } = await enroll('emil');
  world.pass(PROOF_SECONDS + 1);
  const weakening = [
    ['POST', '/me/second-factor'],
    ['POST', '/me/second-factor/confirmation'],
    ['POST', '/me/second-factor/recovery-codes'],
    ['DELETE', '/me/second-factor'],
  ] as const;
  for (const [method, url] of weakening)
    t.match(await ask(method, url, method === 'POST' ? {} : undefined, by), { error: { code: 'PROOF_REQUIRED' } }, url);
  const prove = (more: object) => ask('POST', '/me/proof', { password: PASSWORD, ...more }, by);
  t.match(await prove({}), { status: 403, error: { code: 'CODE_REQUIRED' } });
  t.match(await prove({ code: '123456' }), { status: 422, error: { details: [{ path: 'code' }] } });
  t.match(await prove({ password: 'wrong', code: codeOf(secret) }), { error: { details: [{ path: 'password' }] } });
  t.equal((await prove({ code: codeOf(secret) })).status, 200, 'a wrong password has not used the code up');
  t.ok((await actions('proveMeRefused')).includes('emil'));

  const other = (await ask('POST', '/me/second-factor', {}, by)).data.secret as string;
  nextStep();
  t.equal((await logIn('emil', { code: codeOf(other) })).status, 422, 'a device that is offered is none yet');
  t.equal((await logIn('emil', { code: codeOf(secret) })).status, 200, 'the one before is good until then');
  t.equal((await ask('POST', '/me/second-factor/confirmation', { code: codeOf(other) }, by)).status, 200);
  nextStep();
  t.equal((await logIn('emil', { code: codeOf(secret) })).status, 422);
  t.equal((await logIn('emil', { code: codeOf(other) })).status, 200);
  t.match(await ask('DELETE', '/me/second-factor', undefined, by), { status: 200, data: { deleted: true } });
  t.equal((await logIn('emil')).status, 200);
  t.equal((await ask('DELETE', '/me/second-factor', undefined, by)).status, 409);
  t.ok((await actions('removeSecondFactor')).includes('emil'));
});

t.test('guesses at an open screen are limited', async (t) => {
  const { by, secret } = await enroll('emil');
  const statuses = [];
  for (let n = 0; n < 11; n++)
    statuses.push((await ask('POST', '/me/proof', { password: PASSWORD, code: '123456' }, by)).status);
  t.same(statuses.slice(-2), [422, 429]);
  t.equal((await logIn('emil', { code: codeOf(secret) })).status, 200, 'elsewhere the person comes in');
});

t.test('an invitation of somebody who has an account takes a code as well', async (t) => {
  const { secret } = await enroll('finn');
  await world.provision({
    organizations: [
      {
        slug: 'globex',
        name: 'Globex',
        users: [{ email: 'gil@globex.example', name: 'gil', role: 'OWNER', password: PASSWORD }],
        projects: [],
      },
    ],
  });
  const gil = {
    cookie: (await ask('POST', '/entrance/log-in', { email: 'gil@globex.example', password: PASSWORD })).cookie,
  };
  const invited = await ask('POST', '/invitations', { email: 'finn@acme.example', role: 'EDITOR' }, gil);
  const { token } = invited.data;
  const accept = (more: object) => ask('POST', '/entrance/accept-invitation', { token, password: PASSWORD, ...more });
  t.match(await accept({}), { status: 403, error: { code: 'CODE_REQUIRED' }, cookie: '' });
  t.match(await accept({ code: '123456' }), { status: 422, cookie: '' });
  t.match(await accept({ code: codeOf(secret) }), { status: 200, data: { organization: { name: 'Globex' } } });
});

t.test('an organization that requires it: nothing but oneself until it is set up; keys go on', async (t) => {
  const { recoveryCodes } = await reEnroll('bob');
  const bob = { cookie: (await logIn('bob', { code: recoveryCodes[0] })).cookie };
  const { db } = world.database;
  await db
    .insertInto('users')
    .values({ id: NEW_ID, email: 'nia@acme.example', name: 'nia', password_hash: await hashOfBob() })
    .execute();
  await db
    .insertInto('memberships')
    .values({ organization_id: await acmeId(), user_id: NEW_ID, role: 'OWNER' })
    .execute();
  const nia = { cookie: (await logIn('nia')).cookie };
  t.match(
    await ask('PATCH', '/organization', { needsSecondFactor: true }, nia),
    { status: 409 },
    'not by one who has none',
  );
  t.equal((await ask('GET', '/projects', undefined, nia)).status, 200);
  t.match(await ask('PATCH', '/organization', { needsSecondFactor: true }, bob), {
    status: 200,
    data: { needsSecondFactor: true },
  });
  for (const url of ['/projects', '/members', '/api-keys', '/audit-entries', '/overview'])
    t.match(await ask('GET', url, undefined, nia), { status: 403, error: { code: 'SECOND_FACTOR_REQUIRED' } }, url);
  t.match(await ask('PATCH', '/organization', { needsSecondFactor: false }, nia), { status: 403 });
  t.equal((await ask('GET', '/me', undefined, nia)).data.organization.needsSecondFactor, true);
  t.equal((await ask('GET', '/projects', undefined, { key: KEY })).status, 200, 'API keys have no second factor');
  t.equal((await ask('GET', '/projects', undefined, bob)).status, 200);
  t.match(await ask('DELETE', '/me/second-factor', undefined, bob), { status: 409, error: { message: /Acme/ } });
  const { secret } = (await ask('POST', '/me/second-factor', {}, nia)).data;
  t.equal((await ask('POST', '/me/second-factor/confirmation', { code: codeOf(secret) }, nia)).status, 200);
  t.equal((await ask('GET', '/projects', undefined, nia)).status, 200);

  nextStep();
  t.equal(await takeAwaySecondFactor(world.ports, 'nia@acme.example'), true, 'the operator takes it away');
  t.equal(await takeAwaySecondFactor(world.ports, 'nia@acme.example'), false);
  t.equal(await takeAwaySecondFactor(world.ports, 'nobody@acme.example'), false);
  t.match(await ask('GET', '/projects', undefined, nia), { error: { code: 'SECOND_FACTOR_REQUIRED' } });
  t.equal((await logIn('nia')).status, 200);
  t.ok((await actions('removeSecondFactor')).includes('operator'));
  t.equal((await ask('PATCH', '/organization', { needsSecondFactor: false }, bob)).status, 200);
  t.equal((await ask('GET', '/projects', undefined, nia)).status, 200);
});

const NEW_ID = '0190b8e0-0000-7000-8000-00000000a001';
const acmeId = async () =>
  (
    await world.database.db
      .selectFrom('organizations')
      .where('slug', '=', 'acme')
      .select('id')
      .executeTakeFirstOrThrow()
  ).id;
const hashOfBob = async () =>
  (
    await world.database.db
      .selectFrom('users')
      .where('email', '=', 'bob@acme.example')
      .select('password_hash')
      .executeTakeFirstOrThrow()
  ).password_hash;
/** As the operator would, then once more. */
async function reEnroll(name: string) {
  await takeAwaySecondFactor(world.ports, `${name}@acme.example`);
  return enroll(name);
}

t.test('a secret that cannot be read shuts nobody out who has a recovery code', async (t) => {
  const { secret, recoveryCodes } = await reEnroll('cleo');
  await world.database.db
    .updateTable('second_factors')
    .set({ secret: Buffer.alloc(60, 1) })
    .execute();
  t.equal((await logIn('cleo', { code: codeOf(secret) })).status, 409);
  t.equal((await logIn('cleo', { code: recoveryCodes[0] })).status, 200);
});
