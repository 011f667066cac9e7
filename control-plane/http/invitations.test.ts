/** Invitations of people who have an account, in every way in which they come in: nobody else gets it by one. */
import { randomUUID } from 'node:crypto';
import { Secret } from '@carillon/proto/base/secret.ts';
import t, { type Test } from 'tap';
import { SESSION_HEADER } from '../client.ts';
import type { Mail } from '../mailer.ts';
import { hashPassword } from '../operations/people/password.ts';
import { hashOf } from '../operations/request/actor.ts';
import { newToken } from '../operations/request/session.ts';
import { putInvitation } from '../store/people/invitations.ts';
import { isInUse, noteEntered, setPassword } from '../store/people/members.ts';
import { mailerTo } from '../testing/mailer.ts';
import { acme, openWorld } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const PASSWORD = 'correct horse battery';
const OTHER = 'another horse battery';

/** Each person, and what they have; `invited`: what an ADMIN who invites them gets. */
const WAYS = [
  { who: 'nobody', invited: 201 },
  { who: 'keys', invited: 201 },
  { who: 'provider', invited: 409 },
  { who: 'passkey', invited: 409 },
  { who: 'factor', invited: 409 },
  { who: 'offered-factor', invited: 409 },
  { who: 'entered', invited: 409 },
  { who: 'password-elsewhere', invited: 201 },
] as const;
const emailOf = (who: string): string => `${who}@acme.example`;

async function open(t: Test, mails: Mail[] | null) {
  const world = await openWorld(t);
  const [organization] = acme().organizations;
  const provisioned = WAYS.filter(({ who }) => who !== 'nobody' && who !== 'password-elsewhere');
  const users = [
    ...(organization?.users ?? []),
    { email: 'ada@acme.example', name: 'Ada', role: 'ADMIN', password: PASSWORD },
    ...provisioned.map(({ who }) => ({ email: emailOf(who), name: who, role: 'EDITOR' })),
  ];
  const elsewhere = { email: emailOf('password-elsewhere'), name: 'Else', role: 'OWNER', password: PASSWORD };
  await world.provision({
    organizations: [
      { ...organization, users },
      { slug: 'other', name: 'Other', users: [elsewhere], projects: [] },
    ],
  });
  if (mails !== null) {
    Object.assign(world.ports, { mail: mailerTo(mails) });
    Object.assign(world.ports.settings, { publicUrl: 'https://carillon.example' });
  } else Object.assign(world.ports, { mail: null });
  const { db } = world.database;
  const people = await db.selectFrom('users').select(['id', 'email']).execute();
  const idOf = (who: string): string => people.find(({ email }) => email === emailOf(who))?.id ?? '';
  const at = world.ports.now();
  const identity = { issuer: 'https://id.example', subject: 'sso', email: emailOf('provider') };
  await db
    .insertInto('identities')
    .values({ ...identity, user_id: idOf('provider'), created_at: at, last_used_at: at })
    .execute();
  const passkey = {
    id: randomUUID(),
    name: 'phone',
    credential_id: Buffer.alloc(16, 1),
    public_key: Buffer.alloc(32, 2),
  };
  await db
    .insertInto('passkeys')
    .values({ ...passkey, user_id: idOf('passkey'), counter: 0, transports: [], created_at: at, last_used_at: null })
    .execute();
  await db
    .insertInto('second_factors')
    .values({ id: idOf('factor'), secret: Buffer.alloc(60), confirmed_at: at })
    .execute();
  await db
    .insertInto('second_factors')
    .values({ id: idOf('offered-factor'), offered: Buffer.alloc(60) })
    .execute();
  await noteEntered(db, idOf('entered'), at);

  const { app } = await createHttpServer(world.ports);
  await app.ready();
  t.teardown(() => app.close());
  const ask = async (url: string, body: object, cookie = '') => {
    const headers = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', cookie };
    const response = await app.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload: body });
    const set = response.cookies as { name: string; value: string }[];
    return {
      status: response.statusCode,
      // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
      ...(response.json() as { data: any; error: { code: string; message: string } }),
      cookie: set.map(({ name, value }) => `${name}=${value}`).join('; '),
    };
  };
  const { cookie } = await ask('/entrance/log-in', { email: 'ada@acme.example', password: PASSWORD });
  const invite = (who: string) => ask('/invitations', { email: emailOf(who), role: 'ADMIN' }, cookie);
  const accept = (token: string, more: object = {}) =>
    ask('/entrance/accept-invitation', { token, name: 'Mallory', password: OTHER, ...more });
  return { world, db, ask, invite, accept, idOf };
}

t.test('with mail: the link of an account goes only to its owner', async (t) => {
  const mails: Mail[] = [];
  const { world, invite, accept, db, idOf } = await open(t, mails);
  for (const { who, invited } of WAYS) {
    mails.length = 0;
    const answer = await invite(who);
    t.equal(answer.status, invited, who);
    await world.work();
    if (who === 'nobody') {
      t.match(answer.data.token, /^[\w-]{43}$/, 'no account: nobody else can be hurt');
      t.same(mails, []);
      t.equal((await accept(answer.data.token)).status, 200);
    } else if (invited === 201) {
      t.equal(answer.data.token, null, who);
      t.match(mails, [{ to: emailOf(who), subject: '[Carillon] An invitation' }]);
      const token = /#([\w-]{43})\n/.exec(mails[0]?.text ?? '')?.[1] ?? '';
      const isKnown = who === 'password-elsewhere';
      if (isKnown) t.equal((await accept(token)).status, 422, 'not with another password');
      t.equal((await accept(token, isKnown ? { password: PASSWORD } : {})).status, 200, who);
      t.equal((await accept(token)).status, 404, 'once');
    } else {
      t.match(answer, { error: { code: 'CONFLICT', message: /has an account without a password/ } });
      t.same(mails, []);
    }
  }
  const { password_hash } = await db
    .selectFrom('users')
    .where('id', '=', idOf('provider'))
    .selectAll()
    .executeTakeFirstOrThrow();
  t.equal(password_hash, null);
  t.equal(await isInUse(db, idOf('keys')), true, 'a person who has come in once is not invited like a robot again');
});

t.test('without mail: no link of an account without a password', async (t) => {
  const { invite } = await open(t, null);
  t.equal((await invite('nobody')).status, 201);
  t.match(await invite('keys'), { status: 409, error: { message: /npm run account -- reset keys@acme.example/ } });
  t.match((await invite('password-elsewhere')).data.token, /./, 'it asks for the password and the code');
});

t.test('an invitation that was made before does not open an account that is in use since', async (t) => {
  const { world, db, accept, idOf } = await open(t, null);
  const { id: organizationId } = await db
    .selectFrom('organizations')
    .where('slug', '=', 'acme')
    .select('id')
    .executeTakeFirstOrThrow();
  const at = world.ports.now();
  const link = async (who: string) => {
    const token = newToken();
    const expiresAt = new Date(at.getTime() + 60_000);
    const invitation = {
      id: randomUUID(),
      organizationId,
      hash: hashOf(token),
      email: emailOf(who),
      role: 'EDITOR' as const,
    };
    await putInvitation(db, { ...invitation, projectIds: null, invitedBy: idOf('keys'), at, expiresAt });
    return token.reveal();
  };
  for (const { who, invited } of WAYS) {
    if (invited === 201) continue;
    t.match(await accept(await link(who)), { status: 409, cookie: '' }, who);
    t.notOk(
      (await db.selectFrom('users').where('id', '=', idOf(who)).select('password_hash').executeTakeFirst())
        ?.password_hash,
    );
  }
  await setPassword(db, idOf('factor'), await hashPassword(new Secret(PASSWORD), world.ports.settings.passwordCost));
  t.match(
    await accept(await link('factor'), { password: PASSWORD }),
    { status: 403, cookie: '' },
    'the password is not enough',
  );
});
