/** Writes rows by columns: one array parameter for each, unnested by the statement. */
import { type RawBuilder, sql } from 'kysely';
import { quoted } from './arrays.ts';

/** A column of such rows: its type, and its value of each row, as an array literal. */
export type StoredColumn<Row> = {
  readonly type: string;
  readonly of: <Whole>(wholes: readonly Whole[], row: (whole: Whole) => Row) => string;
};
export type StoredColumns<Row> = Readonly<Record<string, StoredColumn<Row>>>;

const NULL = 'NULL,';

/**
 * Omits trailing nulls, which are often all values: `unnest` pads shorter arrays. Many columns are rarely used.
 * `write`: null if there is no value.
 */
function literal<Whole>(wholes: readonly Whole[], write: (whole: Whole) => string | number | null): string {
  let out = '';
  let nulls = 0;
  for (const whole of wholes) {
    const value = write(whole);
    if (value === null) nulls++;
    else {
      if (nulls > 0) out += NULL.repeat(nulls);
      nulls = 0;
      out += value;
      out += ',';
    }
  }
  return `{${out.slice(0, -1)}}`;
}

/** NaN is stored as null, which means: not measured. */
export const number = <Row>(type: string, of: (row: Row) => number): StoredColumn<Row> => ({
  type,
  of: (wholes, row) =>
    literal(wholes, (whole) => {
      const value = of(row(whole));
      return Number.isFinite(value) ? value : null;
    }),
});
export const text = <Row>(of: (row: Row) => string | null, type = 'text'): StoredColumn<Row> => ({
  type,
  of: (wholes, row) =>
    literal(wholes, (whole) => {
      const value = of(row(whole));
      return value === null ? null : quoted(value);
    }),
});
export const flag = <Row>(of: (row: Row) => boolean): StoredColumn<Row> => ({
  type: 'boolean',
  of: (wholes, row) => literal(wholes, (whole) => (of(row(whole)) ? 't' : 'f')),
});

/** The columns of a part of each row. */
export const columnsOf = <Row, Part>(columns: StoredColumns<Part>, part: (row: Row) => Part): StoredColumns<Row> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { type, of }]) => [
      name,
      { type, of: (wholes, row) => of(wholes, (whole) => part(row(whole))) },
    ]),
  );

/**
 * `unnest(…) as ALIAS (…)`: the rows as a table. At least one column must have no null. `seldom`: groups of columns
 * that are left out of `unnest` if they have no value at all, because `unnest` stores and reads each row of each of its
 * arrays. Every group doubles the number of statements.
 */
export function unnested<Row>(
  columns: StoredColumns<Row>,
  rows: readonly Row[],
  alias: string,
  seldom: readonly (readonly string[])[] = [],
): RawBuilder<unknown> {
  const all = Object.entries(columns).map(([name, { type, of }]) => ({ name, type, values: of(rows, (row) => row) }));
  const empty = new Set(all.filter(({ values }) => values === '{}').map(({ name }) => name));
  const absent = new Set(seldom.filter((group) => group.every((name) => empty.has(name))).flat());
  const given = all.filter(({ name }) => !absent.has(name));
  const arrays = sql.join(given.map(({ type, values }) => sql`${values}::${sql.raw(type)}[]`));
  const names = sql.raw(given.map(({ name }) => name).join(', '));
  if (absent.size === 0) return sql`unnest(${arrays}) as ${sql.raw(alias)} (${names})`;
  const nulls = all.filter(({ name }) => absent.has(name)).map(({ name, type }) => `null::${type} as ${name}`);
  return sql`(select g.*, ${sql.raw(nulls.join(', '))} from unnest(${arrays}) as g (${names})) as ${sql.raw(alias)}`;
}

export const namesOf = (columns: StoredColumns<never>): RawBuilder<unknown> => sql.raw(Object.keys(columns).join(', '));
