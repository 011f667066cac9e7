/** Addresses of pages as texts and in parts. Pure. */

export type Params = Readonly<Record<string, string>>;
/** Filters are in the address as text. */
export type AddressSearch = Readonly<Record<string, string | undefined>>;

export type LinkTarget = {
  /** A path, perhaps with places for parameters, perhaps with a query; `.`: the path of the page that is shown. */
  readonly to: string;
  readonly params?: Params | undefined;
  readonly search?: AddressSearch | undefined;
  /** The id of the part of the page that comes into view. */
  readonly hash?: string | undefined;
};

/** Addresses that people kept have numbers in quotes. */
export const searchOf = (query: string): AddressSearch =>
  Object.fromEntries(Array.from(new URLSearchParams(query), ([key, value]) => [key, value.replace(/^"(\d+)"$/, '$1')]));

const queryOf = (search: AddressSearch): string => {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** @param here the path of the page that is shown */
export function addressOf({ to, params = {}, search = {}, hash }: LinkTarget, here: string): string {
  const path = to === '.' ? here : to.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return path + queryOf(search) + (hash === undefined ? '' : `#${hash}`);
}

/** The values of a path's parameters in an address; null: it is of another page. */
function paramsIn(path: string, pathname: string): Params | null {
  const parts = path.split('/');
  const given = pathname.split('/');
  if (parts.length !== given.length) return null;
  const params: [string, string][] = [];
  for (const [n, part] of parts.entries()) {
    const value = given[n] as string;
    if (!part.startsWith('$')) {
      if (part !== value) return null;
    } else if (value === '') return null;
    else params.push([part.slice(1), decoded(value)]);
  }
  return Object.fromEntries(params);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const namedParts = (path: string): number => path.split('/').filter((part) => !part.startsWith('$')).length;

/** The row of the path that names most of the address: `/probes/new` before `/probes/$probeId`. */
export function rowAt<Row extends { readonly path: string }>(
  rows: readonly Row[],
  pathname: string,
): { readonly row: Row; readonly params: Params } | null {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  const found = rows.flatMap((row) => {
    const params = paramsIn(row.path, path);
    return params === null ? [] : [{ row, params }];
  });
  return found.sort((a, b) => namedParts(b.row.path) - namedParts(a.row.path))[0] ?? null;
}
