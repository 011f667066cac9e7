/** The calls of a run: of all endpoints, of one endpoint, and all of them for export. */
import type { Input, Output } from '../../contract/catalogue.ts';
import type { Tx } from '../../store/db.ts';
import { windowOf } from '../../store/pages.ts';
import { endpointNumber } from '../../store/run/endpoints.ts';
import { endpointIds, ONE_CALL_EACH } from '../../store/run/views/endpoint-calls.ts';
import {
  countSomeEndpoints,
  type EndpointRow,
  listEndpointsFrom,
  listSomeEndpoints,
  listTheseEndpoints,
  listWorstEndpoints,
} from '../../store/run/views/endpoint-lists.ts';
import type { EndpointQuery } from '../../store/run/views/endpoint-query.ts';
import { requireNamed } from '../request/named.ts';
import { byId, known } from '../request/perform.ts';
import { endpointView, releaseView } from './endpoint-views.ts';
import { keeping } from './kept-answers.ts';
import { knownRun } from './runs.ts';

export type ListedCall = Output<'listTestRunCalls'>;
export type ListedRows = { readonly rows: readonly EndpointRow[]; readonly total: number };
export type CallsQuery = Pick<Input<'listTestRunCalls'>, 'order' | 'page' | 'per_page'>;
export type RunExtent = Awaited<ReturnType<typeof knownRun>>;

/** Distance between the numbers of an endpoint's calls. */
export const apartOf = ({ isLasting, endpoints }: RunExtent): number => (isLasting ? endpoints : ONE_CALL_EACH);

export const filterOf = (input: Omit<Input<'listTestRunEndpoints'>, 'projectId' | 'testRunId'>): EndpointQuery => ({
  outcome: input.outcome,
  type: input.endpoint_type,
  workerId: input.worker_id,
  cause: input.cause,
  sipStatus: input.sip_status,
  number: input.number,
  callId: input.call_id,
  finding: input.finding,
});

export async function listRows(
  tx: Tx,
  run: RunExtent,
  filter: EndpointQuery,
  { order, page, per_page }: CallsQuery,
): Promise<ListedRows> {
  if (order !== 'worst') {
    const total = await countSomeEndpoints(tx, run, filter);
    return { rows: await listSomeEndpoints(tx, run.id, filter, windowOf(total, { page, per_page })), total };
  }
  const window = { offset: (page - 1) * per_page, limit: per_page, backwards: false };
  const { rows, total } = await listWorstEndpoints(tx, run, filter, window);
  return { rows, total: total ?? (await countSomeEndpoints(tx, run, filter)) };
}

export async function callViews(tx: Tx, run: RunExtent, rows: readonly EndpointRow[]): Promise<ListedCall[]> {
  const apart = apartOf(run);
  const others = rows.flatMap(({ number }) => (number < apart ? [] : number % apart));
  const ids = others.length === 0 ? new Map<number, string>() : await endpointIds(tx, run.id, [...new Set(others)]);
  return rows.map((e) => ({ ...endpointView(e), endpoint: holderOf(e, apart, ids) }));
}

/** `ids`: the ids of endpoints whose first call is not this one. */
const holderOf = ({ id, number }: EndpointRow, apart: number, ids: ReadonlyMap<number, string>) => ({
  id: number < apart ? id : (ids.get(number % apart) ?? ''),
  number: number % apart,
  call: Math.floor(number / apart) + 1,
});

export const listTestRunCalls = keeping('listTestRunCalls', async ({ ports }, input) => {
  const { db } = ports.database;
  const run = await knownRun(db, input);
  await requireNamed(db, input.projectId, { worker: input.worker_id });
  return { answer: await listedCalls(db, run, filterOf(input), input), isFinal: run.isFinal };
});

export const listTestRunEndpointCalls = keeping('listTestRunEndpointCalls', async ({ ports }, input) => {
  const { db } = ports.database;
  const { testRunId, endpointId } = input;
  const run = await knownRun(db, input);
  await requireNamed(db, input.projectId, { worker: input.worker_id });
  const apart = apartOf(run);
  const found = known('endpoint', endpointId, await byId(endpointId, () => endpointNumber(db, testRunId, endpointId)));
  const endpoint = { number: found % apart, apart };
  return { answer: await listedCalls(db, run, { ...filterOf(input), endpoint }, input), isFinal: run.isFinal };
});

export async function listedCalls(tx: Tx, run: RunExtent, filter: EndpointQuery, query: CallsQuery) {
  const { rows, total } = await listRows(tx, run, { ...filter, isCall: true }, query);
  return { rows: await callViews(tx, run, rows), total };
}

/** The calls with these ids, in the order of their numbers. */
export const theseCalls = async (tx: Tx, run: RunExtent, ids: readonly string[]): Promise<ListedCall[]> =>
  callViews(tx, run, await listTheseEndpoints(tx, run.id, ids));

/** Every call, and every endpoint without one, by number, a page at a time with one query each. */
export async function* everyEndpoint(tx: Tx, run: RunExtent, perPage: number) {
  const apart = apartOf(run);
  /** The ids of endpoints with several calls: these precede all later calls. */
  const ids = new Map<number, string>();
  for (let from = 0; ; ) {
    const rows = await listEndpointsFrom(tx, run.id, from, perPage);
    if (run.isLasting) for (const { number, id } of rows) if (number < apart) ids.set(number, id);
    if (rows.length > 0)
      yield rows.map((e) => ({
        ...endpointView(e),
        endpoint: holderOf(e, apart, ids),
        endedBy: e.ended_by,
        release: releaseView(e),
      }));
    if (rows.length < perPage) return;
    from = (rows.at(-1)?.number ?? 0) + 1;
  }
}
