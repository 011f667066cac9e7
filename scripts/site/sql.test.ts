/** The Citus statements of the page on operating name tables and keys that PostgreSQL has. Citus itself is not asked. */
import { sql } from 'kysely';
import t from 'tap';
import { openWorld } from '../../control-plane/testing/world.ts';
import { allBlocks } from './blocks.ts';

const { database } = await openWorld(t);

t.test('each table exists, and its primary key begins with the key that it is distributed by', async (t) => {
  const blocks = allBlocks().filter(({ language }) => language === 'sql');
  t.same(
    blocks.map(({ kind }) => kind),
    ['citus'],
  );
  await sql`create function create_reference_table(t text) returns regclass language sql as 'select t::regclass'`.execute(
    database.db,
  );
  await sql`create function create_distributed_table(t text, k text) returns void language plpgsql as $$ begin
    if not exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = t::regclass and i.indisprimary and a.attname = k)
    then raise exception '% has no primary key that begins with %', t, k; end if; end $$`.execute(database.db);
  for (const { text, at } of blocks)
    for (const statement of text.split(/;\n/).filter((one) => one.trim() !== ''))
      await t.resolves(sql.raw(statement).execute(database.db), `${at}: ${statement.slice(0, 60)}`);
});
