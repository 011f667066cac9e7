/** Proves that the database can be written: one row proves it; free space is proved by rows that are rolled back. */
import { sql } from 'kysely';
import type { Database } from './db.ts';

/** On a full disk the row may still fit into an existing page. */
export const proveWrite = async ({ db }: Database, now: Date): Promise<void> => {
  await db
    .insertInto('write_proof')
    .values({ written_at: now })
    .onConflict((c) => c.column('only_row').doUpdateSet({ written_at: now }))
    .execute();
};

/** The rows make up a mebibyte, four rows a page. */
const ROWS = 512;
const ROW_BYTES = 1900;

class TakenBack extends Error {}

/** @throws PostgreSQL's error, including 53100 (disk_full), if not even a mebibyte fits */
export async function proveRoom(database: Database): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await sql`insert into room_proof select repeat('x', ${ROW_BYTES}::int) from generate_series(1, ${ROWS}::int)`.execute(
        tx,
      );
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}
