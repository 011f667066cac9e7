/** Rows that are written by columns: one array parameter each, unnested by the statement. */
import { type RawBuilder, sql } from 'kysely';
import { booleans, numbers, texts } from './arrays.ts';

/** A column of such rows: its type, and what it holds of each, as an array literal. */
export type StoredColumn<Row> = { readonly type: string; readonly of: (rows: readonly Row[]) => string };
export type StoredColumns<Row> = Readonly<Record<string, StoredColumn<Row>>>;

/** Stands for a null in each row: `unnest` fills up what is shorter. Many columns are of what few calls have. */
const NOTHING = '{}';

/** NaN is stored as null: not measured. */
export const number = <Row>(type: string, of: (row: Row) => number): StoredColumn<Row> => ({
  type,
  of: (rows) => {
    const values = rows.map(of);
    return values.some(Number.isFinite) ? numbers(values) : NOTHING;
  },
});
export const text = <Row>(of: (row: Row) => string | null, type = 'text'): StoredColumn<Row> => ({
  type,
  of: (rows) => {
    const values = rows.map(of);
    return values.some((value) => value !== null) ? texts(values) : NOTHING;
  },
});
export const flag = <Row>(of: (row: Row) => boolean): StoredColumn<Row> => ({
  type: 'boolean',
  of: (rows) => booleans(rows.map(of)),
});

/** `unnest(…) as ALIAS (…)`: the rows as a table. One column at least has no null. */
export function unnested<Row>(columns: StoredColumns<Row>, rows: readonly Row[], alias: string): RawBuilder<unknown> {
  const arrays = Object.values(columns).map(({ type, of }) => sql`${of(rows)}::${sql.raw(type)}[]`);
  return sql`unnest(${sql.join(arrays)}) as ${sql.raw(alias)} (${namesOf(columns)})`;
}

export const namesOf = (columns: StoredColumns<never>): RawBuilder<unknown> => sql.raw(Object.keys(columns).join(', '));
