/** Links to a run, for readers without an account; they expire, can be revoked, are in the audit log, and show only that run. */
import { randomBytes, randomUUID } from 'node:crypto';
import t from 'tap';
import { callsBody, EDITOR, FOREIGN, IDENTITIES, OWNER, openApi } from '../../../testing/api.ts';

const api = await openApi(t);
const { ask, world, projectId } = api;
const origin = new URL(await api.listen()).origin;
const made = await ask('POST', `/projects/${projectId}/tests`, { ...callsBody(api.cloudId, 2), name: 'Shared <test>' });
const start = async () =>
  (await ask('POST', `/projects/${projectId}/tests/${made.data.id}/run`)).data.testRunId as string;
const runId = await start();
await world.work();
const links = `/projects/${projectId}/test-runs/${runId}/share-links`;
const DAY = 86_400;

const look = async (path: string) => {
  const response = await fetch(origin + path);
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
};

t.test('the address of a share link gives access to the report only', async (t) => {
  const created = await ask('POST', links, {}, { key: EDITOR.key });
  t.equal(created.status, 201, created.text);
  t.match(created.data, { createdBy: String, views: 0, lastViewedAt: null, path: /^\/shared\/[\w-]{43}$/, url: null });
  const days = (Date.parse(created.data.expiresAt) - Date.parse(created.data.createdAt)) / (DAY * 1000);
  t.equal(days, 7);
  const page = await look(created.data.path);
  t.equal(page.status, 200);
  t.match(page.text, /<h1>Shared &lt;test&gt;<\/h1>/);
  t.match(page.headers, {
    'content-type': /^text\/html/,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': /noindex/,
    'content-security-policy': /frame-ancestors 'none'/,
  });
  t.notOk(page.headers['content-disposition'], 'shown, not stored');
  const token = created.data.path.split('/').at(-1);
  for (const path of ['/shared/', `/shared/${token}x`, `/shared/${'A'.repeat(43)}`, `/shared/${token}/x`])
    t.equal((await look(path)).status, 404, path);
  const asKey = await fetch(`${origin}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } });
  t.equal(asKey.status, 401, 'the token is no key');
  const listed = await ask('GET', links);
  t.match(listed, { total: 1, data: [{ id: created.data.id, views: 1, lastViewedAt: String }] });
  t.notOk(listed.text.includes(token), 'its address is told once');
});

t.test('which roles may create, list and revoke share links', async (t) => {
  const { data } = await ask('POST', links, { expiresInDays: 1 });
  for (const { key, role, name } of IDENTITIES) {
    const wanted = role === null ? 404 : ['EDITOR', 'ADMIN', 'OWNER'].includes(role) ? 200 : 403;
    t.equal((await ask('GET', links, undefined, { key })).status, wanted, name);
    if (wanted === 200) continue;
    t.equal((await ask('POST', links, {}, { key })).status, wanted, name);
    t.equal((await ask('DELETE', `${links}/${data.id}`, undefined, { key })).status, wanted, name);
  }
  t.equal((await ask('DELETE', `${links}/${runId}`)).status, 404);
  const other = await start();
  await world.work();
  t.equal((await ask('DELETE', `/projects/${projectId}/test-runs/${other}/share-links/${data.id}`)).status, 404);
  for (const [expiresInDays, message] of [
    [0, /from 1 to 90/],
    [91, /from 1 to 90/],
    ['7', /whole number/],
  ] as const)
    t.match(await ask('POST', links, { expiresInDays }), { status: 422, paths: ['expiresInDays'], message });
  t.equal((await ask('GET', links, undefined, { key: FOREIGN.key })).status, 404);
});

t.test('a project lists what is open of all of its runs', async (t) => {
  const ofProject = `/projects/${projectId}/share-links`;
  const other = await start();
  await world.work();
  const one = (await ask('POST', links, {})).data;
  const two = (await ask('POST', `/projects/${projectId}/test-runs/${other}/share-links`, {})).data;
  const { data, text, total } = await ask('GET', ofProject);
  t.equal(total, data.length);
  const runs = new Map(data.map((link: { id: string; run: { id: string } }) => [link.id, link.run.id]));
  t.same([runs.get(one.id), runs.get(two.id)], [runId, other]);
  t.match(data[0].run, { testName: 'Shared <test>', submittedAt: String });
  for (const { path } of [one, two]) t.notOk(text.includes(path.split('/').at(-1)), 'without addresses');
  for (const { key, role, name } of IDENTITIES) {
    const wanted = role === null ? 404 : ['EDITOR', 'ADMIN', 'OWNER'].includes(role) ? 200 : 403;
    t.equal((await ask('GET', ofProject, undefined, { key })).status, wanted, name);
  }
  t.equal((await ask('GET', ofProject, undefined, { key: FOREIGN.key })).status, 404);
  for (const link of [one, two]) {
    const { id } = data.find((found: { id: string }) => found.id === link.id).run;
    await ask('DELETE', `/projects/${projectId}/test-runs/${id}/share-links/${link.id}`);
  }
  t.equal((await ask('GET', ofProject)).total, (total ?? 0) - 2);
});

t.test('they end: revoked, expired, with their run', async (t) => {
  const revoked = (await ask('POST', links, {})).data;
  t.equal((await look(revoked.path)).status, 200);
  t.match(await ask('DELETE', `${links}/${revoked.id}`), { status: 200, data: { id: revoked.id, deleted: true } });
  t.equal((await look(revoked.path)).status, 404);

  const short = (await ask('POST', links, { expiresInDays: 1 })).data;
  world.pass(DAY - 60);
  t.equal((await look(short.path)).status, 200);
  world.pass(61);
  t.equal((await look(short.path)).status, 404);
  t.notOk((await ask('GET', links)).data.some((link: { id: string }) => link.id === short.id));

  const long = (await ask('POST', links, { expiresInDays: 90 })).data;
  t.equal((await ask('DELETE', `/projects/${projectId}/test-runs/${runId}`)).status, 200);
  t.equal((await look(long.path)).status, 404, 'a run that was deleted');
});

t.test('the audit log names who made and revoked them, and nothing holds a token', async (t) => {
  const { db } = world.database;
  const entries = await db.selectFrom('audit_entries').selectAll().where('action', 'like', '%ShareLink').execute();
  t.same([...new Set(entries.map(({ action }) => action))].sort(), ['createShareLink', 'deleteShareLink']);
  t.ok(entries.some(({ target }) => JSON.stringify(target).includes(runId)));
  t.ok(entries.every(({ target }) => /[0-9a-f-]{36}/.test(JSON.stringify(target))));
  const told = api.heard.join('\n');
  const tokens = [...told.matchAll(/\/shared\/([\w-]{43})/g)].map(([, token]) => token as string);
  t.ok(tokens.length > 0);
  const kept = JSON.stringify([entries, await db.selectFrom('share_links').selectAll().execute()]);
  t.notOk(tokens.some((token) => kept.includes(token)));
  t.ok(OWNER.key);
});

t.test('links are bounded, also when they are made at once; guesses are counted, and shut nobody out', async (t) => {
  const one = await start();
  await world.work();
  const many = `/projects/${projectId}/test-runs/${one}/share-links`;
  const made = await Promise.all(Array.from({ length: 30 }, () => ask('POST', many, {}, { key: EDITOR.key })));
  t.equal(made.filter(({ status }) => status === 201).length, 20);
  t.match(
    made.find(({ status }) => status !== 201),
    { status: 409, text: /The run has 20 share links/ },
  );
  const link = made.find(({ status }) => status === 201)?.data;
  await ask('DELETE', `${many}/${link.id}`);
  t.equal((await ask('POST', many, {})).status, 201, 'one was revoked');
  const open = made.filter(({ status }) => status === 201).at(-1)?.data;
  const { db } = world.database;
  const owner = await db.selectFrom('share_links').where('run_id', '=', one).selectAll().executeTakeFirstOrThrow();
  const other = await start();
  await world.work();
  const rows = Array.from({ length: 1000 }, () => ({
    ...{ id: randomUUID(), run_id: other, hash: randomBytes(32), created_by: owner.created_by },
    ...{ created_at: owner.created_at, expires_at: owner.expires_at },
  }));
  await db.insertInto('share_links').values(rows).execute();
  await ask('DELETE', `${many}/${open.id}`);
  t.match(await ask('POST', many, {}), { status: 409, text: /The organization has 1000 share links/ });
  const last = made.filter(({ status }) => status === 201).at(-2)?.data;
  const guesses = [];
  for (let n = 0; n < 60; n++) guesses.push((await look(`/shared/${randomBytes(32).toString('base64url')}`)).status);
  t.ok(guesses.includes(429), 'a network that guesses');
  t.equal((await look(last.path)).status, 200, 'its right links');
});
