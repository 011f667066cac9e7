/** Users: how they log in, what their sessions may do, and what no session and no foreign page may do. */
import { Secret } from '@carillon/proto/base/secret.ts';
import { sql } from 'kysely';
import t from 'tap';
import { until } from '../../../scripts/peers/process.ts';
import { CATALOGUE } from '../../catalogue.ts';
import { SESSION_HEADER } from '../../client.ts';
import { type OperationName, type OperationRow, pathParameters } from '../../contract/catalogue.ts';
import { atLeast, ROLES, type Role } from '../../contract/roles.ts';
import { membershipFault } from '../../domain/membership.ts';
import { createHttpServer } from '../../http/server.ts';
import type { Mail } from '../../mailer.ts';
import { putInvitation } from '../../store/people/invitations.ts';
import { mailerTo } from '../../testing/mailer.ts';
import { acme, openWorld, type World } from '../../testing/world.ts';
import { hashOf } from '../request/actor.ts';
import { IDLE_SECONDS, SESSION_SECONDS } from '../request/session.ts';
import { retain } from '../retain.ts';
import { offerSetup } from './entrance.ts';

const PASSWORD = 'correct horse battery';
const PAGE = { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin' };

type RequestOptions = { readonly headers?: object; readonly address?: string; readonly cookie?: string | undefined };

async function open(world: World) {
  const { app } = await createHttpServer(world.ports);
  await app.ready();
  t.teardown(() => app.close());
  const ask = async (method: OperationRow['method'], url: string, body?: object, asked: RequestOptions = {}) => {
    const response = await app.inject({
      method,
      url: `/api/v1${url}`,
      remoteAddress: asked.address ?? '127.0.0.1',
      headers: Object.fromEntries(
        Object.entries({ ...PAGE, cookie: asked.cookie, ...asked.headers }).filter(([, value]) => value !== undefined),
      ),
      ...(body && { payload: body }),
    });
    const isJson = /\bjson\b/.test(String(response.headers['content-type']));
    const answered = isJson ? response.json() : {};
    const [set] = response.cookies as { name: string; value: string; httpOnly?: boolean; sameSite?: string }[];
    return {
      status: response.statusCode,
      // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
      ...(answered as { data: any; error: { code: string; message: string } }),
      set,
      cookie: set && `${set.name}=${set.value}`,
      retryAfter: response.headers['retry-after'],
      cacheControl: response.headers['cache-control'],
    };
  };
  return { ask };
}

const world = await openWorld(t);
const { ask } = await open(world);
const link = (await offerSetup(world.ports))?.reveal() as string;
const person = { organizationName: 'Acme', name: 'Ada', email: 'Ada@Acme.example', password: PASSWORD };
const before = await ask('GET', '/entrance');
const wrongLink = await ask('POST', '/entrance/set-up', { ...person, token: 'x'.repeat(43) });
const weak = await ask('POST', '/entrance/set-up', { ...person, token: link, password: 'short' });
const owner = await ask('POST', '/entrance/set-up', { ...person, token: link });
const again = await ask('POST', '/entrance/set-up', { ...person, token: link });
const logIn = (email: string, password: string, asked: RequestOptions = {}) =>
  ask('POST', '/entrance/log-in', { email, password }, asked);
const project = await ask('POST', '/projects', { name: 'Lab' }, { cookie: owner.cookie });

/** Invites a user as the owner, and accepts. */
const invited = async (
  role: Role,
  email = `${role.toLowerCase()}@acme.example`,
  projectIds: string[] | null = null,
) => {
  const invitation = await ask('POST', '/invitations', { email, role, projectIds }, { cookie: owner.cookie });
  const { token } = invitation.data;
  const accepted = { token, name: role, password: PASSWORD };
  return { token, accepted, ...(await ask('POST', '/entrance/accept-invitation', accepted)) };
};
const people = new Map<Role, string | undefined>([['OWNER', owner.cookie]]);
for (const role of ROLES.slice(0, -1)) people.set(role, (await invited(role)).cookie);

t.test('the first owner comes in by the link, once', async (t) => {
  t.match(before.data, { isSetUp: false, organizationName: null, mailsPasswords: false, provider: null });
  t.same([wrongLink.status, weak.status], [403, 422]);
  t.same([before.cacheControl, wrongLink.cacheControl, owner.cacheControl], Array(3).fill('no-store'));
  t.equal(owner.status, 200, owner.error?.message);
  t.match(owner.data, { role: 'OWNER', organization: { name: 'Acme' }, user: { email: 'ada@acme.example' } });
  t.match(owner.set, { httpOnly: true, sameSite: 'Lax' });
  t.equal(again.status, 403, 'used');
  t.equal(await offerSetup(world.ports), null, 'no link while somebody can log in');
  const { rows } = { rows: await world.database.db.selectFrom('sessions').select('hash').execute() };
  t.notOk(
    rows.some((r) => r.hash.toString().includes(owner.set?.value ?? '-')),
    'tokens are not kept',
  );
});

t.test('every row asked by a session of every role', async (t) => {
  const projectId = project.data.id;
  for (const name of Object.keys(CATALOGUE).sort() as OperationName[]) {
    const row: OperationRow = CATALOGUE[name];
    // The rights of a role are the same for keys (access.test.ts); sessions that it ended could not be requested here.
    if (row.by === 'ANYONE') continue;
    const url = row.path.replace('{projectId}', projectId).replaceAll(/\{\w+\}/g, 'unknown');
    for (const [role, cookie] of people) {
      if (atLeast(role, row.role) && row.method === 'DELETE' && pathParameters(row.path).length === 1) {
        if (row.path.startsWith('/projects')) continue;
      }
      const { status, error } = await ask(row.method, url, undefined, { cookie, headers: { 'if-match': '"0"' } });
      if (atLeast(role, row.role))
        t.ok(status < 500 && status !== 401 && status !== 403, `${name}, ${role}: ${status}`);
      else t.equal(status, 403, `${name}, ${role}: ${error?.message}`);
    }
  }
});

t.test('no other page, and no key, does what a session may', async (t) => {
  const { cookie } = owner;
  const make = (headers: object) => ask('POST', '/projects', { name: 'Theirs' }, { cookie, headers });
  const forged: object[] = [
    { [SESSION_HEADER]: undefined },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
    { 'sec-fetch-site': undefined, origin: 'null' },
  ];
  for (const headers of forged) t.equal((await make(headers)).status, 403, JSON.stringify(headers));
  t.equal((await logIn('ada@acme.example', PASSWORD, { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  const made = await ask('POST', '/api-keys', { name: 'pipeline' }, { cookie });
  t.equal(made.status, 201);
  const { key, id } = made.data;
  const headers = { authorization: `Bearer ${key}` };
  t.equal((await ask('GET', '/projects', undefined, { headers })).status, 200, 'the key works');
  t.equal((await ask('GET', '/me', undefined, { headers })).status, 403, 'and is no person');
  t.equal((await ask('GET', '/projects', undefined, { headers: { authorization: 'Bearer no' }, cookie })).status, 401);
  await ask('POST', `/api-keys/${id}/revoke`, undefined, { cookie });
  t.equal((await ask('GET', '/projects', undefined, { headers })).status, 401, 'revoked');
});

t.test('guesses are limited by account, cost the same, and are written down', async (t) => {
  world.hold();
  const address = '192.0.2.7';
  const codes: number[] = [];
  for (let n = 0; n < 11; n++) codes.push((await logIn('viewer@acme.example', `guess ${n}`, { address })).status);
  t.same(codes, [...Array(10).fill(401), 429]);
  const late = await logIn('viewer@acme.example', PASSWORD, { address });
  t.equal(late.status, 429, 'the account from that network, the right password, too');
  t.ok(Number(late.retryAfter) > 0);
  t.equal((await logIn('viewer@acme.example', PASSWORD, { address: '192.0.2.8' })).status, 200, 'not from elsewhere');
  t.equal((await logIn('nobody@acme.example', PASSWORD, { address })).error.code, 'UNAUTHORIZED');
  const { data } = await ask('GET', '/audit-entries?per_page=100', undefined, { cookie: owner.cookie });
  const entries: { action: string; actor: string; address: string }[] = data;
  t.equal(entries.filter((e) => e.action === 'logInRefused' && e.address === address).length, 10, 'the first ones');
  t.ok(entries.some((e) => e.action === 'createApiKey' && e.actor === 'Ada'));
  await t.rejects(world.database.db.updateTable('audit_entries').set({ actor: 'nobody' }).execute(), /only ever added/);
});

t.test('an invitation is good once, and grants only its role and projects', async (t) => {
  const { token, accepted, status, data } = await invited('TESTER', 'chosen@acme.example', []);
  t.equal(status, 200);
  t.match(data, { role: 'TESTER', allProjects: false });
  t.equal((await ask('POST', '/entrance/accept-invitation', accepted)).status, 404, 'used');
  t.equal((await ask('POST', '/entrance/invitation', { token })).status, 404);
  const admin = people.get('ADMIN');
  const above = await ask('POST', '/invitations', { email: 'x@acme.example', role: 'OWNER' }, { cookie: admin });
  t.equal(above.status, 403, 'an ADMIN makes no OWNER');
  const { id } = owner.data.user;
  t.equal((await ask('DELETE', `/members/${id}`, undefined, { cookie: admin })).status, 403);
  t.equal((await ask('PATCH', `/members/${id}`, { role: 'ADMIN' }, { cookie: owner.cookie })).status, 403, 'the last');
});

t.test('a new password ends the other sessions; a removed member has none', async (t) => {
  const email = 'editor@acme.example';
  const first = await logIn(email, PASSWORD);
  const second = await logIn(email, PASSWORD);
  const me = (cookie: string | undefined) => ask('GET', '/me', undefined, { cookie });
  const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD} staple` };
  t.equal(
    (await ask('POST', '/me/password', { ...change, currentPassword: 'no' }, { cookie: first.cookie })).status,
    422,
  );
  t.equal((await ask('POST', '/me/password', change, { cookie: first.cookie })).status, 200);
  t.same([(await me(first.cookie)).status, (await me(second.cookie)).status], [200, 401]);
  t.equal((await logIn(email, PASSWORD)).status, 401, 'the old one');
  const { id } = first.data.user;
  t.equal((await ask('DELETE', `/members/${id}`, undefined, { cookie: owner.cookie })).status, 200);
  t.equal((await me(first.cookie)).status, 401);
  t.equal((await logIn(email, change.newPassword)).status, 403, 'belongs to no organization');
});

t.test('workers are enrolled by a token that is shown once', async (t) => {
  const cookie = people.get('ADMIN');
  const made = await ask('POST', '/workers', { name: 'edge-9' }, { cookie });
  t.match(made, { status: 201, data: { status: 'OFFLINE', isEnrolled: false, agent: null } });
  t.match(made.data, { joinToken: /^[\w-]{32}$/ });
  t.equal((await ask('POST', '/workers', { name: 'edge-9' }, { cookie })).status, 409);
  const { id, joinToken } = made.data;
  const renewed = await ask('POST', `/workers/${id}/join-token`, undefined, { cookie });
  t.not(renewed.data.joinToken, joinToken);
  t.equal((await ask('POST', `/workers/${id}/drain`, { draining: true }, { cookie })).status, 409, 'it is offline');
  const carry = (capacity: number) => ask('PATCH', `/workers/${id}`, { capacity }, { cookie });
  t.match(await carry(300), { status: 200, data: { capacity: 300, capacityLimits: [{ limit: 'CONFIGURED' }] } });
  t.match((await carry(0)).error, { code: 'VALIDATION_ERROR', details: [{ path: 'capacity' }] });
  t.match((await ask('GET', '/workers', undefined, { cookie })).data, [{ capacity: 300, leftToProbes: 15 }]);
  t.equal((await ask('DELETE', `/workers/${id}`, undefined, { cookie })).status, 200);
  t.same((await ask('GET', '/workers', undefined, { cookie })).data, []);
  t.equal((await ask('POST', '/workers', { name: 'edge-9' }, { cookie })).data.id, id, 'its row comes back');
});

t.test('the organization has the name that its owner gives it', async (t) => {
  const as = (role: Role) => ask('PATCH', '/organization', { name: 'Acme Voice' }, { cookie: people.get(role) });
  t.equal((await as('ADMIN')).status, 403);
  t.match(await as('OWNER'), { status: 200, data: { name: 'Acme Voice' } });
  const { data: me } = await ask('GET', '/me', undefined, { cookie: owner.cookie });
  t.match(me, { organization: { name: 'Acme Voice' }, publicUrl: null });
  await ask('PATCH', '/organization', { name: 'Acme' }, { cookie: owner.cookie });
});

t.test('a member who leaves, or loses a role, loses all access of that role', async (t) => {
  const { cookie } = owner;
  const guest = await invited('ADMIN', 'guest@acme.example');
  const { key } = (await ask('POST', '/api-keys', { name: 'of the guest' }, { cookie: guest.cookie })).data;
  const asKey = async () =>
    (await ask('GET', '/projects', undefined, { headers: { authorization: `Bearer ${key}` } })).status;
  const invite = async () =>
    (await ask('POST', '/invitations', { email: 'way@acme.example', role: 'ADMIN' }, { cookie: guest.cookie })).data;
  const opens = async (token: string) => (await ask('POST', '/entrance/invitation', { token })).status;
  const first = await invite();
  t.same([await asKey(), await opens(first.token)], [200, 200]);
  const { id } = guest.data.user;
  await ask('PATCH', `/members/${id}`, { role: 'EDITOR' }, { cookie });
  t.equal(await opens(first.token), 404, 'given as an ADMIN, a role that is gone');
  await ask('PATCH', `/members/${id}`, { role: 'ADMIN' }, { cookie });
  const second = await invite();
  await ask('DELETE', `/members/${id}`, undefined, { cookie });
  t.same([await asKey(), await opens(second.token)], [401, 404]);
  const again = await ask('POST', '/invitations', { email: 'guest@acme.example', role: 'VIEWER' }, { cookie });
  const back = { token: again.data.token, password: PASSWORD };
  t.equal((await ask('POST', '/entrance/accept-invitation', back)).status, 200);
  t.equal(await asKey(), 401, 'the key does not return with the member');
});

t.test('an ADMIN of chosen projects gives nobody more rights than their own', async (t) => {
  const chosen = await invited('ADMIN', 'some@acme.example', [project.data.id]);
  const { cookie } = chosen;
  const { id } = chosen.data.user;
  t.equal((await ask('PATCH', `/members/${id}`, { projectIds: null }, { cookie })).status, 403);
  t.equal((await ask('POST', '/invitations', { email: 'any@acme.example', role: 'ADMIN' }, { cookie })).status, 403);
  t.equal((await ask('GET', '/me', undefined, { cookie })).data.allProjects, false);
});

t.test('an invitation takes over no existing account', async (t) => {
  const other = await openWorld(t);
  const { ask } = await open(other);
  const [organization] = acme().organizations;
  const provisioned = (email: string, role: Role) => ({ email, name: email, role });
  const both = provisioned('both@acme.example', 'VIEWER');
  const mails: Mail[] = [];
  Object.assign(other.ports, { mail: mailerTo(mails) });
  Object.assign(other.ports.settings, { publicUrl: 'https://carillon.example' });
  const mailed = async () => {
    await other.work();
    return mails;
  };
  const key = { name: 'robot', user: 'robot@acme.example', key: `crl_${'7'.repeat(32)}` };
  const users = [
    both,
    provisioned('robot@acme.example', 'EDITOR'),
    provisioned('boss@acme.example', 'OWNER'),
    { ...provisioned('admin@acme.example', 'ADMIN'), password: PASSWORD },
    ...(organization?.users ?? []),
  ];
  const apiKeys = [key, ...(organization?.apiKeys ?? [])];
  await other.provision({
    organizations: [
      { ...organization, users, apiKeys },
      { slug: 'other', name: 'Other', users: [{ ...both, role: 'OWNER' }], projects: [] },
    ],
  });
  const logged = await ask('POST', '/entrance/log-in', { email: 'admin@acme.example', password: PASSWORD });
  const { cookie } = logged;
  const invite = (email: string, role: Role = 'VIEWER') => ask('POST', '/invitations', { email, role }, { cookie });
  const accept = (token: string, password = PASSWORD) =>
    ask('POST', '/entrance/accept-invitation', { token, name: 'Somebody', password });
  const linkTo = async (email: string) => {
    const { status, data, error } = await invite(email);
    return { status, data, error, token: /#([\w-]+)\n/.exec((await mailed()).at(-1)?.text ?? '')?.[1] ?? '' };
  };
  t.equal((await accept((await linkTo(both.email)).token)).status, 403, 'the OWNER of another organization');
  t.equal((await invite('boss@acme.example')).status, 403, 'an ADMIN opens no account of an OWNER');
  const robot = await linkTo('robot@acme.example');
  t.match(robot.data, { role: 'EDITOR', projectIds: null }, 'as the same person');
  t.match(await accept(robot.token), {
    status: 200,
    data: { role: 'EDITOR', user: { email: 'robot@acme.example' } },
  });
  const { token } = (await invite('new@acme.example')).data;
  const theirs = 'y'.repeat(43);
  const { db } = other.database;
  const { id: organizationId } = await db
    .selectFrom('organizations')
    .select('id')
    .where('slug', '=', 'other')
    .executeTakeFirstOrThrow();
  const at = other.ports.now();
  await putInvitation(db, {
    id: organizationId,
    organizationId,
    hash: hashOf(new Secret(theirs)),
    email: 'new@acme.example',
    role: 'VIEWER',
    projectIds: null,
    invitedBy: logged.data.user.id,
    at,
    expiresAt: new Date(at.getTime() + 60_000),
  });
  // Both requests are checked before either has created the account: it belongs to the first one.
  const answers = await db.transaction().execute(async (tx) => {
    await sql`lock table invitations in share mode`.execute(tx);
    const both = [accept(token), accept(theirs, `${PASSWORD} two`)];
    await until('both wait', async () => {
      const waiting = await sql`select from pg_locks where relation = 'invitations'::regclass and not granted`.execute(
        db,
      );
      return waiting.rows.length === both.length;
    });
    return both;
  });
  t.same((await Promise.all(answers)).map((r) => r.status).sort(), [200, 409]);
});

t.test(
  'guesses of links and of the own password are limited; an address that has had its own takes none of others',
  async (t) => {
    const alone = await openWorld(t);
    alone.hold();
    const { ask } = await open(alone);
    const token = (await offerSetup(alone.ports))?.reveal() as string;
    const address = '2001:db8:1:2::';
    const setUp = (n: number) =>
      ask('POST', '/entrance/set-up', { ...person, token: 'x'.repeat(43) }, { address: `${address}${n.toString(16)}` });
    const codes: number[] = [];
    for (let n = 1; n <= 61; n++) codes.push((await setUp(n)).status);
    t.same(codes, [...Array(60).fill(403), 429], 'a /64 is one');
    const { cookie } = await ask('POST', '/entrance/set-up', { ...person, token });
    const { email } = person;
    for (let n = 0; n < 11; n++) await ask('POST', '/entrance/log-in', { email, password: 'guess' }, { address });
    t.equal((await ask('POST', '/entrance/log-in', { email, password: PASSWORD })).status, 200, 'not locked out');
    const change = { currentPassword: 'guess', newPassword: `${PASSWORD} staple` };
    const tries: number[] = [];
    for (let n = 0; n < 11; n++) tries.push((await ask('POST', '/me/password', change, { cookie })).status);
    t.same(tries, [...Array(10).fill(422), 429]);
  },
);

t.test('a link is of no use once somebody can log in', async (t) => {
  const alone = await openWorld(t);
  const { ask } = await open(alone);
  const token = (await offerSetup(alone.ports))?.reveal() as string;
  const [organization] = acme().organizations;
  const users = [{ email: 'first@acme.example', name: 'First', role: 'OWNER', password: PASSWORD }];
  await alone.provision({ organizations: [{ ...organization, users: [...(organization?.users ?? []), ...users] }] });
  t.match((await ask('GET', '/entrance')).data, { isSetUp: true, organizationName: null }, 'strangers hear no name');
  t.equal((await ask('POST', '/entrance/set-up', { ...person, token })).status, 403);
  await offerSetup(alone.ports);
  t.same(await alone.database.db.selectFrom('setup_links').selectAll().execute(), []);
});

t.test('sessions end: by hand, unused, or at their age', async (t) => {
  const alone = await openWorld(t);
  const { ask } = await open(alone);
  const token = (await offerSetup(alone.ports))?.reveal() as string;
  const { cookie, data } = await ask('POST', '/entrance/set-up', { ...person, token });
  const me = async () => (await ask('GET', '/me', undefined, { cookie })).status;
  alone.pass(IDLE_SECONDS - 60);
  t.equal(await me(), 200);
  for (let passed = IDLE_SECONDS; passed < SESSION_SECONDS; passed += IDLE_SECONDS - 60) {
    t.equal(await me(), 200, 'as long as it is used');
    alone.pass(IDLE_SECONDS - 60);
  }
  t.equal(await me(), 401, 'its age');
  await retain(alone.ports);
  t.same(await alone.database.db.selectFrom('sessions').selectAll().execute(), []);
  const log = { email: person.email, password: PASSWORD };
  const next = await ask('POST', '/entrance/log-in', log);
  alone.pass(IDLE_SECONDS + 1);
  t.equal((await ask('GET', '/me', undefined, { cookie: next.cookie })).status, 401, 'unused');
  const last = await ask('POST', '/entrance/log-in', log);
  const { sessionId } = last.data;
  t.not(sessionId, data.sessionId);
  const ended = await ask('DELETE', `/me/sessions/${sessionId}`, undefined, { cookie: last.cookie });
  t.equal(ended.status, 200);
  t.equal(ended.set?.value, '', 'the cookie goes');
  t.equal((await ask('GET', '/me', undefined, { cookie: last.cookie })).status, 401);
  const entries = async () => (await alone.database.db.selectFrom('audit_entries').select('id').execute()).length;
  const written = await entries();
  alone.pass(390 * 86_400);
  await retain(alone.ports);
  t.equal(await entries(), written, 'the audit log outlives its members');
  alone.pass(11 * 86_400);
  await retain(alone.ports);
  t.equal(await entries(), 0, 'for 400 days');
});

t.test('two organizations: a person of both sees one at a time', async (t) => {
  const both = await openWorld(t);
  const { ask } = await open(both);
  const [organization] = acme().organizations;
  const file = { organizations: [organization, { slug: 'other', name: 'Other', users: [], projects: [] }] };
  await both.provision(file);
  const token = (await offerSetup(both.ports))?.reveal() as string;
  const { cookie, data } = await ask('POST', '/entrance/set-up', { ...person, token });
  const organizations: { id: string; name: string }[] = data.organizations;
  t.same(
    organizations.map((o) => o.name),
    ['Acme Telecom', 'Other'],
    'the first owner owns what was provisioned',
  );
  const projects = async () => (await ask('GET', '/projects', undefined, { cookie })).data;
  t.equal((await projects()).length, 1);
  const there = organizations.find((o) => o.name === 'Other')?.id;
  t.equal((await ask('POST', '/me/organization', { organizationId: there }, { cookie })).status, 200);
  t.equal((await projects()).length, 0);
  const entries = await both.database.db
    .selectFrom('audit_entries')
    .select('organization_id')
    .where('action', '=', 'setUp')
    .execute();
  t.same(entries.map((e) => e.organization_id).sort(), organizations.map((o) => o.id).sort(), 'each can read who came');
  const unknown = { organizationId: '0190b8e0-0000-7000-8000-000000000000' };
  t.equal((await ask('POST', '/me/organization', unknown, { cookie })).status, 404);
});

t.test('the law of memberships', async (t) => {
  const maybe = [null, ...ROLES];
  for (const by of ROLES) {
    for (const from of maybe) {
      for (const to of maybe) {
        for (const owners of [1, 2]) {
          const allowed = membershipFault({ by, from, to, owners }) === null;
          if (from !== null && !atLeast(by, from)) t.notOk(allowed, `${by} ${from}`);
          if (to !== null && !atLeast(by, to)) t.notOk(allowed, `${by} ${to}`);
          if (from === 'OWNER' && to !== 'OWNER' && owners === 1) t.notOk(allowed, 'an owner stays');
          if (by === 'OWNER' && owners === 2) t.ok(allowed);
        }
      }
    }
  }
});
