/**
 * What pages need of all calls of a large run that has ended, drawn once: a page reads as many rows as it shows. Late
 * results revise the run, and figures of an earlier revision are drawn again.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db.ts';

/** A run with fewer calls and endpoints is drawn as fast as kept figures are found. */
const LARGE_ROWS = 1000;

export type KeptRun = {
  readonly id: string;
  /** True: it has ended, and its agents report nothing more. */
  readonly isFinal: boolean;
  readonly isLarge: boolean;
  readonly revisedAt: Date | null;
};

/** True of the run `r` of a statement if its figures are worth keeping. A folded run has sums instead. */
export const isLarge = sql<boolean>`
  not r.folded and greatest(r.endpoints, coalesce((r.call_timing ->> 'totalCalls')::bigint, 0)) >= ${sql.lit(LARGE_ROWS)}`;

export const isKept = (run: KeptRun): boolean => run.isFinal && run.isLarge;

const stored = (tx: Tx, run: KeptRun, name: string) =>
  tx
    .selectFrom('kept_figures')
    .where('run_id', '=', run.id)
    .where('name', '=', name)
    .where(sql<boolean>`revised_at is not distinct from ${run.revisedAt}::timestamptz`);

/** A database that takes no rows still answers: then they are drawn again by the next read. */
const keep = (tx: Tx, run: KeptRun, name: string, column: 'figures' | 'numbers', value: RawBuilder<unknown>) =>
  sql`
    insert into kept_figures (run_id, name, revised_at, ${sql.ref(column)})
    select ${run.id}::uuid, ${name}, ${run.revisedAt}::timestamptz, ${value}
    on conflict (run_id, name) do update set revised_at = excluded.revised_at, ${sql.ref(column)} = excluded.${sql.ref(column)}`
    .execute(tx)
    .then(
      () => true,
      () => false,
    );

/** `draw`: the figures as JSON has them, without instants. It is outside of a transaction. */
export async function keptFigures<T>(tx: Tx, run: KeptRun, name: string, draw: () => Promise<T>): Promise<T> {
  if (!isKept(run)) return draw();
  const found = await stored(tx, run, name).select('figures').executeTakeFirst();
  if (found) return found.figures as T;
  const figures = await draw();
  await keep(tx, run, name, 'figures', sql`${JSON.stringify(figures)}::json`);
  return figures;
}

/**
 * Stores an order of the run's calls or endpoints, unless it is there. `ordered`: a query of their numbers in that order.
 * It is outside of a transaction.
 * @returns their number; null: the orders of this run are not kept
 */
export async function keptOrder(
  tx: Tx,
  run: KeptRun,
  name: string,
  ordered: RawBuilder<unknown>,
): Promise<number | null> {
  if (!isKept(run)) return null;
  const count = async () =>
    (await stored(tx, run, name).select(sql<number>`cardinality(numbers)`.as('n')).executeTakeFirst())?.n ?? null;
  const found = await count();
  if (found !== null) return found;
  return (await keep(tx, run, name, 'numbers', sql`array(${ordered})`)) ? count() : null;
}

/** A part of a kept order, in that order. */
export const keptNumbers = async (
  tx: Tx,
  run: KeptRun,
  name: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<number[]> =>
  (
    await stored(tx, run, name)
      .select(sql<number[]>`numbers[${offset + 1}::int : ${offset + limit}::int]`.as('part'))
      .executeTakeFirst()
  )?.part ?? [];

/** A kept order as a table: each number with its place. */
export const keptPlaces = (tx: Tx, run: KeptRun, name: string) =>
  tx
    .selectFrom(
      sql<{ number: number; place: number }>`(
        select o.number, o.place from kept_figures k, unnest(k.numbers) with ordinality as o (number, place)
        where k.run_id = ${run.id}::uuid and k.name = ${name}
          and k.revised_at is not distinct from ${run.revisedAt}::timestamptz)`.as('o'),
    )
    .select(['o.number', 'o.place']);
