/** Links that set a password: asked for by anybody, mailed to the owner, made by the operator. */
import t from 'tap';
import { SESSION_HEADER } from '../../../client.ts';
import { trustedProxies } from '../../../domain/network.ts';
import { createHttpServer } from '../../../http/server.ts';
import { LIMITS } from '../../../limits/limits.ts';
import type { Mail } from '../../../mailer.ts';
import { mailerTo } from '../../../testing/mailer.ts';
import { acme, openWorld } from '../../../testing/world.ts';
import { printPasswordLink } from '../operations/password-reset.ts';

const PASSWORD = 'correct horse battery';
const OWNER = 'ada@acme.example';
const STRANGER = '203.0.113.66';

const world = await openWorld(t);
world.hold();
const [organization] = acme().organizations;
const users = [...(organization?.users ?? []), { email: OWNER, name: 'Ada', role: 'OWNER', password: PASSWORD }];
await world.provision({ organizations: [{ ...organization, users }] });
const mails: Mail[] = [];
Object.assign(world.ports, { mail: mailerTo(mails) });
Object.assign(world.ports.settings, { publicUrl: 'https://carillon.example' });
const { app } = await createHttpServer(world.ports, { trustedProxies: trustedProxies('10.0.0.0/8') });
await app.ready();
t.teardown(() => app.close());

type RequestOptions = { readonly from?: string; readonly cookies?: Record<string, string> };

async function ask(method: 'GET' | 'POST', url: string, body?: object, asked: RequestOptions = {}) {
  const { from = '192.0.2.1', cookies = {} } = asked;
  const response = await app.inject({
    method,
    url: `/api/v1${url}`,
    remoteAddress: '10.0.0.1',
    headers: { [SESSION_HEADER]: '1', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from },
    cookies,
    ...(body && { payload: body }),
  });
  const set = Object.fromEntries((response.cookies as { name: string; value: string }[]).map((c) => [c.name, c.value]));
  // biome-ignore lint/suspicious/noExplicitAny: what came, before anybody has looked at it
  return { status: response.statusCode, data: (response.json() as { data: any }).data, set };
}
const logIn = (email: string, password: string, asked: RequestOptions = {}) =>
  ask('POST', '/entrance/log-in', { email, password }, asked);

/** Entries of the audit log, by action. */
const entries = (action: string) =>
  world.database.db
    .selectFrom('audit_entries')
    .where('action', '=', action)
    .select(['actor', 'address', 'target', 'via'])
    .orderBy('id')
    .execute();

/** Earlier counts are subtracted from here on. */
const nextWindow = () => world.pass(LIMITS.network.withinMs / 1000);

t.jobs = 1;

t.test('a lost password: the same answer for all, one mail, a link that is good once', async (t) => {
  nextWindow();
  const request = (email: string, from = '192.0.2.30') => ask('POST', '/entrance/password-link', { email }, { from });
  const [known, unknown] = [await request(OWNER), await request('nobody@acme.example')];
  t.same([known.status, known.data], [200, { sent: true }]);
  t.same(unknown.data, known.data);
  await world.work();
  t.same(
    mails.map((m) => m.to),
    [OWNER],
  );
  const token = /https:\/\/carillon\.example\/password#([\w-]{43})\n/.exec(mails[0]?.text ?? '')?.[1] as string;
  t.ok(token, 'the link begins with what the operator said, whatever the Host of the request');
  const session = (await logIn(OWNER, PASSWORD)).set;
  const set = (of: string, password: string) => ask('POST', '/entrance/password', { token: of, password });
  t.equal((await set(token, 'short')).status, 422);
  t.equal((await set('y'.repeat(43), 'another horse battery')).status, 403);
  t.match(await set(token, 'another horse battery'), { status: 200, data: { email: OWNER } });
  t.equal((await set(token, 'a third horse battery')).status, 403, 'once');
  t.equal((await ask('GET', '/me', undefined, { cookies: session })).status, 401, 'sessions end');
  t.equal((await logIn(OWNER, PASSWORD)).status, 401, 'the old password');
  t.equal((await logIn(OWNER, 'another horse battery')).status, 200);
  t.equal((await entries('setNewPassword')).length, 1);
  t.ok((await entries('setNewPasswordRefused')).length >= 2);

  for (let n = 0; n < 6; n++) await request(OWNER, `192.0.2.${100 + n}`);
  await world.work();
  t.equal(mails.length, 3, 'a flood of requests is three mails');
  const late = /#([\w-]{43})/.exec(mails[2]?.text ?? '')?.[1] as string;
  world.pass(31 * 60);
  t.equal((await set(late, 'too late for a horse')).status, 403, 'half an hour');
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await request('nobody@acme.example', STRANGER)).status);
  t.same([statuses[0], statuses[20]], [200, 429], 'a network that asks for very many');
});

t.test("the operator's link lets in whom strangers have kept out", async (t) => {
  nextWindow();
  for (let n = 0; n < 120; n++) await logIn(OWNER, 'guess', { from: `2001:db8:${n.toString(16)}::1` });
  t.equal((await logIn(OWNER, 'another horse battery')).status, 429);
  const link = await printPasswordLink(world.ports, OWNER, 'http://127.0.0.1:8080');
  t.match(link, /^http:\/\/127\.0\.0\.1:8080\/password#[\w-]{43}$/);
  t.equal((await logIn(OWNER, 'another horse battery')).status, 200, 'at once');
  const token = link?.split('#')[1];
  t.equal((await ask('POST', '/entrance/password', { token, password: 'of the operator’s' })).status, 200);
  t.equal(await printPasswordLink(world.ports, 'nobody@acme.example', 'http://127.0.0.1'), null);
  t.match(await entries('makePasswordLink'), [{ via: 'OPERATOR', target: { email: OWNER } }]);
});
