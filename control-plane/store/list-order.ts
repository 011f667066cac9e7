/**
 * Lists in an order, by page or onwards from a row. A row's place is its sort keys as PostgreSQL writes them, so that
 * no digit of an instant is lost on the way through a client.
 */
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type PageWindow, reading } from './pages.ts';

const CASTS = { text: 'text', instant: 'timestamptz', number: 'bigint', flag: 'boolean', id: 'uuid' } as const;
type KeyType = keyof typeof CASTS;
/** A column is never null. */
type Column = string | RawBuilder<unknown>;
type SortKey = readonly [column: Column, type: KeyType, direction: 'asc' | 'desc'];
/** The last key is unique. */
export type ListOrder = readonly SortKey[];

type Columns = Readonly<Record<string, readonly [column: string, type: KeyType]>>;
/** The sort orders that a request may name. */
export type SortOf<C extends Columns> = `${'' | '-'}${Extract<keyof C, string>}`;

export type Slice = PageWindow & { readonly after: readonly string[] | null };

/** The order that a request names; `-` means descending. */
export function orderOf<const C extends Columns>(
  columns: C,
  sort: SortOf<C>,
  [idColumn, idType]: readonly [column: string, type: KeyType] = ['id', 'id'],
): ListOrder {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const [column, type] = columns[sort.replace('-', '')] as readonly [string, KeyType];
  return [
    [column, type, direction],
    [idColumn, idType, direction],
  ];
}

const read = (column: Column): RawBuilder<unknown> => (typeof column === 'string' ? sql.ref(column) : column);

/** Applies only the order of a slice, for what is joined to it. */
export const inOrder = <DB, TB extends keyof DB, O>(q: SelectQueryBuilder<DB, TB, O>, order: ListOrder, w: Slice) =>
  order.reduce((sorted, [column, , direction]) => sorted.orderBy(read(column), reading(w, direction)), q);

export const placeIn = (order: ListOrder) =>
  sql<string[]>`array[${sql.join(order.map(([column]) => sql`${read(column)}::text`))}]`;

/** The rows of a slice in the direction in which it is read. */
export function cut<DB, TB extends keyof DB, O>(q: SelectQueryBuilder<DB, TB, O>, order: ListOrder, w: Slice) {
  const further = w.after === null ? q : q.where(beyond(order, w.after));
  return inOrder(further, order, w).limit(w.limit).offset(w.offset);
}

/** The same, each with its place. */
export const sliced = <DB, TB extends keyof DB, O>(q: SelectQueryBuilder<DB, TB, O>, order: ListOrder, w: Slice) =>
  cut(q, order, w).select(placeIn(order).as('place'));

/** A comparison of rows reads an index; keys of different directions must be compared one by one. */
function beyond(order: ListOrder, after: readonly string[]) {
  if (after.length !== order.length) throw new BadPlace();
  const keys = order.map(([column, type, direction], i) => ({
    column: read(column),
    last: sql`${after[i]}::text::${sql.raw(CASTS[type])}`,
    than: sql.raw(direction === 'asc' ? '>' : '<'),
  }));
  const isOneWay = order.every(([, , direction]) => direction === order[0]?.[2]);
  if (isOneWay)
    return sql<SqlBool>`(${sql.join(keys.map((k) => k.column))}) ${keys[0]?.than} (${sql.join(keys.map((k) => k.last))})`;
  const ways = keys.map(({ column, last, than }, i) => {
    const equal = keys.slice(0, i).map((k) => sql`${k.column} = ${k.last}`);
    return sql`(${sql.join([...equal, sql`${column} ${than} ${last}`], sql` and `)})`;
  });
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

class BadPlace extends Error {}

/** True if the place does not belong to this order: too few keys, or a value of another type (SQLSTATE, class 22). */
export const isBadPlace = (error: unknown): boolean =>
  error instanceof BadPlace || /^22/.test(String((error as { code?: unknown }).code));
