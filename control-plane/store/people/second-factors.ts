/** Whether people have a second factor. A feature asks for it, and has the rest. */
import { sql } from 'kysely';
import type { Tx } from '../db.ts';

/** Undefined: the user has no second factor. */
export const secondFactorOf = (tx: Tx, userId: string) =>
  tx
    .selectFrom('second_factors as f')
    .where('f.id', '=', userId)
    .where('f.confirmed_at', 'is not', null)
    .select([
      sql<Date>`f.confirmed_at`.as('confirmedAt'),
      sql<number>`(select count(*)::int from recovery_codes c where c.user_id = f.id)`.as('recoveryCodes'),
    ])
    .executeTakeFirst();
