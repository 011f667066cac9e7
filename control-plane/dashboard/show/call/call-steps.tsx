/** The neighbours of a call in the list from which the user came, by buttons, and by the keys j (next) and k (previous). */
import { Button, Group } from '@mantine/core';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, ListAnswer } from '../../../contract/call.ts';
import { call } from '../../api.ts';
import { Link, navigate } from '../../router.tsx';
import { count } from '../basics/figures.ts';
import { useShortcuts } from '../basics/shortcut-keys.ts';
import { SHORTCUTS } from '../basics/shortcuts.ts';
import { neighboursOf, pagesAround, placedQueryOf, placeIn } from './endpoint-search.ts';

type List = 'listTestRunEndpoints' | 'listTestRunCalls' | 'listTestRunEndpointCalls' | 'listCalls';
/** A list, its filters, and the number of rows of its pages. */
export type CallList = { readonly list: List; readonly input: CallInput<List>; readonly perPage: number };
type Row = ListAnswer<List>['rows'][number];

/** A page that was loaded this short a time ago is not asked for again. */
const STALE_MS = 1000;

type Props = {
  readonly of: CallList;
  readonly id: string;
  readonly at: number;
  readonly everyMs: number | false;
  readonly addressOf: (row: Row) => string;
  readonly search: Readonly<Record<string, string | undefined>>;
};

export function CallSteps({ of: { list, input, perPage }, id, at, everyMs, addressOf, search }: Props) {
  const client = useQueryClient();
  const pageOf = (page: number) => {
    const asked = { ...input, page: page + 1 };
    return { queryKey: [list, asked], queryFn: (): Promise<ListAnswer<List>> => call(list, asked as never) };
  };
  const place = useQuery({
    queryKey: ['place', list, input, id, at],
    queryFn: () =>
      placeIn(async (page) => (await client.fetchQuery({ ...pageOf(page), staleTime: STALE_MS })).rows, {
        at,
        id,
        perPage,
      }),
    refetchInterval: everyMs,
  });
  const around = pagesAround(place.data ?? at, perPage);
  const pages = useQueries({ queries: around.map((page) => ({ ...pageOf(page), refetchInterval: everyMs })) });
  const rowAt = (n: number): Row | undefined => pages[around.indexOf(Math.floor(n / perPage))]?.data?.rows[n % perPage];
  const within = around.flatMap((page) => Array.from({ length: perPage }, (_, i) => page * perPage + i));
  const found = neighboursOf(rowAt, { at: place.data ?? at, id, within });
  const total = pages[0]?.data?.pagination.total;
  const ways = [
    ['previousCall', found?.previous ?? null, (found?.at ?? 0) - 1],
    ['nextCall', found?.next ?? null, (found?.at ?? 0) + 1],
  ] as const;
  const go = (row: Row | null, place: number) =>
    row === null ? undefined : () => void navigate({ to: addressOf(row), search: { ...search, at: String(place) } });
  useShortcuts(Object.fromEntries(ways.map(([name, row, place]) => [name, go(row, place)])));
  if (found === null || total === undefined) return null;
  return (
    <Group gap={6} wrap="nowrap" role="group" aria-label="Calls of the list">
      {ways.map(([name, row, place]) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          disabled={row === null}
          title={`Key ${SHORTCUTS[name]}`}
          {...(row !== null && { component: Link, to: `${addressOf(row)}${placedQueryOf(search, place)}` })}
        >
          {name === 'previousCall' ? 'Previous' : 'Next'}
        </Button>
      ))}
      <span className="quiet" style={{ whiteSpace: 'nowrap' }}>
        {count(found.at + 1)} of {count(total)}
      </span>
    </Group>
  );
}
