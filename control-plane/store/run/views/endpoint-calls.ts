/**
 * Endpoints with several calls: in a run with `apart` endpoints, number e has the calls e, e + apart, e + 2 apart …,
 * and the row of the first represents it.
 */
import { sql } from 'kysely';
import { PHASES } from '../../../contract/run/words.ts';
import type { EndCount } from '../../../domain/sums/endpoint-calls.ts';
import type { Tx } from '../../db.ts';
import type { PageWindow } from '../../pages.ts';
import { type KeptRun, keptNumbers, keptOrder } from '../kept-figures.ts';
import { listTheseNumbers } from './endpoint-lists.ts';
import { type EndpointQuery, isAll, ofEndpoints, some, someWithStreams } from './endpoint-query.ts';

/** The distance for runs with one call per endpoint: it is higher than any number. */
export const ONE_CALL_EACH = 0x7fffffff;

const CALLING = PHASES.indexOf('CALLING');
const CLOSED = PHASES.indexOf('CLOSED');

/** The counts of these endpoints' calls by result. */
export const endCounts = async (
  tx: Tx,
  runId: string,
  apart: number,
  endpoints: readonly number[],
): Promise<(EndCount & { readonly endpoint: number })[]> =>
  endpoints.length === 0
    ? []
    : (
        await sql<EndCount & { endpoint: number }>`
      select e.number % ${apart}::int as endpoint, endpoint_type as "endpointType", attempted, answered, dropped, outcome, cause,
        cause_status as "causeStatus", reached >= ${CALLING} and phase <> ${CLOSED} as calling, count(*)::int as n
      from endpoints e where run_id = ${runId}::uuid and ${ofEndpoints(runId, apart, endpoints)}
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9`.execute(tx)
      ).rows;

/** The ids of endpoints by their numbers. */
export const endpointIds = async (tx: Tx, runId: string, endpoints: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await tx
        .selectFrom('endpoints')
        .where('run_id', '=', runId)
        .where('number', 'in', [...endpoints, -1])
        .select(['number', 'id'])
        .execute()
    ).map(({ number, id }) => [number, id]),
  );

/** This is a literal: PostgreSQL treats a parameter in the select list and in group by as different expressions. */
const endpointOf = (apart: number) => sql<number>`e.number % ${sql.lit(apart)}`;

/** First those with the most failed calls, then by their worst call. */
const worstFirst = (tx: Tx, runId: string, apart: number, query: EndpointQuery) =>
  someWithStreams(tx, runId, query)
    .groupBy(endpointOf(apart))
    .select(endpointOf(apart).as('number'))
    .orderBy(sql`count(*) filter (where e.outcome <> 'SUCCESS')`, 'desc')
    .orderBy(sql`min(s.mos) asc nulls last`)
    .orderBy('number');

const WORST = 'worst endpoints';
const keptWorst = (tx: Tx, run: KeptRun, apart: number, query: EndpointQuery) =>
  isAll(query) ? keptOrder(tx, run, WORST, sql`${worstFirst(tx, run.id, apart, {})}`) : null;

/** Endpoints with at least one matching call, by number or by the worst. */
export async function listEndpointsByCalls(
  tx: Tx,
  run: KeptRun,
  apart: number,
  { order, ...query }: EndpointQuery & { readonly order: 'number' | 'worst' },
  window: Pick<PageWindow, 'offset' | 'limit'>,
) {
  if (order === 'worst' && (await keptWorst(tx, run, apart, query)) !== null)
    return listTheseNumbers(tx, run.id, await keptNumbers(tx, run, WORST, window));
  const byNumber = some(tx, run.id, query).groupBy(endpointOf(apart)).select(endpointOf(apart).as('number'));
  const rows = order === 'worst' ? worstFirst(tx, run.id, apart, query) : byNumber.orderBy('number');
  const keys = await rows.limit(window.limit).offset(window.offset).execute();
  return listTheseNumbers(
    tx,
    run.id,
    keys.map(({ number }) => number),
  );
}

export const countEndpointsByCalls = async (
  tx: Tx,
  run: KeptRun,
  apart: number,
  query: EndpointQuery,
): Promise<number> =>
  (await keptWorst(tx, run, apart, query)) ??
  (
    await some(tx, run.id, query)
      .select(sql<number>`count(distinct e.number % ${apart}::int)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;
