/** Versions of rows that several users may change (ETag, If-Match). */
import { type RawBuilder, sql } from 'kysely';

/**
 * For `on conflict do update`: the version increments if the proposed row differs in one of `columns`; otherwise the
 * row and its time do not change.
 */
export function bumped(
  table: 'projects' | 'registrars' | 'tests' | 'probes' | 'webhooks',
  columns: object,
): { version: RawBuilder<number>; updated_at: RawBuilder<Date> } {
  const names = Object.keys(columns);
  const present = sql.join(names.map((name) => sql.ref(`${table}.${name}`)));
  const proposed = sql.join(names.map((name) => sql.ref(`excluded.${name}`)));
  const differs = sql`(${present}) is distinct from (${proposed})`;
  const version = sql.ref(`${table}.version`);
  return {
    version: sql`${version} + case when ${differs} then 1 else 0 end`,
    updated_at: sql`case when ${differs} then now() else ${sql.ref(`${table}.updated_at`)} end`,
  };
}

/** For `update`: marks this row as changed. */
export const changedNow = (): { version: RawBuilder<number>; updated_at: RawBuilder<Date> } => ({
  version: sql`version + 1`,
  updated_at: sql`now()`,
});
