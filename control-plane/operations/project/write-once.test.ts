/** Writing configuration twice with one Idempotency-Key. */
import t from 'tap';
import { CATALOGUE } from '../../catalogue.ts';
import type { OperationRow } from '../../contract/catalogue.ts';
import { FEATURE_TEST_DATA } from '../../feature-sums/testing.ts';
import { type ApiReply, callsBody, EDITOR, probeBody, wavBase64 } from '../../testing/api.ts';
import type { Creation } from '../../testing/feature-data.ts';
import { openWrites, UNHURRIED } from '../../testing/writes.ts';
import { retain } from '../retain.ts';

const { api, db, lab, fresh, make, registrar, test } = await openWrites(t);
const { ask, world, cloudId } = api;
Object.assign(world.ports.settings, { plans: UNHURRIED });

/** A test that calls a server, and no agents. */
const outwards = async () => {
  const registrarId = (await make(`${lab}/registrars`, registrar())).split('/').at(-1) as string;
  const body = callsBody(registrarId, 1, { name: fresh('Calls') });
  return { ...body, groups: [{ ...body.groups[0], callee: { mode: 'EXTERNAL_URI', uri: 'sip:1@192.0.2.1' } }] };
};
const statuses = (replies: readonly ApiReply[]) => replies.map((r) => r.status).sort();
const under = (key: string) => ({ headers: { 'idempotency-key': key } });

let n = 0;
/** Each POST that creates an object, and the table where it is one row. */
const newTest = () => make(`${lab}/tests`, callsBody(cloudId));
const ofFeatures = await Promise.all(FEATURE_TEST_DATA.map(({ creations }) => creations?.(newTest, () => ++n) ?? []));
const CREATIONS: readonly Creation[] = [
  ['/projects', () => ({ name: fresh('Project') }), 'projects'],
  [`${lab}/registrars`, registrar, 'registrars'],
  [
    `${await make(`${lab}/registrars`, registrar())}/sip-accounts`,
    () => ({ sipAccounts: [{ username: fresh('u').replace(' ', ''), password: 'p' }] }),
    'sip_accounts',
  ],
  [`${lab}/tests`, test, 'tests'],
  [`${lab}/probes`, () => probeBody(cloudId, { name: fresh('Door') }), 'probes'],
  [`${lab}/media-files`, () => ({ name: fresh('greeting'), content: wavBase64() }), 'media_files'],
  [`${lab}/webhooks`, () => ({ url: `https://hooks.example/${++n}`, events: ['incident.opened'] }), 'webhooks'],
  [
    `${lab}/maintenance-windows`,
    () => ({ note: fresh('Upgrade'), startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T01:00:00Z' }),
    'maintenance_windows',
  ],
  [`${await make(`${lab}/probes`, probeBody(cloudId))}/run`, () => undefined, 'probe_instances'],
  [`${await make(`${lab}/registrars`, registrar())}/check`, () => ({ region: `r-${++n}` }), 'test_runs'],
  [`${await make(`${lab}/tests`, await outwards())}/check`, () => undefined, 'test_runs'],
  ...ofFeatures.flat(),
  [`${await make(`${lab}/tests`, callsBody(cloudId))}/run`, () => ({ labels: { n: String(++n) } }), 'test_runs'],
  [
    `${lab}/test-runs/${(await ask('POST', `${await make(`${lab}/tests`, callsBody(cloudId))}/run`)).data.id}/replay`,
    () => ({ labels: { n: String(++n) } }),
    'test_runs',
  ],
];

const rowsOf = async (table: (typeof CREATIONS)[number][2]): Promise<number> =>
  Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);

t.test('a request with one Idempotency-Key happens once', async (t) => {
  t.same(
    CREATIONS.length,
    Object.values(CATALOGUE as Record<string, OperationRow>).filter((row) => row.once).length,
    'every row that makes something',
  );
  for (const [where, bodyOf, table] of CREATIONS) {
    const key = fresh('key');
    const body = bodyOf();
    const before = await rowsOf(table);
    const many = await Promise.all(Array.from({ length: 5 }, () => ask('POST', where, body, under(key))));
    t.same(statuses(many), [201, 201, 201, 201, 201], `${where}: ${many.map((m) => m.message)}`);
    t.equal(await rowsOf(table), before + 1, `${where}: one row`);
    const again = await ask('POST', where, body, under(key));
    for (const reply of [...many, again]) t.same(reply.data, many[0]?.data, 'the first answer');
    t.equal(again.etag, many[0]?.etag);
    const reordered = body && Object.fromEntries(Object.entries(body).reverse());
    t.same((await ask('POST', where, reordered, under(key))).data, again.data, 'the same body, however it is written');
    const other = bodyOf();
    if (other) {
      const refused = await ask('POST', where, other, under(key));
      t.match(refused, { status: 422, message: /another request/, paths: ['Idempotency-Key'] });
    }
    t.equal(await rowsOf(table), before + 1);
  }
});

t.test("a webhook's secret is kept only in its own row, and a repetition reads it there", async (t) => {
  const where = `${lab}/webhooks`;
  const secret = 'whsec_c29tZWJvZHkgbWFkZSB0aGlzIHVwIGZvciBhIHRlc3Q=';
  const bodies = [secret, undefined].map((given) => ({
    url: `https://hooks.example/${++n}`,
    events: ['incident.opened'],
    ...(given && { secret: given }),
  }));
  for (const body of bodies) {
    const key = under(fresh('key'));
    const made = await ask('POST', where, body, key);
    t.match(made.data, { secret: /^whsec_/ });
    const kept = await db.selectFrom('idempotency_keys').selectAll().execute();
    t.ok(kept.some((row) => JSON.stringify(row.answer).includes(made.data.id)));
    t.notMatch(JSON.stringify(kept), made.data.secret);
    t.same(
      (await ask('POST', where, body, key)).data,
      made.data,
      'a client that missed the answer gets the same answer',
    );
    const url = `${where}/${made.data.id}`;
    await ask('POST', `${url}/rotate-secret`);
    t.same((await ask('POST', where, body, key)).data, { ...made.data, secret: null }, 'not once it was replaced');
    await ask('DELETE', url);
    t.same((await ask('POST', where, body, key)).data, { ...made.data, secret: null }, 'nor once it is gone');
  }
});

t.test('scope and lifetime of an Idempotency-Key', async (t) => {
  const body = registrar();
  const where = `${lab}/registrars`;
  const first = await ask('POST', where, body, under('mine'));
  const other = await ask('POST', where, body, { ...under('mine'), key: EDITOR.key });
  t.equal(other.status, 201, 'another API key has its own');
  t.not(other.data.id, first.data.id);
  t.match(
    await ask('POST', `${lab}/tests`, test(), under('mine')),
    { status: 422 },
    'another operation is another request',
  );

  const broken = { ...body, uri: 'sip:;lr' };
  t.equal((await ask('POST', where, broken, under('second'))).status, 422);
  t.equal((await ask('POST', where, body, under('second'))).status, 201, 'what was refused did not use the key up');

  world.pass(86_399);
  t.equal((await ask('POST', where, body, under('mine'))).data.id, first.data.id, 'a day less a second later');
  world.pass(2);
  t.not((await ask('POST', where, body, under('mine'))).data.id, first.data.id, 'a day later it is new');
  world.pass(86_401);
  await retain(world.ports);
  const left = await db.selectFrom('idempotency_keys').select('key').execute();
  t.same(left, [], 'and then it is forgotten');
});
