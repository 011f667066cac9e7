/**
 * The page that is shown, and ways to another one without a new document. A library for this was an eighth of the script of every
 * page. Here no page loads data before it is shown, and a page's script is loaded before its address changes.
 */
import {
  type ComponentProps,
  type ComponentType,
  type MouseEvent,
  type ReactNode,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react';
import { type AddressSearch, addressOf, type LinkTarget, type Params, rowAt, searchOf } from './addresses.ts';

export type LoadPage = () => Promise<Record<string, ComponentType>>;

export type PageRoute = {
  readonly path: string;
  readonly load: LoadPage;
  /** The component in that module. */
  readonly name: string;
  /** Within the frame of the pages behind the log-in. */
  readonly isInside: boolean;
  /** What it asks for when somebody comes to it, before its script is there. */
  readonly begin?: ((params: Params) => void) | undefined;
};

export type ShownPage = {
  readonly pathname: string;
  readonly query: string;
  readonly search: AddressSearch;
  readonly params: Params;
  readonly route: PageRoute;
  /** The entry in the browser's history. */
  readonly key: string;
  /** Pixels from the top, or the id of a part of the page; null: the view stays where it is. */
  readonly scrollTo: number | string | null;
};

let routes: readonly PageRoute[] = [];
let elsewhere: PageRoute;
let here: ShownPage;
let lastTurn = 0;
const watchers = new Set<() => void>();
const pages = new Map<PageRoute, ComponentType | Error>();
const scrolls = new Map<string, number>();

const placeAt = (address: string, key: string, scrollTo: ShownPage['scrollTo']): ShownPage => {
  const { pathname, search } = new URL(address, window.location.origin);
  const { row, params } = rowAt(routes, pathname) ?? { row: elsewhere, params: {} };
  return { pathname, query: search, search: searchOf(search), params, route: row, key, scrollTo };
};

async function load(route: PageRoute): Promise<void> {
  if (pages.has(route)) return;
  const module = await route.load();
  pages.set(route, module[route.name] as ComponentType);
}

const keyOfEntry = (): string => (window.history.state as { key?: string } | null)?.key ?? '';

function show(place: ShownPage): void {
  here = place;
  for (const watch of watchers) watch();
}

/** Nothing is awaited where the script is there: text fields whose value is in the address are written at once. */
function loadBefore(next: ShownPage, address: string, then: () => void): Promise<void> | void {
  lastTurn += 1;
  const turn = lastTurn;
  if (next.route !== here.route || JSON.stringify(next.params) !== JSON.stringify(here.params))
    next.route.begin?.(next.params);
  if (pages.has(next.route)) return then();
  return load(next.route).then(
    () => {
      if (turn === lastTurn) then();
    },
    () => {
      // The files of another version are there now, so a new document is needed.
      if (turn === lastTurn) window.location.assign(address);
    },
  );
}

type How = {
  /** The way back leads past the page that is left. */
  readonly replace?: boolean;
  readonly resetScroll?: boolean;
};

/** Resolves when the page is shown, or somebody has gone elsewhere. */
export async function navigate({ replace = false, resetScroll = true, ...to }: LinkTarget & How): Promise<void> {
  const address = addressOf(to, here.pathname);
  const next = placeAt(address, String(Date.now() + Math.random()), to.hash ?? (resetScroll ? 0 : null));
  await loadBefore(next, address, () => {
    scrolls.set(here.key, window.scrollY);
    if (replace) window.history.replaceState({ key: next.key }, '', address);
    else window.history.pushState({ key: next.key }, '', address);
    show(next);
  });
}

/** The browser has changed the address: back, or forward. */
function follow(): void {
  const { pathname, search } = window.location;
  const key = keyOfEntry();
  const next = placeAt(pathname + search, key, scrolls.get(key) ?? 0);
  if (pathname === here.pathname && search === here.query) return;
  scrolls.set(here.key, window.scrollY);
  void loadBefore(next, pathname + search, () => show(next));
}

/** To be called once. `other`: the page of addresses that no route has. */
export function startRouter(all: readonly PageRoute[], other: PageRoute): void {
  routes = all;
  elsewhere = other;
  here = placeAt(window.location.pathname + window.location.search, keyOfEntry(), null);
  window.history.scrollRestoration = 'manual';
  window.addEventListener('pagehide', () => {
    // The browser itself finds the place again after a reload.
    window.history.scrollRestoration = 'auto';
  });
  window.addEventListener('popstate', follow);
  here.route.begin?.(here.params);
  void load(here.route)
    .catch((error: Error) => pages.set(here.route, error))
    .then(() => show({ ...here }));
}

const subscribe = (watch: () => void): (() => void) => {
  watchers.add(watch);
  return () => watchers.delete(watch);
};

export const useLocation = (): ShownPage => useSyncExternalStore(subscribe, () => here);
export const useParams = (): Params => useLocation().params;
export const useSearch = (): AddressSearch => useLocation().search;

/** The page that is shown; `waiting` while the first one is being loaded. */
export function Outlet({ waiting }: { readonly waiting: ReactNode }) {
  const { route, key, scrollTo } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry of the history may have the same place
  useLayoutEffect(() => {
    if (typeof scrollTo === 'string') document.getElementById(scrollTo)?.scrollIntoView();
    else if (scrollTo !== null) window.scrollTo(0, scrollTo);
  }, [key, scrollTo]);
  const Page = pages.get(route);
  if (Page instanceof Error) throw Page;
  return Page ? <Page /> : waiting;
}

/** Without `to` it leads to the page itself: as a part of others, a link may be disabled. */
type LinkProps = Omit<ComponentProps<'a'>, 'href'> & Partial<LinkTarget>;

/** A link to a page of the dashboard, whose script is loaded when somebody points at it. */
export function Link({ to = '.', params, search, hash, onClick, onMouseEnter, onFocus, ...rest }: LinkProps) {
  const where: LinkTarget = { to, params, search, hash };
  const address = addressOf(where, here.pathname);
  const ahead = () => void load(placeAt(address, '', null).route).catch(() => undefined);
  return (
    <a
      {...rest}
      href={address}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button !== 0 || isElsewhere(event)) return;
        event.preventDefault();
        void navigate(where);
      }}
      onMouseEnter={(event) => {
        onMouseEnter?.(event);
        ahead();
      }}
      onFocus={(event) => {
        onFocus?.(event);
        ahead();
      }}
    />
  );
}

/** A click that opens a tab or a window, or saves a file. */
const isElsewhere = ({ currentTarget: { target }, ...event }: MouseEvent<HTMLAnchorElement>): boolean =>
  event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || (target !== '' && target !== '_self');
