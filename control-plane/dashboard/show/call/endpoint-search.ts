/** The filters of a run's endpoints and calls, from the address to the API; and the place of a call in a list. Pure. */

/** The filters as they are in the address. */
export type Filters = {
  readonly outcome?: string | undefined;
  readonly type?: string | undefined;
  readonly finding?: string | undefined;
  readonly order?: string | undefined;
  readonly cause?: string | undefined;
  readonly status?: string | undefined;
  /** A part of the called number. */
  readonly number?: string | undefined;
  readonly callId?: string | undefined;
};

export const WORST = 'worst';
/** The rows of a run's list that are loaded together. */
export const PAGE_ROWS = 100;

/** Texts are typed by hand: what the API would refuse is cut or left out. */
export const calledQueryOf = ({ number, callId }: Pick<Filters, 'number' | 'callId'>) => ({
  ...(number?.trim() && { number: number.trim().slice(0, 200) }),
  ...(callId?.trim() && { call_id: callId.replaceAll(/\s/g, '').slice(0, 1000) }),
});

export const endpointsQueryOf = ({ outcome, type, finding, order, cause, status, number, callId }: Filters) => ({
  order: order === 'number' ? order : WORST,
  ...(outcome && { outcome }),
  ...(type && { endpoint_type: type }),
  ...(finding && { finding }),
  ...(cause && { cause }),
  ...(status && { sip_status: Number(status) }),
  ...calledQueryOf({ number, callId }),
});

/**
 * Where in a list the user found a call, in the address of its page: `at` is its place, from 0. `in` is the list: `endpoint` are
 * the calls of its endpoint, `project` those of all runs; absent: the run's.
 */
export type PlaceSearch = { readonly at?: string | undefined; readonly in?: string | undefined };

export const placeOf = ({ at }: PlaceSearch): number | null => (/^\d{1,9}$/.test(at ?? '') ? Number(at) : null);

type Search = Readonly<Record<string, string | undefined>>;
const queryOf = (search: Search): string => {
  const query = new URLSearchParams(
    Object.entries(search).filter(([, value]) => value) as [string, string][],
  ).toString();
  return query && `?${query}`;
};

export const listQueryOf = (search: Search): string => queryOf({ ...search, at: undefined, in: undefined });

/** The query string of the page of the call at this place; `search` names the list. */
export const placedQueryOf = (search: Search, at: number): string => queryOf({ ...search, at: String(at) });

/** The pages, from 0, that have the call at this place and its neighbours. */
export const pagesAround = (at: number, perPage: number): number[] => [
  ...new Set([at - 1, at, at + 1].filter((n) => n >= 0).map((n) => Math.floor(n / perPage))),
];

type Row = { readonly id: string };

/** The pages of a list that are searched for a call beyond those around its place. */
export const SEARCHED_PAGES = 50;

/**
 * The place of a call in a list: around the one that its address says, otherwise from the beginning on, because an example is one of
 * the first of its kind, and others may precede it. Null: these pages do not have it.
 */
export async function placeIn(
  rowsOf: (page: number) => Promise<readonly Row[]>,
  { at, id, perPage }: { readonly at: number; readonly id: string; readonly perPage: number },
): Promise<number | null> {
  const around = pagesAround(at, perPage);
  let end = Number.POSITIVE_INFINITY;
  for (const page of new Set([...around, ...Array.from({ length: SEARCHED_PAGES }, (_, n) => n)])) {
    if (page >= end) continue;
    const rows = await rowsOf(page);
    const n = rows.findIndex((row) => row.id === id);
    if (n >= 0) return page * perPage + n;
    if (rows.length < perPage) end = Math.min(end, page + 1);
  }
  return null;
}

export type Neighbours<R> = { readonly at: number; readonly previous: R | null; readonly next: R | null };

/** `rowAt`: of the pages around. The list of a run in progress moves: the call is found there by its id. Null: it has left. */
export function neighboursOf<R extends Row>(
  rowAt: (n: number) => R | undefined,
  { at, id, within }: { readonly at: number; readonly id: string; readonly within: readonly number[] },
): Neighbours<R> | null {
  const here = rowAt(at)?.id === id ? at : within.find((n) => rowAt(n)?.id === id);
  return here === undefined ? null : { at: here, previous: rowAt(here - 1) ?? null, next: rowAt(here + 1) ?? null };
}
