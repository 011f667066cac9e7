/** The measured tables, by the schema; and on a server with Citus, their distribution. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import t from 'tap';
import { testDatabase } from '../../../testing/database.ts';
import { distribute, distributionOf, hasCitus } from './distribution.ts';

const { db } = await testDatabase(t);
const MEASURED = [
  ...['endpoints', 'findings', 'mos_counts', 'noise', 'rollups', 'rtp_headers', 'run_counts', 'run_events', 'samples'],
  ...['sip_chunks', 'sip_counts', 'sip_messages', 'start_noise', 'streams'],
];
const isCitus = await hasCitus(db);
const onCitus = isCitus ? {} : { skip: 'CARILLON_TEST_DATABASE names no server with Citus' };

t.test('the tables that grow with calls, and no others', async (t) => {
  const { tables, version } = await distributionOf(db);
  t.same(
    tables.map(({ name }) => name),
    MEASURED,
  );
  t.equal(version !== null, isCitus);
});

t.test('a database of a test is distributed already, and a second time changes nothing', onCitus, async (t) => {
  const before = await distributionOf(db);
  t.equal(new Set(before.tables.map(({ group, shards }) => `${group} ${shards}`)).size, 1, 'all in one group');
  t.same(await distribute(db, 2), []);
  t.same(await distributionOf(db), before);
});

t.test('rows go with their table, and nothing is left behind', onCitus, async (t) => {
  const runIds = Array.from({ length: 20 }, () => randomUUID());
  const count = async () => (await db.selectFrom('run_counts').select(sql<number>`count(*)`.as('n')).execute())[0]?.n;
  await sql`select undistribute_table('run_counts')`.execute(db);
  await sql`insert into run_counts (run_id, instance_id, events) select id, id, 1 from unnest(${sql.val(runIds)}::uuid[]) as id`.execute(
    db,
  );
  t.same(await distribute(db, null), ['run_counts']);
  t.equal(await count(), runIds.length);
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size('run_counts') as bytes`.execute(db);
  t.equal(rows[0]?.bytes, 0, 'the coordinator has an empty table of that name');
});
