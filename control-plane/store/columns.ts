/** Rows that are written by columns: one array parameter each, unnested by the statement. */
import { type RawBuilder, sql } from 'kysely';
import { booleans, numbers, texts } from './arrays.ts';

/** A column of such rows: its type, and what it holds of each, as an array literal. */
export type StoredColumn<Row> = { readonly type: string; readonly of: (rows: readonly Row[]) => string };
export type StoredColumns<Row> = Readonly<Record<string, StoredColumn<Row>>>;

/** NaN is stored as null: not measured. */
export const number = <Row>(type: string, of: (row: Row) => number): StoredColumn<Row> => ({
  type,
  of: (rows) => numbers(rows.map(of)),
});
export const text = <Row>(of: (row: Row) => string | null, type = 'text'): StoredColumn<Row> => ({
  type,
  of: (rows) => texts(rows.map(of)),
});
export const flag = <Row>(of: (row: Row) => boolean): StoredColumn<Row> => ({
  type: 'boolean',
  of: (rows) => booleans(rows.map(of)),
});

/** `unnest(…) as ALIAS (…)`: the rows as a table. */
export function unnested<Row>(columns: StoredColumns<Row>, rows: readonly Row[], alias: string): RawBuilder<unknown> {
  const arrays = Object.values(columns).map(({ type, of }) => sql`${of(rows)}::${sql.raw(type)}[]`);
  return sql`unnest(${sql.join(arrays)}) as ${sql.raw(alias)} (${namesOf(columns)})`;
}

export const namesOf = (columns: StoredColumns<never>): RawBuilder<unknown> => sql.raw(Object.keys(columns).join(', '));
