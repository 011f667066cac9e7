/** Passkeys, with a software authenticator: created, used and removed, and invalid answers to a challenge. */
import t from 'tap';
import { SESSION_HEADER } from '../../../client.ts';
import type { OperationRow } from '../../../contract/row.ts';
import { createHttpServer } from '../../../http/server.ts';
import { CHALLENGE_SECONDS } from '../../../operations/people/challenges.ts';
import { PROOF_SECONDS } from '../../../operations/request/actor.ts';
import { retain } from '../../../operations/retain.ts';
import { acme, openWorld } from '../../../testing/world.ts';
import { passkeyHost } from '../operations/passkeys.ts';
import { type Lie, SoftAuthenticator } from '../testing/soft-authenticator.ts';

const PASSWORD = 'correct horse battery';
const URL_HERE = 'https://carillon.example';
const world = await openWorld(t);
world.hold();
Object.assign(world.ports.settings, { publicUrl: URL_HERE });
const [organization] = acme().organizations;
const people = ['ada', 'bob', 'cleo', 'dora'];
await world.provision({
  organizations: [
    {
      ...organization,
      users: [
        ...(organization?.users ?? []),
        ...people.map((name) => ({ email: `${name}@acme.example`, name, role: 'OWNER', password: PASSWORD })),
      ],
    },
  ],
});
const { app } = await createHttpServer(world.ports);
await app.ready();
t.teardown(() => app.close());

type Asking = { readonly cookie?: string; readonly address?: string };

async function ask(method: OperationRow['method'], url: string, body?: object, by: Asking = {}) {
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    remoteAddress: by.address ?? '192.0.2.1',
    headers: { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', ...(by.cookie && { cookie: by.cookie }) },
    ...(body && { payload: body }),
  });
  return {
    status: response.statusCode,
    text: response.body,
    // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
    ...(response.json() as { data: any; error: { code: string; message: string } }),
    cookie: (response.cookies as { name: string; value: string }[]).map((c) => `${c.name}=${c.value}`).join('; '),
  };
}

const byPassword = async (name: string) => ({
  cookie: (await ask('POST', '/entrance/log-in', { email: `${name}@acme.example`, password: PASSWORD })).cookie,
});
const optionsOf = async (url: string, by: Asking = {}) => (await ask('POST', url, {}, by)).data.options;

async function enroll(name: string) {
  const by = await byPassword(name);
  const authenticator = new SoftAuthenticator(URL_HERE);
  const answer = authenticator.create(await optionsOf('/me/passkeys/options', by));
  const added = await ask('POST', '/me/passkeys', { name: 'key', answer }, by);
  return { by, authenticator, added };
}
async function logIn(authenticator: SoftAuthenticator, lie: Lie = {}, by: Asking = {}) {
  const answer = authenticator.get(await optionsOf('/entrance/passkey/options'), lie);
  return ask('POST', '/entrance/passkey', { answer }, by);
}
const actions = async (action: string) =>
  (await world.database.db.selectFrom('audit_entries').where('action', '=', action).select('actor').execute()).map(
    (e) => e.actor,
  );

t.jobs = 1;

t.test('made with a fresh proof, used in place of the password, removed', async (t) => {
  const { by, authenticator, added } = await enroll('ada');
  t.match(added, { status: 201, data: { name: 'key', lastUsedAt: null } });
  t.match((await ask('GET', '/me/passkeys', undefined, by)).data, [{ name: 'key' }]);
  t.same((await ask('GET', '/me', undefined, by)).data.proofs, ['PASSWORD', 'PASSKEY']);
  const inside = await logIn(authenticator);
  t.match(inside, { status: 200, data: { user: { name: 'ada' }, role: 'OWNER' } });
  t.equal((await ask('GET', '/projects', undefined, { cookie: inside.cookie })).status, 200);
  t.ok((await actions('logInByPasskey')).includes('ada'));
  t.ok((await actions('addPasskey')).includes('ada'));
  t.match((await ask('GET', '/me/passkeys', undefined, by)).data, [{ lastUsedAt: /Z$/ }]);

  const excluded = await optionsOf('/me/passkeys/options', by);
  t.same(
    excluded.excludeCredentials.map((c: { id: string }) => c.id),
    [authenticator.id.toString('base64url')],
  );
  const again = await ask('POST', '/me/passkeys', { name: 'again', answer: authenticator.create(excluded) }, by);
  t.equal(again.status, 409, 'the same once more');

  t.match(await ask('DELETE', `/me/passkeys/${added.data.id}`, undefined, by), { data: { deleted: true } });
  t.equal((await ask('DELETE', `/me/passkeys/${added.data.id}`, undefined, by)).status, 404);
  t.match(await logIn(authenticator), { status: 401, cookie: '' });
  t.ok((await actions('logInByPasskeyRefused')).length > 0);
});

t.test('what is no answer is refused, all of it the same, and counted', async (t) => {
  const { by, authenticator } = await enroll('bob');
  const other = await enroll('cleo');
  const challenge = await optionsOf('/entrance/passkey/options');
  const proof = await optionsOf('/me/proof/passkey/options', by);
  const lies: [string, object][] = [
    ['another origin', authenticator.get(challenge, { origin: 'https://evil.example' })],
    ['another name', authenticator.get(challenge, { rpId: 'evil.example' })],
    ['its owner was not there', authenticator.get(challenge, { isVerified: false })],
    ['another kind of answer', authenticator.get(challenge, { type: 'webauthn.create' })],
    ['a signature that is none', authenticator.get(challenge, { signature: Buffer.alloc(70, 1) })],
    ["another key's signature", { ...authenticator.get(challenge), id: other.authenticator.id.toString('base64url') }],
    ['a key that nobody knows', new SoftAuthenticator(URL_HERE).get(challenge)],
    ['a challenge of nobody', authenticator.get({ ...challenge, challenge: Buffer.alloc(38).toString('base64url') })],
    ['a challenge for a proof', authenticator.get({ ...challenge, challenge: proof.challenge })],
    [
      'what is no JSON',
      { ...authenticator.get(challenge), response: { clientDataJSON: 'AAAA', authenticatorData: '', signature: '' } },
    ],
  ];
  const messages = new Set<string>();
  for (const [what, answer] of lies) {
    const refused = await ask('POST', '/entrance/passkey', { answer }, { address: '203.0.113.9' });
    t.match(refused, { status: 401, cookie: '' }, what);
    messages.add(refused.error.message);
  }
  t.equal(messages.size, 1);
  t.ok((await actions('logInByPasskeyRefused')).length >= lies.length - 1);
  const good = authenticator.get(challenge);
  const both = await Promise.all([1, 2].map(() => ask('POST', '/entrance/passkey', { answer: good })));
  t.same(both.map((one) => one.status).sort(), [200, 401], 'of the same answer twice at once, one is in');
  t.equal((await ask('POST', '/entrance/passkey', { answer: good })).status, 401, 'a replay');
  t.equal((await logIn(authenticator, { counter: 1 })).status, 401, 'a count that went back: a copy');
  const late = await optionsOf('/entrance/passkey/options');
  world.pass(CHALLENGE_SECONDS + 1);
  t.equal((await ask('POST', '/entrance/passkey', { answer: authenticator.get(late) })).status, 401, 'too late');
  for (let n = 0; n < 70; n++)
    await ask('POST', '/entrance/passkey', { answer: lies[4]?.[1] }, { address: '203.0.113.9' });
  t.match(
    await ask('POST', '/entrance/passkey', { answer: lies[4]?.[1] }, { address: '203.0.113.9' }),
    { status: 429 },
    'a network that fails often',
  );
  t.equal((await logIn(authenticator, {}, { address: '203.0.113.9' })).status, 200, 'a good one from there is taken');
  await retain(world.ports);
  t.equal((await world.database.db.selectFrom('taken_challenges').selectAll().execute()).length > 0, true);
  world.pass(CHALLENGE_SECONDS + 1);
  await retain(world.ports);
  t.same(await world.database.db.selectFrom('taken_challenges').selectAll().execute(), [], 'nothing is kept for ever');
});

t.test('a fresh proof, only by a passkey of the same person', async (t) => {
  const { by, authenticator } = await enroll('dora');
  const { authenticator: ofCleo } = await enroll('cleo');
  world.pass(PROOF_SECONDS + 1);
  t.match(await ask('POST', '/me/passkeys/options', {}, by), { status: 403, error: { code: 'PROOF_REQUIRED' } });
  const prove = async (one: SoftAuthenticator, lie: Lie = {}) => {
    const answer = one.get(await optionsOf('/me/proof/passkey/options', by), lie);
    return ask('POST', '/me/proof/passkey', { answer }, by);
  };
  t.match(await prove(ofCleo), { status: 422 });
  t.match(await prove(authenticator, { isVerified: false }), { status: 422 });
  t.equal((await ask('GET', '/me', undefined, by)).status, 200, 'the session goes on');
  t.ok((await actions('proveMeByPasskeyRefused')).includes('dora'));
  t.equal((await prove(authenticator)).status, 200);
  t.equal((await ask('POST', '/me/passkeys/options', {}, by)).status, 200);
  const dora = await byPassword('dora');
  t.equal((await optionsOf('/me/proof/passkey/options', dora)).allowCredentials.length, 1);
});

t.test('a passkey stands for a second factor; the password by itself does not', async (t) => {
  const { authenticator } = await enroll('ada');
  const strong = { cookie: (await logIn(authenticator)).cookie };
  t.match(await ask('PATCH', '/organization', { needsSecondFactor: true }, strong), { status: 200 });
  t.equal((await ask('GET', '/projects', undefined, strong)).status, 200);
  t.match((await ask('GET', '/me', undefined, strong)).data, { lacksSecondFactor: false, secondFactor: null });
  const weak = await byPassword('ada');
  t.match((await ask('GET', '/me', undefined, weak)).data, { lacksSecondFactor: true });
  t.match(await ask('GET', '/projects', undefined, weak), { error: { code: 'SECOND_FACTOR_REQUIRED' } });
  t.equal((await ask('PATCH', '/organization', { needsSecondFactor: false }, strong)).status, 200);
});

t.test('only where a browser makes any', async (t) => {
  const at = (publicUrl: string | null) => passkeyHost({ ...world.ports.settings, publicUrl });
  t.equal(at('https://carillon.example:8443/x'), 'carillon.example');
  t.equal(at('http://localhost:8080'), 'localhost');
  t.equal(at(null), 'localhost');
  for (const none of ['http://carillon.example', 'https://192.0.2.1', 'https://[2001:db8::1]']) t.equal(at(none), null);
  t.match((await ask('GET', '/entrance')).data, { passkeyHost: 'carillon.example', provider: null });
});
