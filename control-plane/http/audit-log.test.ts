/** The audit log: objects by name, also after they are gone; filters; the same as CSV; and whose log it is. */
import t from 'tap';
import { callsBody, EDITOR, FOREIGN, IDENTITIES, openApi } from '../testing/api.ts';

const api = await openApi(t);
const { ask, world, projectId, cloudId } = api;
const at = `/projects/${projectId}`;

type Entry = {
  readonly action: string;
  readonly actor: string;
  readonly kind: string | null;
  readonly objects: readonly { readonly kind: string; readonly id: string; readonly name: string | null }[];
  readonly at: string;
};
const entries = async (query = ''): Promise<readonly Entry[]> =>
  (await ask('GET', `/audit-entries?sort=at&per_page=100${query}`)).data;
const last = async () => (await entries()).at(-1);
const named = async () => (await last())?.objects.map(({ kind, name }) => [kind, name]);

t.jobs = 1;

const LAB = ['projects', 'Lab'];
const made: Record<string, string> = {};

t.test('objects have names, also after they are gone', async (t) => {
  const hook = { url: 'https://hooks.example/T/secret-path', events: ['incident.opened'] };
  const webhook = (await ask('POST', `${at}/webhooks`, hook)).data;
  t.match(await named(), [LAB, ['webhooks', /hooks\.example/]]);
  t.notMatch(JSON.stringify(await last()), /secret-path/);
  const registrar = (await ask('POST', `${at}/registrars`, { name: 'PBX', uri: 'sip:127.0.0.1:5070' })).data;
  t.same(await named(), [LAB, ['registrars', 'PBX']]);
  const accounts = `${at}/registrars/${registrar.id}/sip-accounts`;
  await ask('POST', accounts, { sipAccounts: [{ username: '1001', password: 'p' }] });
  t.match(await last(), { action: 'createSipAccounts', kind: 'sip-accounts' });
  t.same(await named(), [LAB, ['registrars', 'PBX']], 'several accounts of a registrar');
  const [account] = (await ask('GET', accounts)).data;
  await ask('DELETE', `${accounts}/${account.id}`);
  t.same(await named(), [LAB, ['registrars', 'PBX'], ['sip-accounts', '1001']]);
  await ask('DELETE', `${at}/registrars/${registrar.id}`);
  t.same(await named(), [LAB, ['registrars', 'PBX']]);
  await ask('DELETE', `${at}/webhooks/${webhook.id}`);
  t.match(await named(), [LAB, ['webhooks', /hooks\.example/]]);
  t.match(await last(), { kind: 'webhooks', action: 'deleteWebhook' });
  const test = (await ask('POST', `${at}/tests`, callsBody(cloudId), { key: EDITOR.key })).data;
  await ask('POST', `${at}/tests/${test.id}/run`, {}, { key: EDITOR.key });
  t.same(await named(), [LAB, ['tests', 'Calls']]);
  await ask('PATCH', `${at}/tests/${test.id}`, { name: 'Renamed' });
  t.same(await named(), [LAB, ['tests', 'Renamed']]);
  Object.assign(made, { testId: test.id });
});

t.test('filters narrow it, one by one and together', async (t) => {
  const all = await entries();
  const same = async (query: string, keeps: (entry: Entry) => boolean) => {
    const wanted = all.filter(keeps);
    t.ok(wanted.length > 0 && wanted.length < all.length, `${query}: ${wanted.length} of ${all.length}`);
    t.same(await entries(query), wanted, query);
  };
  await same('&actor=edit', ({ actor }) => actor === 'EDITOR');
  await same('&kind=webhooks', ({ kind }) => kind === 'webhooks');
  await same('&action=createTest', ({ action }) => action === 'createTest');
  await same('&kind=tests&actor=owner', ({ kind, actor }) => kind === 'tests' && actor === 'OWNER');
  const [, second] = all;
  await same(`&from=${second?.at}`, (entry) => entry.at >= (second?.at ?? ''));
  await same(`&to=${second?.at}`, (entry) => entry.at < (second?.at ?? ''));
  t.same(await entries('&kind=webhooks&action=createTest'), [], 'no such entry');
  t.match(await ask('GET', '/audit-entries?kind=wbhooks'), { status: 422, paths: ['kind'] });
  t.equal((await ask('GET', '/audit-entries?who=x')).status, 422, 'a misspelt filter');
});

t.test('as CSV: what the list has, filtered likewise', async (t) => {
  const rows = async (query: string) => {
    const file = await ask('GET', `/audit-entries.csv${query}`);
    t.match(file.headers['content-type'], /^text\/csv/);
    const lines = file.text.split('\r\n').slice(0, -1);
    t.equal(
      lines[0],
      'at,actor,via,action,kind,objectId,objectName,projectId,projectName,email,role,reason,count,address,plan',
    );
    return lines.slice(1).map((line) => line.split(','));
  };
  const listed = (query: string) => entries(query).then((all) => all.toReversed());
  for (const query of ['', 'kind=webhooks', 'action=createTest']) {
    const wanted = await listed(`&${query}`);
    const cells = await rows(`?${query}`);
    t.same(
      cells.map(([at, actor, , action, kind, objectId, objectName]) => [at, actor, action, kind, objectId, objectName]),
      wanted.map((e) => [e.at, e.actor, e.action, e.kind, e.objects.at(-1)?.id ?? '', e.objects.at(-1)?.name ?? '']),
      query,
    );
  }
  const bodies = { name: '=cmd()' };
  await ask('PATCH', `${at}/tests/${made['testId']}`, bodies);
  t.equal((await rows('?action=updateTest'))[0]?.[6], "'=cmd()", 'no formula');
});

t.test('a long log is whole in the file', async (t) => {
  const { db } = world.database;
  const entry = await db.selectFrom('audit_entries').selectAll().orderBy('id').executeTakeFirstOrThrow();
  const { id: _, ...copied } = entry;
  const many = Array.from({ length: 1100 }, (_, n) => ({
    ...copied,
    target: JSON.stringify({ projectId, name: `copy ${n}` }),
  }));
  await db.insertInto('audit_entries').values(many).execute();
  const { text } = await ask('GET', '/audit-entries.csv');
  const lines = text.split('\r\n').slice(1, -1);
  t.equal(lines.length, (await ask('GET', '/audit-entries')).total);
  t.equal(new Set(lines).size, lines.length, 'each once');
});

t.test('an ADMIN with all projects reads it, and only that of the organization', async (t) => {
  for (const { key, own, name } of IDENTITIES)
    for (const url of ['/audit-entries', '/audit-entries.csv']) {
      const may = ['ADMIN', 'OWNER'].includes(own) && name !== 'ADMIN elsewhere';
      const { status } = await ask('GET', url, undefined, { key });
      t.equal(status, may ? 200 : 403, `${url}, ${name}`);
    }
  t.notMatch((await ask('GET', '/audit-entries.csv', undefined, { key: FOREIGN.key })).text, /createTest|Lab/);
});
