/** A log-in through an identity provider: a real one on this host. Which users are admitted and connected, and invalid answers. */
import { Secret } from '@carillon/proto/base/secret.ts';
import { Secret as Base32, TOTP } from 'otpauth';
import t from 'tap';
import { CATALOGUE } from '../../../catalogue.ts';
import { SESSION_HEADER } from '../../../client.ts';
import { readConfig } from '../../../config.ts';
import type { OperationRow } from '../../../contract/row.ts';
import { createHttpServer } from '../../../http/server.ts';
import { PROOF_SECONDS } from '../../../operations/request/actor.ts';
import { retain } from '../../../operations/retain.ts';
import { acme, openWorld } from '../../../testing/world.ts';
import { openIdentityProvider } from '../courier/identity-provider.ts';
import { OPENERS } from '../open.ts';
import { PROVIDER_CLIENT, startOpenIdProvider } from '../testing/openid-provider.ts';

const PASSWORD = 'correct horse battery';
const STEP_SECONDS = 30;
const PUBLIC_URL = 'https://carillon.example';
const redirectUri = `${PUBLIC_URL}/sign-in`;
const world = await openWorld(t);
const idp = await startOpenIdProvider(t, redirectUri);
const { clientId, clientSecret } = PROVIDER_CLIENT;
const options = { issuer: idp.issuer, clientId, name: 'Acme Login', redirectUri };
Object.assign(world.ports, {
  provider: openIdentityProvider({ ...options, clientSecret: new Secret(clientSecret) }),
});
Object.assign(world.ports.settings, { publicUrl: PUBLIC_URL });
const [organization] = acme().organizations;
const person = (name: string, more: object = {}) => ({ email: `${name}@acme.example`, name, role: 'OWNER', ...more });
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        ...['ada', 'bob', 'cleo'].map((name) => person(name)),
        ...['pat', 'quinn'].map((name) => person(name, { password: PASSWORD })),
      ],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

async function ask(method: OperationRow['method'], url: string, body?: object, cookie?: string) {
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    remoteAddress: '192.0.2.1',
    headers: { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
    ...(body && { payload: body }),
  });
  return {
    status: response.statusCode,
    // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
    ...(response.json() as { data: any; error: { code: string; message: string } }),
    cookie: (response.cookies as { name: string; value: string }[]).map((c) => `${c.name}=${c.value}`).join('; '),
  };
}

type Begun = { readonly url: string; readonly secret: string };
const begin = async (url = '/entrance/provider', cookie?: string): Promise<Begun> =>
  (await ask('POST', url, {}, cookie)).data;
/** The complete flow, as `subject`. */
async function signIn(subject: string | null, more: object = {}) {
  const { url, secret } = await begin();
  idp.subject = subject;
  return ask('POST', '/entrance/provider/answer', { secret, parameters: await idp.visit(url), ...more });
}
const byPassword = async (name: string) =>
  (await ask('POST', '/entrance/log-in', { email: `${name}@acme.example`, password: PASSWORD })).cookie;
const actions = async (action: string) =>
  (await world.database.db.selectFrom('audit_entries').where('action', '=', action).select('actor').execute()).map(
    (e) => e.actor,
  );
const verified = (name: string, more: object = {}) => ({
  email: `${name}@acme.example`,
  email_verified: true,
  ...more,
});

t.jobs = 1;

t.test('a member whose address the provider has verified is in, and known by the subject from then on', async (t) => {
  t.match((await ask('GET', '/entrance')).data, { provider: 'Acme Login' });
  idp.accounts.set('s-ada', verified('Ada'));
  const first = await signIn('s-ada');
  t.match(first, { status: 200, data: { user: { name: 'ada' }, role: 'OWNER', proofs: ['PROVIDER'] } });
  t.equal((await ask('GET', '/projects', undefined, first.cookie)).status, 200);
  t.ok((await actions('signIn')).includes('ada'));
  t.ok((await actions('connectIdentity')).includes('ada'));
  idp.accounts.set('s-ada', { email: 'somebody-else@acme.example', email_verified: false });
  t.match(await signIn('s-ada'), { status: 200, data: { user: { name: 'ada' } } }, 'whatever the address is by then');
  t.match((await ask('GET', '/me/identity', undefined, first.cookie)).data, {
    identity: { email: 'ada@acme.example' },
  });
});

t.test('refused log-ins, with reasons in the audit log', async (t) => {
  idp.accounts.set('s-2', { email: 'bob@acme.example', email_verified: false });
  t.match(await signIn('s-2'), { status: 403, cookie: '', error: { message: /has verified no e-mail address/ } });
  idp.accounts.set('s-2', { email: 'bob@acme.example', email_verified: 'true' });
  t.match(await signIn('s-2'), { status: 403 }, 'a text is no word of the provider');
  idp.accounts.set('s-3', { email: 'stranger@elsewhere.example', email_verified: true });
  t.match(await signIn('s-3'), { status: 403, error: { message: /Nobody has the address/ } });
  idp.accounts.set('s-4', verified('ada'));
  t.match(
    await signIn('s-4'),
    { status: 403, error: { message: /connected with somebody else/ } },
    'an address that was given on',
  );
  idp.accounts.set('s-pat', verified('pat'));
  t.match(
    await signIn('s-pat'),
    { status: 403, error: { message: /has a password/ } },
    'an account that anybody may have made',
  );
  t.match(await signIn(null), {
    status: 403,
    error: { message: 'Acme Login has not let you in: Nobody <b>logs in</b>' },
  });
  const { db } = world.database;
  await db.updateTable('users').set({ suspended_at: new Date() }).where('name', '=', 'ada').execute();
  t.match(await signIn('s-ada'), { status: 403, error: { message: /suspended/ } });
  await db.updateTable('users').set({ suspended_at: null }).where('name', '=', 'ada').execute();
  t.equal((await actions('signInRefused')).length, 7);
  t.equal((await db.selectFrom('identities').selectAll().execute()).length, 1);
});

t.test('an answer belongs to the browser that has begun, and is good once', async (t) => {
  idp.accounts.set('s-bob', verified('bob'));
  idp.subject = 's-bob';
  const mine = await begin();
  const theirs = await begin();
  const parameters = await idp.visit(mine.url);
  const answer = (more: object) =>
    ask('POST', '/entrance/provider/answer', { secret: mine.secret, parameters, ...more });
  t.match(await answer({ secret: theirs.secret }), { status: 403, cookie: '' }, 'in a browser that was led there');
  t.match(await answer({ secret: 'none' }), { status: 403 });
  for (const other of ['state', 'code', 'iss']) {
    const changed = new URLSearchParams(parameters);
    changed.set(other, other === 'iss' ? 'https://evil.example' : 'AAAA');
    t.match(await answer({ parameters: changed.toString() }), { status: 403, cookie: '' }, `another ${other}`);
  }
  const elsewhere = new URLSearchParams(await idp.visit(theirs.url));
  const swapped = new URLSearchParams(parameters);
  swapped.set('code', elsewhere.get('code') ?? '');
  t.match(await answer({ parameters: swapped.toString() }), { status: 403 }, "another browser's code: nonce and PKCE");
  const prepared = async () => {
    const { url, secret } = await begin();
    return { secret, parameters: await idp.visit(url) };
  };
  const twice = await prepared();
  const both = await Promise.all([1, 2].map(() => ask('POST', '/entrance/provider/answer', twice)));
  // The provider itself may revoke its tokens if a code is used twice.
  t.ok(both.filter((one) => one.status === 200).length <= 1, 'of two at once no more than one is in');
  const good = await prepared();
  t.equal((await ask('POST', '/entrance/provider/answer', good)).status, 200);
  t.equal((await ask('POST', '/entrance/provider/answer', good)).status, 403, 'a replay');
  const { url } = await begin();
  const sent = new URL(url).searchParams;
  t.match(sent.get('code_challenge_method'), 'S256');
  t.ok((sent.get('nonce') ?? '').length >= 43 && (sent.get('state') ?? '').length >= 43);
});

const hasCodes = 'offerSecondFactor' in CATALOGUE;
t.test(
  'a second factor of ours is asked for, unless the provider has asked for more than one',
  { skip: !hasCodes },
  async (t) => {
    idp.accounts.set('s-cleo', verified('cleo'));
    const { cookie } = await signIn('s-cleo');
    const { secret } = (await ask('POST', '/me/second-factor', {}, cookie)).data;
    // The codes of this test are of one step: all of it is ahead.
    world.pass(STEP_SECONDS - ((world.ports.now().getTime() / 1000) % STEP_SECONDS));
    const code = (off: number) =>
      new TOTP({ secret: Base32.fromBase32(secret) }).generate({
        timestamp: world.ports.now().getTime() + off * STEP_SECONDS * 1000,
      });
    t.equal((await ask('POST', '/me/second-factor/confirmation', { code: code(-1) }, cookie)).status, 200);
    const begun = await begin();
    const answer = { secret: begun.secret, parameters: await idp.visit(begun.url) };
    const send = (more: object = {}) => ask('POST', '/entrance/provider/answer', { ...answer, ...more });
    t.match(await send(), { status: 403, error: { code: 'CODE_REQUIRED' }, cookie: '' });
    t.match(await send({ code: '000000' }), { status: 422, cookie: '' });
    t.match(
      await send({ code: code(0) }),
      { status: 200, data: { user: { name: 'cleo' } } },
      'the provider is not asked again',
    );
    t.equal((await send({ code: code(1) })).status, 403, 'and it was used');
    const { db } = world.database;
    await db.updateTable('organizations').set({ needs_second_factor: true }).execute();
    idp.accounts.set('s-ada', { amr: ['pwd', 'mfa'] });
    t.match(await ask('GET', '/projects', undefined, (await signIn('s-ada')).cookie), { status: 200 }, 'mfa there');
    idp.accounts.set('s-ada', { amr: ['pwd'] });
    t.match(await ask('GET', '/projects', undefined, (await signIn('s-ada')).cookie), {
      error: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    idp.accounts.set('s-cleo', { amr: ['pwd', 'mfa'] });
    t.match(await signIn('s-cleo'), { status: 200 }, 'no code');
    await db.updateTable('organizations').set({ needs_second_factor: false }).execute();
  },
);

t.test('an account with a password is connected by its owner, and proves itself there', async (t) => {
  const cookie = await byPassword('pat');
  const connect = async (subject: string) => {
    const { url, secret } = await begin('/me/identity', cookie);
    idp.subject = subject;
    return ask('POST', '/me/identity/answer', { secret, parameters: await idp.visit(url) }, cookie);
  };
  t.match(await connect('s-bob'), { status: 403, error: { message: /has not verified the address pat@acme.example/ } });
  idp.accounts.set('s-pat', verified('pat'));
  t.match(await connect('s-pat'), { status: 200, data: { proofs: ['PASSWORD', 'PROVIDER'] } });
  t.match(await signIn('s-pat'), { status: 200, data: { user: { name: 'pat' } } });
  t.ok((await actions('connectIdentity')).includes('pat'));

  world.pass(PROOF_SECONDS + 1);
  t.match(await ask('POST', '/me/identity', {}, cookie), { error: { code: 'PROOF_REQUIRED' } });
  t.match(await ask('DELETE', '/me/identity', undefined, cookie), { error: { code: 'PROOF_REQUIRED' } });
  const prove = async (subject: string, edit: (url: URL) => void = () => undefined) => {
    const begun = await begin('/me/proof/provider', cookie);
    const url = new URL(begun.url);
    edit(url);
    idp.subject = subject;
    const parameters = await idp.visit(url.href);
    return ask('POST', '/me/proof/provider/answer', { secret: begun.secret, parameters }, cookie);
  };
  t.match(await prove('s-bob'), { status: 403, error: { message: /somebody else/ } });
  const notFresh = await prove('s-pat', (url) => {
    url.searchParams.delete('max_age');
    url.searchParams.delete('prompt');
  });
  t.match(notFresh, { status: 403 }, 'a log-in of which the time is not told is not a new one');
  const log = await begin('/entrance/provider');
  const parameters = await idp.visit(log.url);
  t.match(
    await ask('POST', '/me/proof/provider/answer', { secret: log.secret, parameters }, cookie),
    { status: 403 },
    'what was begun as a log-in is no proof',
  );
  t.equal((await ask('POST', '/me/identity', {}, cookie)).error.code, 'PROOF_REQUIRED', 'still');
  t.ok((await actions('proveMeByProviderRefused')).includes('pat'));
  t.equal((await prove('s-pat')).status, 200);
  t.match(await ask('DELETE', '/me/identity', undefined, cookie), { data: { deleted: true } });
  t.equal((await ask('DELETE', '/me/identity', undefined, cookie)).status, 409);
  t.match(await signIn('s-pat'), { status: 403, error: { message: /has a password/ } });
});

t.test('a provider that is away, or that nobody has named', async (t) => {
  const { provider } = world.ports;
  Object.assign(world.ports, {
    provider: openIdentityProvider({ ...options, issuer: 'http://localhost:9', clientSecret: null }),
  });
  t.match(await ask('POST', '/entrance/provider', {}), { status: 403, error: { message: /could not be asked/ } });
  t.equal((await ask('POST', '/entrance/log-in', { email: 'quinn@acme.example', password: PASSWORD })).status, 200);
  Object.assign(world.ports, { provider: null });
  t.match(await ask('POST', '/entrance/provider', {}), { status: 409, error: { message: /has no identity provider/ } });
  Object.assign(world.ports, { provider });
  world.pass(3600);
  await retain(world.ports);
  t.same(await world.database.db.selectFrom('sign_ins').selectAll().execute(), [], 'nothing is kept for ever');
});

t.test('the environment: what belongs together, and a secret as it was given', async (t) => {
  const CARILLON_PUBLIC_URL = PUBLIC_URL;
  const whole = { CARILLON_OIDC_ISSUER: idp.issuer, CARILLON_OIDC_CLIENT_ID: clientId, CARILLON_PUBLIC_URL };
  const opened = (more: object) => OPENERS.provider(readConfig({ ...whole, ...more }).environment);
  t.match(opened({ CARILLON_OIDC_CLIENT_SECRET: 'a secret of its own' }), {
    name: new URL(idp.issuer).hostname,
    issuer: idp.issuer,
  });
  t.equal(OPENERS.provider(readConfig({ CARILLON_PUBLIC_URL }).environment), null);
  for (const value of ['a secret of its own\n', 'a secret of its own\r\n', ' a secret of its own', 'a secret\t'])
    t.throws(
      () => opened({ CARILLON_OIDC_CLIENT_SECRET: value }),
      { message: /CARILLON_OIDC_CLIENT_SECRET: begins or ends with white space/ },
      JSON.stringify(value),
    );
  t.throws(() => readConfig({ CARILLON_OIDC_NAME: 'Acme' }), /CARILLON_OIDC_NAME: is of no use without/);
  t.throws(() => opened({ CARILLON_PUBLIC_URL: '' }), /CARILLON_PUBLIC_URL: is needed with CARILLON_OIDC_ISSUER/);
  t.throws(() => opened({ CARILLON_OIDC_ISSUER: 'http://login.example' }), /has to begin with https/);
});
