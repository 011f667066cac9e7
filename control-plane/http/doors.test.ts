/**
 * The attack table: attacks by strangers at the endpoints, each refused, counted and in the audit log, without effect on other
 * clients. Over HTTP, with addresses that a trusted proxy names.
 */
import t from 'tap';
import { SESSION_HEADER } from '../client.ts';
import { trustedProxies } from '../domain/network.ts';
import { LIMITS } from '../limits/limits.ts';
import { retain } from '../operations/retain.ts';
import { acme, KEY, openWorld } from '../testing/world.ts';
import { createHttpServer } from './server.ts';

const PASSWORD = 'correct horse battery';
const [OWNER, COLLEAGUE] = ['ada@acme.example', 'bob@acme.example'];
const STRANGER = '203.0.113.66';

const world = await openWorld(t);
world.hold();
const [organization] = acme().organizations;
const users = [
  ...(organization?.users ?? []),
  { email: OWNER, name: 'Ada', role: 'OWNER', password: PASSWORD },
  { email: COLLEAGUE, name: 'Bob', role: 'VIEWER', password: PASSWORD },
];
await world.provision({ organizations: [{ ...organization, users }] });
const { app } = await createHttpServer(world.ports, { trustedProxies: trustedProxies('10.0.0.0/8') });
await app.ready();
t.teardown(() => app.close());

type RequestOptions = {
  readonly from?: string;
  readonly cookies?: Record<string, string>;
  readonly headers?: object;
  readonly peer?: string;
};

async function ask(method: 'GET' | 'POST', url: string, body?: object, asked: RequestOptions = {}) {
  const { from = '192.0.2.1', cookies = {}, headers = {}, peer = '10.0.0.1' } = asked;
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    remoteAddress: peer,
    headers: { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from, ...headers },
    cookies,
    ...(body && { payload: body }),
  });
  const set = Object.fromEntries((response.cookies as { name: string; value: string }[]).map((c) => [c.name, c.value]));
  return {
    status: response.statusCode,
    retryAfter: Number(response.headers['retry-after'] ?? 0),
    // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
    ...(response.json() as { data: any; error: { code: string; message: string } }),
    set,
  };
}
const logIn = (email: string, password: string, asked: RequestOptions = {}) =>
  ask('POST', '/entrance/log-in', { email, password }, asked);
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const badKey = (n: number) => `crl_${n.toString(16).padStart(32, '0')}`;

/** Entries of the audit log, by action. */
async function entries(action: string) {
  const rows = await world.database.db
    .selectFrom('audit_entries')
    .where('action', '=', action)
    .select(['actor', 'address', 'target', 'via'])
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, target: row.target as unknown as Record<string, string> }));
}

/** Earlier counts are subtracted from here on. */
const nextWindow = () => world.pass(LIMITS.network.withinMs / 1000);

t.jobs = 1;

t.test('bad keys from the address of a good one', async (t) => {
  nextWindow();
  const statuses = [];
  for (let n = 0; n < 150; n++) statuses.push((await ask('GET', '/projects', undefined, bearer(badKey(n)))).status);
  t.same([statuses.filter((s) => s === 401).length, statuses.filter((s) => s === 429).length], [100, 50], 'refused');
  t.equal((await ask('GET', '/projects', undefined, bearer(KEY))).status, 200, 'the good key is looked at first');
  const told = await entries('requestRefused');
  t.ok(told.length >= 3 && told.length <= 20, `${told.length} entries`);
  t.ok(
    told.some((e) => e.target['count'] !== undefined),
    'a flood is a count',
  );
});

t.test('guesses of an account, from one network and from many', async (t) => {
  nextWindow();
  const home = await logIn(OWNER, PASSWORD, { from: '198.51.100.1' });
  t.equal(home.status, 200);
  for (let n = 0; n < 15; n++) await logIn(OWNER, `guess ${n}`, { from: STRANGER });
  t.equal((await logIn(OWNER, 'guess', { from: STRANGER })).status, 429, 'refused there');
  t.equal((await logIn(OWNER, PASSWORD, { from: STRANGER })).status, 429, 'the right one as well: no oracle');
  t.equal((await logIn(OWNER, PASSWORD, { from: '192.0.2.77' })).status, 200, 'the owner, from elsewhere');
  for (let n = 0; n < 120; n++) await logIn(OWNER, `guess ${n}`, { from: `2001:db8:${n.toString(16)}::1` });
  t.equal((await logIn(OWNER, PASSWORD, { from: '192.0.2.78' })).status, 429, 'guesses from everywhere end, too');
  const known = await logIn(OWNER, PASSWORD, { from: STRANGER, cookies: home.set });
  t.equal(
    known.status,
    200,
    'but not in a browser that the owner has logged in from, even at the address of the guesser',
  );
  t.equal((await logIn(COLLEAGUE, PASSWORD, { from: STRANGER })).status, 200, 'nor for another account');
  const refused = await entries('logInRefused');
  const before = refused.length;
  t.ok(before > 20 && before < 130, `${before} entries of 136 refusals`);
  world.pass(2 * 3600);
  await retain(world.ports);
  const sums = (await entries('logInRefused')).slice(before);
  t.ok(
    sums.some((e) => Number(e.target['count']) >= 100),
    `what came in all is told when the hour is over: ${JSON.stringify(sums.map((e) => e.target))}`,
  );
});

t.test('a browser that is known has ten tries, and is known to its own account', async (t) => {
  nextWindow();
  const home = await logIn(OWNER, PASSWORD, { from: '198.51.100.1' });
  const statuses = [];
  for (let n = 0; n < 11; n++) statuses.push((await logIn(OWNER, 'guess', { cookies: home.set })).status);
  t.same(statuses, [...Array(10).fill(401), 429]);
  nextWindow();
  for (let n = 0; n < 10; n++) await logIn(COLLEAGUE, 'guess', { from: STRANGER });
  t.equal((await logIn(COLLEAGUE, PASSWORD, { from: STRANGER, cookies: home.set })).status, 429, 'not to another');
  const made = { 'carillon-browser': 'x'.repeat(43) };
  t.equal(
    (await logIn(COLLEAGUE, PASSWORD, { from: STRANGER, cookies: made })).status,
    429,
    'nor is a token of their own',
  );
});

t.test('one password for many accounts, from an address that others share', async (t) => {
  nextWindow();
  for (let n = 0; n < 80; n++) await logIn(`user-${n}@acme.example`, 'Summer2026!', { from: STRANGER });
  t.equal((await logIn(COLLEAGUE, PASSWORD, { from: STRANGER })).status, 200, 'a colleague comes in');
  for (let n = 0; n < 3; n++) await logIn(OWNER, 'guess', { from: STRANGER });
  t.equal((await logIn(OWNER, PASSWORD, { from: STRANGER })).status, 429, 'each account has fewer tries from there');
});

t.test('links that are guessed', async (t) => {
  nextWindow();
  const token = 'x'.repeat(43);
  const statuses = [];
  for (let n = 0; n < 61; n++)
    statuses.push((await ask('POST', '/entrance/invitation', { token }, { from: STRANGER })).status);
  t.same([statuses[0], statuses[60]], [404, 429]);
  t.ok((await entries('openInvitationRefused')).length >= 10);
  t.equal((await ask('POST', '/entrance/invitation', { token }, { from: '192.0.2.9' })).status, 404);
});

t.test('an address that is forged', async (t) => {
  nextWindow();
  const statuses = [];
  for (let n = 0; n < 12; n++) {
    // Sent by a stranger without the proxy: its own statements are ignored.
    const asked = { peer: '198.51.100.200', from: `192.0.2.${n}` };
    statuses.push((await logIn(COLLEAGUE, 'guess', asked)).status);
  }
  t.same(statuses, [...Array(10).fill(401), 429, 429]);
  t.equal(
    (await logIn(COLLEAGUE, 'guess', { from: `198.51.100.200, 192.0.2.50` })).status,
    401,
    'the last is believed',
  );
  t.equal((await logIn(COLLEAGUE, PASSWORD, { from: `192.0.2.50, 198.51.100.200` })).status, 429);
});

t.test('somebody who is known and asks for more', async (t) => {
  nextWindow();
  const { set } = await logIn(COLLEAGUE, PASSWORD);
  t.equal((await ask('GET', '/audit-entries', undefined, { cookies: set })).status, 403);
  t.match(await entries('operationRefused'), [{ actor: 'Bob', via: 'SESSION', target: { name: 'listAuditEntries' } }]);
});
