/**
 * Reseals secrets in batches: those left unsealed by an earlier version, and those under a previous key. A batch is a
 * transaction, so an interruption loses nothing. Others may read and write meanwhile.
 */
import { Secret } from '@carillon/proto/secret.ts';
import { sql } from 'kysely';
import { type Database, ringOf, type Tx } from '../db.ts';
import { KEY_ID_BYTES } from './key-ring.ts';
import { clearColumn, SEALED_TABLES, type SealedTable } from './sealed-columns.ts';
import { openIn, SecretUnreadable, sealIn } from './sealing.ts';

const BATCH_ROWS = 500;

type SealedRow = { readonly key: string; readonly row: string } & Readonly<Record<string, Buffer | string | null>>;
/** `count`: resealed rows; `unreadable`: rows that none of our keys opens, which stay unchanged. */
export type Sealed = { readonly count: number; readonly unreadable: number };

/** Everything unsealed. */
export const sealClear = (database: Database): Promise<Sealed> =>
  eachTable(
    database,
    SEALED_TABLES.filter(({ wasClear }) => wasClear),
    {
      among: ({ columns }) =>
        sql.join(
          columns.map((c) => sql`${sql.ref(clearColumn(c))} is not null`),
          sql` or `,
        ),
      reads: clearColumn,
      sealed: (tx, row, text) => sealIn(tx, row, new Secret(text as string)),
      sets: (column, value) => sql`${sql.ref(column)} = ${value}, ${sql.ref(clearColumn(column))} = null`,
    },
  );

/** Everything under another key than the current one. */
export const reseal = (database: Database): Promise<Sealed> =>
  eachTable(database, SEALED_TABLES, {
    among: ({ columns }, tx) =>
      sql.join(
        columns.map((c) => sql`${keyIdOf(c)} <> ${ringOf(tx).current().id}`),
        sql` or `,
      ),
    reads: (column) => column,
    sealed: (tx, row, sealed) => sealIn(tx, row, openIn(tx, row, sealed as Buffer)),
    sets: (column, value) => sql`${sql.ref(column)} = ${value}`,
  });

const keyIdOf = (column: string) => sql`substring(${sql.ref(column)} from 2 for ${sql.lit(KEY_ID_BYTES)})`;

type ResealOrder = {
  readonly among: (table: SealedTable, tx: Tx) => ReturnType<typeof sql>;
  readonly reads: (column: string) => string;
  /** @throws SecretUnreadable */
  readonly sealed: (tx: Tx, row: Parameters<typeof sealIn>[1], found: Buffer | string) => Buffer;
  readonly sets: (column: string, value: Buffer) => ReturnType<typeof sql>;
};

async function eachTable(database: Database, tables: readonly SealedTable[], way: ResealOrder): Promise<Sealed> {
  let count = 0;
  let unreadable = 0;
  for (const table of tables) {
    let after: string | null = null;
    do {
      const from: string | null = after;
      const batch: Batch = await database.transaction((tx) => sealBatch(tx, table, way, from));
      count += batch.count;
      unreadable += batch.unreadable;
      after = batch.last;
    } while (after !== null);
  }
  return { count, unreadable };
}

/** `last`: the key of its last row; null: there are no more. */
type Batch = Sealed & { readonly last: string | null };

async function sealBatch(tx: Tx, table: SealedTable, way: ResealOrder, after: string | null): Promise<Batch> {
  const key = sql`id${sql.raw(`::${table.key}`)}`;
  const beyond = after === null ? sql`true` : sql`id > ${after}${sql.raw(`::${table.key}`)}`;
  const columns = sql.join(table.columns.map((c) => sql`${sql.ref(way.reads(c))} as ${sql.ref(c)}`));
  const { rows } = await sql<SealedRow>`
    select ${key}::text as key, ${sql.ref(table.row)}::text as row, ${columns} from ${sql.table(table.table)}
    where ${beyond} and (${way.among(table, tx)}) order by id limit ${sql.lit(BATCH_ROWS)} for update`.execute(tx);
  let unreadable = 0;
  for (const found of rows) {
    const row = { table: table.table, id: found.row };
    try {
      const sets = table.columns.flatMap((c) => {
        const value = found[c];
        return value === null || value === undefined ? [] : [way.sets(c, way.sealed(tx, row, value))];
      });
      await sql`update ${sql.table(table.table)} set ${sql.join(sets)} where id = ${found.key}${sql.raw(`::${table.key}`)}`.execute(
        tx,
      );
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      unreadable++;
    }
  }
  const last = rows.length < BATCH_ROWS ? null : (rows.at(-1)?.key ?? null);
  return { count: rows.length - unreadable, unreadable, last };
}

/** Number of secrets per key, by its id in hexadecimal digits. */
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

/** Updated or deleted values stay in the tables' files until they are rewritten. */
export async function rewriteTables(tx: Tx): Promise<void> {
  for (const { table } of SEALED_TABLES) await sql`vacuum (full) ${sql.table(table)}`.execute(tx);
}

/** Blocks sealing until the transaction ends, and sees all sealed values. */
export const lockSealed = (tx: Tx): Promise<unknown> =>
  sql`lock table ${sql.join(SEALED_TABLES.map(({ table }) => sql.table(table)))} in share mode`.execute(tx);
