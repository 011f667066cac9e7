/** Lists with an order and a cursor: every order of each, through all pages, against one long page. */
import { sql } from 'kysely';
import t from 'tap';
import { CATALOGUE } from '../../catalogue.ts';
import { type KnownName, type OperationRow, pathParameters } from '../../contract/catalogue.ts';
import type { Listed } from '../../contract/envelope.ts';
import { FEATURE_TEST_DATA } from '../../feature-sums/testing.ts';
import { HANDLERS } from '../../handlers.ts';
import { callsBody, openApi, probeBody, wavBase64 } from '../../testing/api.ts';
import type { Actor } from './actor.ts';
import type { Context } from './perform.ts';

const { ask, cloudId, projectId, world } = await openApi(t);
const { db } = world.database;
const lab = `/projects/${projectId}`;
const made = async (url: string, body: object): Promise<string> => {
  const reply = await ask('POST', url, body);
  if (reply.status !== 201) throw new Error(`${url}: ${reply.text}`);
  return reply.data.id;
};

/** Names in no order, some of them equal, or different only by case, accents and punctuation. */
const NAMES = ['b', 'a', 'B', 'é', 'e', 'a', 'z-1', 'z 1', 'Z1'];
const EACH = NAMES.length;
const at = (i: number) => new Date(Date.UTC(2030, 0, 1 + (i % 4))).toISOString();
let [registrarId, testId, probeId, webhookId, runId] = ['', '', '', '', ''];
for (const [i, name] of NAMES.entries()) {
  await made('/projects', { name });
  registrarId = await made(`${lab}/registrars`, { name: `${name} ${i}`, uri: 'sip:127.0.0.1:5070' });
  testId = await made(`${lab}/tests`, { ...callsBody(cloudId, 1 + (i % 3)), name: `${name} ${i}` });
  probeId = await made(`${lab}/probes`, probeBody(cloudId, { name: `${name} ${i}` }));
  await made(`${lab}/media-files`, { name: `${name} ${i}`, content: wavBase64(20 * (1 + (i % 3))) });
  webhookId = await made(`${lab}/webhooks`, { url: `https://hooks.example/${name}-${i}`, events: ['incident.opened'] });
  await made(`${lab}/maintenance-windows`, { startsAt: at(i), endsAt: '2030-01-09T00:00:00.000Z', note: name });
}
const usernames = NAMES.map((name, i) => `${name.replaceAll(' ', '_')}${i}`.replaceAll('é', 'e2'));
const accounts = usernames.map((username) => ({ username, password: 'a' }));
const { status } = await ask('POST', `${lab}/registrars/${registrarId}/sip-accounts`, { sipAccounts: accounts });
if (status !== 201) throw new Error('no accounts');
world.hold();
for (let i = 0; i < EACH; i++) {
  if (i % 2 === 0) world.pass(1);
  runId = await made(`${lab}/tests/${testId}/run`, {});
  await made(`${lab}/probes/${probeId}/run`, {});
}
const timing = JSON.stringify({ totalCalls: 0, callSetup: { count: 0 } });
await sql`update test_runs set validity = '{}', call_timing = ${timing} where test_id = ${testId}`.execute(db);
await sql`insert into probe_incidents (id, probe_id, severity, started_at, ended_at)
  select gen_random_uuid(), ${probeId}, 'DOWN', now() - (i % 3) * interval '1 hour', case when i > 0 then now() end
  from generate_series(0, ${EACH}) i`.execute(db);
await sql`update api_keys set revoked_at = now() where name like 'V%' or name like 'T%'`.execute(db);
for (let i = 0; i < EACH; i++) {
  await made(`${lab}/webhooks/${webhookId}/test`, {});
  await db.updateTable('webhook_deliveries').set({ status: 'DELIVERED' }).execute();
}
for (const { fillLists } of FEATURE_TEST_DATA) await fillLists?.(db, { projectId, testId, runId }, EACH);

const { organization_id: organizationId } = await db
  .selectFrom('projects')
  .where('id', '=', projectId)
  .select('organization_id')
  .executeTakeFirstOrThrow();
const { id: userId } = await db.selectFrom('users').where('name', '=', 'OWNER').select('id').executeTakeFirstOrThrow();
const actor: Actor = {
  ...{ by: 'SESSION', credentialId: '', userId, role: 'OWNER', plan: 'UNLIMITED', provedAt: null },
  ...{ organizationId, organizationName: '', allProjects: true, lacksSecondFactor: false },
  ...{ scopes: ['READ', 'RUN', 'WRITE'], onlyProjects: null },
};
const context: Context = { ports: world.ports, actor, address: '', idempotencyKey: null, ifMatch: null };
const PATH = { projectId, registrarId, testId, probeId, webhookId, testRunId: runId };

const isInstant = (value: unknown): boolean => /^\d{4}-\d\d-\d\dT/.test(String(value));
const order = (value: unknown): number => (typeof value === 'number' ? value : Date.parse(String(value)));

type Row = Readonly<Record<string, unknown>>;
async function page(name: KnownName, query: object): Promise<Listed<Row>> {
  const input = CATALOGUE[name].input.parse({ ...PATH, ...query });
  return (await HANDLERS[name](context, input as never)) as Listed<Row>;
}

const WITH_CURSOR = (Object.entries(CATALOGUE) as [KnownName, OperationRow][]).filter(
  ([name, { input, path }]) =>
    'cursor' in input.shape &&
    !['listTestRuns', 'listCalls', 'listFailedCalls'].includes(name) &&
    // What a feature's `create…` makes is listed in the feature's own tests.
    pathParameters(path).every((parameter) => parameter in PATH),
);

for (const [name, row] of WITH_CURSOR) {
  t.test(name, async (t) => {
    const { innerType } = (row.input.shape['sort'] as { def: { innerType: { options: string[] } } }).def;
    const byDefault = (await page(name, { per_page: 100 })).rows.map((r) => r['id'] ?? r['testRunId']);
    for (const sort of innerType.options) {
      const whole = await page(name, { sort, per_page: 100 });
      const ids = whole.rows.map((r) => r['id'] ?? r['testRunId']);
      if (sort === innerType.options[0]) t.same(ids, byDefault, `${sort} is the default`);
      t.ok(whole.total === ids.length && new Set(ids).size === ids.length && ids.length > 1, `${ids.length} rows`);
      t.equal(whole.nextCursor, null);
      const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
      if (innerType.options.includes(opposite)) {
        const { rows } = await page(name, { sort: opposite, per_page: 100 });
        t.same(rows.map((r) => r['id'] ?? r['testRunId']).reverse(), ids, `${opposite} is the reverse`);
      }
      // Texts are in the order of the database's collation.
      const values = whole.rows
        .map((r) => r[sort.replace('-', '')])
        .filter((v) => typeof v === 'number' || isInstant(v));
      const sorted = values.toSorted((x, y) => order(x) - order(y));
      t.same(sort.startsWith('-') ? sorted.reverse().map(order) : sorted.map(order), values.map(order), sort);
      const seen: unknown[] = [];
      const byNumber: unknown[] = [];
      let cursor: string | null | undefined;
      for (let number = 1; number === 1 || cursor; number++) {
        const next = await page(name, { sort, per_page: 2, ...(cursor && { cursor }) });
        t.equal(next.page, number);
        seen.push(...next.rows.map((r) => r['id'] ?? r['testRunId']));
        const numbered = await page(name, { sort, per_page: 2, page: number });
        byNumber.push(...numbered.rows.map((r) => r['id'] ?? r['testRunId']));
        t.equal(numbered.nextCursor, next.nextCursor, 'a cursor from either');
        cursor = next.nextCursor;
      }
      t.same(seen, ids, `${sort}: by cursor`);
      t.same(byNumber, ids, `${sort}: by number`);
      t.notOk(
        whole.rows.some((r) => 'place' in r),
        'only what the contract names',
      );
    }
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [first] = innerType.options;
    for (const place of [
      [],
      ['x'],
      ['x', 'y', 'z', 'w'],
      ['\u0000', '\u0000'],
      ['2026-02-31', 'x'],
      ['2026-02-31', 'x', '1'],
    ])
      await t.rejects(page(name, { cursor: forged([first, place, 2]) }), { code: 'VALIDATION_ERROR' }, `${place}`);
  });
}
