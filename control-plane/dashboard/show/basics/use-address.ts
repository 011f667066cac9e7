/** The search of a page or of a list is in the address, so that it can be shared. */
import { navigate, useSearch } from '../../router.tsx';

/** With `replace`, the way back leads to where the search began, not through each change of it. */
type ChangeSearch<Search> = (change: Partial<Search>, how?: { readonly replace: true }) => void;

/**
 * The search, and the function that changes parts of it. An empty part leaves the address. The parts in `places`, such
 * as the page of a list, hold for one search only: a change that does not name them empties them, too.
 */
export function useAddress<Search extends object>(...places: (keyof Search)[]): [Search, ChangeSearch<Search>] {
  const search = useSearch() as object as Search;
  const none = Object.fromEntries(places.map((place) => [place, undefined]));
  return [
    search,
    (change, how) => {
      const next = Object.fromEntries(Object.entries({ ...search, ...none, ...change }).filter(([, part]) => part));
      void navigate({ to: '.', search: next, resetScroll: false, ...how });
    },
  ];
}
