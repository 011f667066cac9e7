/** A list in an order, by page or onwards from a cursor. */
import type { Listed, Paged } from '../../contract/envelope.ts';
import { ApiError } from '../../contract/errors.ts';
import { readCursor, writeCursor } from '../../domain/cursor.ts';
import { isBadPlace, type Slice } from '../../store/list-order.ts';
import { windowOf } from '../../store/pages.ts';

type ListQuery = Paged & { readonly sort: string; readonly cursor?: string | undefined };

const refusal = (message: string) =>
  new ApiError('VALIDATION_ERROR', `cursor: ${message}`, [{ path: 'cursor', message }]);
const unknown = () => refusal('must be meta.nextCursor of an earlier page');

/** @throws ApiError VALIDATION_ERROR */
function placeOf({ cursor, sort, page }: ListQuery) {
  if (cursor === undefined) return null;
  const found = readCursor(cursor);
  if (found === null) throw unknown();
  if (found.order !== sort)
    throw refusal(`is of the order ${found.order}: continue in that order, or start again without it`);
  if (page !== 1) throw refusal('goes without page');
  return found;
}

async function inPlace<R>(read: (slice: Slice) => Promise<R[]>, slice: Slice): Promise<R[]> {
  try {
    return await read(slice);
  } catch (error) {
    throw slice.after !== null && isBadPlace(error) ? unknown() : error;
  }
}

/** `read`: returns the rows of a slice, in the direction in which it is read. @throws ApiError VALIDATION_ERROR */
export async function listed<R extends { readonly place: readonly string[] }>(
  query: ListQuery,
  total: number,
  read: (slice: Slice) => Promise<R[]>,
): Promise<Listed<Omit<R, 'place'>>> {
  const cursor = placeOf(query);
  const { sort: order, per_page } = query;
  const page = cursor?.page ?? query.page;
  // After a cursor, one row more than is shown is read, to know whether anything follows.
  const slice: Slice = cursor
    ? { offset: 0, limit: per_page + 1, backwards: false, after: cursor.place }
    : { ...windowOf(total, query), after: null };
  const found = await inPlace(read, slice);
  const shown = (slice.backwards ? found.reverse() : found).slice(0, per_page);
  const place = shown.at(-1)?.place;
  const isMore = cursor ? found.length > per_page : page * per_page < total;
  return {
    rows: shown.map(({ place: _, ...row }) => row),
    total,
    page,
    nextCursor: place && isMore ? writeCursor({ order, place, page: page + 1 }) : null,
  };
}
