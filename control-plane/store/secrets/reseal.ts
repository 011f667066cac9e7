/**
 * Reseals secrets that are under a previous key, in batches. A batch is a transaction, so an interruption loses
 * nothing. Other processes may read and write at the same time.
 */
import { sql } from 'kysely';
import { type Database, ringOf, type Tx } from '../db.ts';
import { KEY_ID_BYTES } from './key-ring.ts';
import { SEALED_TABLES, type SealedTable } from './sealed-columns.ts';
import { openIn, SecretUnreadable, sealIn } from './sealing.ts';

const BATCH_ROWS = 500;

type SealedRow = { readonly key: string; readonly row: string } & Readonly<Record<string, Buffer | string | null>>;
/** `count`: resealed rows; `unreadable`: rows that none of the sealing keys opens, which stay unchanged. */
export type Sealed = { readonly count: number; readonly unreadable: number };

/** Reseals everything that is under another key than the current one. */
export async function reseal(database: Database): Promise<Sealed> {
  let count = 0;
  let unreadable = 0;
  for (const table of SEALED_TABLES) {
    let after: string | null = null;
    do {
      const from: string | null = after;
      const batch: Batch = await database.transaction((tx) => resealBatch(tx, table, from));
      count += batch.count;
      unreadable += batch.unreadable;
      after = batch.last;
    } while (after !== null);
  }
  return { count, unreadable };
}

const keyIdOf = (column: string) => sql`substring(${sql.ref(column)} from 2 for ${sql.lit(KEY_ID_BYTES)})`;

/** `last`: the key of the batch's last row; null: no rows remain. */
type Batch = Sealed & { readonly last: string | null };

async function resealBatch(tx: Tx, table: SealedTable, after: string | null): Promise<Batch> {
  const type = sql.raw(`::${table.key}`);
  const beyond = after === null ? sql`true` : sql`id > ${after}${type}`;
  const isOld = table.columns.map((c) => sql`${keyIdOf(c)} <> ${ringOf(tx).current().id}`);
  const { rows } = await sql<SealedRow>`
    select id::text as key, ${sql.ref(table.row)}::text as row, ${sql.join(table.columns.map((c) => sql.ref(c)))}
    from ${sql.table(table.table)} where ${beyond} and (${sql.join(isOld, sql` or `)})
    order by id limit ${sql.lit(BATCH_ROWS)} for update`.execute(tx);
  let unreadable = 0;
  for (const found of rows) {
    const row = { table: table.table, id: found.row };
    try {
      const sets = table.columns.flatMap((c) => {
        const sealed = found[c];
        return Buffer.isBuffer(sealed) ? [sql`${sql.ref(c)} = ${sealIn(tx, row, openIn(tx, row, sealed))}`] : [];
      });
      await sql`update ${sql.table(table.table)} set ${sql.join(sets)} where id = ${found.key}${type}`.execute(tx);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable++;
    }
  }
  const last = rows.length < BATCH_ROWS ? null : (rows.at(-1)?.key ?? null);
  return { count: rows.length - unreadable, unreadable, last };
}

/** The number of secrets per key, by its id in hexadecimal digits. */
export async function secretsByKey(tx: Tx): Promise<Map<string, number>> {
  const columns = SEALED_TABLES.flatMap(({ table, columns }) =>
    columns.map((c) => sql`select ${keyIdOf(c)} as id from ${sql.table(table)} where ${sql.ref(c)} is not null`),
  );
  const { rows } = await sql<{ id: string; count: number }>`
    select encode(id, 'hex') as id, count(*) as count from (${sql.join(columns, sql` union all `)}) sealed group by 1`.execute(
    tx,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Blocks sealing until the transaction ends, and sees all sealed values. */
export const lockSealed = (tx: Tx): Promise<unknown> =>
  sql`lock table ${sql.join(SEALED_TABLES.map(({ table }) => sql.table(table)))} in share mode`.execute(tx);
