/**
 * The keys that the database needs: a control plane without the latest one does not start, because it could read hardly
 * anything.
 */
import { sql } from 'kysely';
import { calledAs } from '../../called-as.ts';
import { type Database, ringOf, type Tx } from '../db.ts';
import { reseal, type Sealed } from './reseal.ts';

/** Two processes that start at the same time agree on one key. */
const LOCK = 'carillon sealing keys';

/**
 * Creates the key file if no key file exists and nothing is sealed yet; seals values that are under other keys.
 * @throws Error that names the solution, if the keys do not match the database's
 */
export async function takeUpKeys(database: Database, now: Date, warn: (message: string) => void): Promise<Sealed> {
  const made = await database.transaction((tx) => agree(tx, now));
  if (made !== null)
    warn(`Created ${made}: a backup of the database cannot be used without it. Keep a copy elsewhere.`);
  const sealed = await reseal(database);
  const { unreadable } = sealed;
  if (unreadable > 0) {
    const cure = 'Add the keys that sealed them to the sealing keys, or set these secrets again';
    warn(
      `${unreadable} rows hold secrets that no key in ${ringOf(database.db).where} opens: what needs them is refused. ${cure}.`,
    );
  }
  return sealed;
}

/** The created file; null: none was created. */
async function agree(tx: Tx, now: Date): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtext(${LOCK}))`.execute(tx);
  const ring = ringOf(tx);
  const [needed] = await usedKeys(tx);
  if (needed && !ring.find(needed)) {
    const held = ring.all().length === 0 ? 'is not there' : 'does not hold it';
    throw new Error(
      `The secrets in this database are sealed with key ${needed.toString('hex')}, and ${ring.where} ${held}. ` +
        'Put the file of keys of this installation there, or name it in CARILLON_SEALING_KEYS_FILE, or its keys in CARILLON_SEALING_KEYS. ' +
        `If the key is lost: \`${calledAs('sealing-keys')} forget ${needed.toString('hex')}\`, then set every SIP password, private key and webhook secret again.`,
    );
  }
  const made = ring.all().length === 0 && ring.makeFile() ? ring.file : null;
  await noteKey(tx, ring.current().id, now);
  return made;
}

/** The keys that were used; the one that came into use last is first. */
export const usedKeys = async (tx: Tx): Promise<Buffer[]> =>
  (await tx.selectFrom('sealing_keys').select('id').orderBy('first_used_at', 'desc').orderBy('id').execute()).map(
    ({ id }) => id,
  );

export const noteKey = (tx: Tx, id: Buffer, now: Date): Promise<unknown> =>
  tx
    .insertInto('sealing_keys')
    .values({ id, first_used_at: now })
    .onConflict((c) => c.column('id').doNothing())
    .execute();

export const forgetKey = (tx: Tx, id: Buffer): Promise<unknown> =>
  tx.deleteFrom('sealing_keys').where('id', '=', id).execute();
