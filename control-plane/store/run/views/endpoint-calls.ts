/**
 * Endpoints with several calls: in a run with `apart` endpoints, number e has the calls e, e + apart, e + 2 apart …,
 * and the row of the first represents it.
 */
import { sql } from 'kysely';
import { PHASES } from '../../../contract/run/words.ts';
import type { EndCount } from '../../../domain/sums/endpoint-calls.ts';
import { numbers } from '../../arrays.ts';
import type { Tx } from '../../db.ts';
import type { PageWindow } from '../../pages.ts';
import { type EndpointQuery, listTheseNumbers, some } from './endpoint-lists.ts';

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
      select number % ${apart}::int as endpoint, endpoint_type as "endpointType", attempted, answered, dropped, outcome, cause,
        cause_status as "causeStatus", reached >= ${CALLING} and phase <> ${CLOSED} as calling, count(*)::int as n
      from endpoints where run_id = ${runId}::uuid and number % ${apart}::int = any (${numbers(endpoints)}::int[])
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

/**
 * Endpoints with at least one matching call, by number or by the worst: first those with the most failed calls, then by
 * their worst call.
 */
export async function listEndpointsByCalls(
  tx: Tx,
  runId: string,
  apart: number,
  query: EndpointQuery & { readonly order: 'number' | 'worst' },
  { offset, limit }: Pick<PageWindow, 'offset' | 'limit'>,
) {
  // This is a literal: PostgreSQL treats a parameter in the select list and in group by as different expressions.
  const endpoint = sql<number>`e.number % ${sql.lit(apart)}`;
  const lowest = tx
    .selectFrom('streams')
    .where('run_id', '=', runId)
    .groupBy('endpoint_number')
    .select(['endpoint_number', sql<number | null>`min(mos)`.as('mos')]);
  const byNumber = some(tx, runId, query).groupBy(endpoint).select(endpoint.as('number')).orderBy('number');
  const byWorst = some(tx, runId, query)
    .leftJoin(lowest.as('s'), 's.endpoint_number', 'e.number')
    .groupBy(endpoint)
    .select(endpoint.as('number'))
    .orderBy(sql`count(*) filter (where e.outcome <> 'SUCCESS')`, 'desc')
    .orderBy(sql`min(s.mos) asc nulls last`)
    .orderBy('number');
  const keys = await (query.order === 'worst' ? byWorst : byNumber).limit(limit).offset(offset).execute();
  return listTheseNumbers(
    tx,
    runId,
    keys.map(({ number }) => number),
  );
}

export const countEndpointsByCalls = async (
  tx: Tx,
  runId: string,
  apart: number,
  query: EndpointQuery,
): Promise<number> =>
  (
    await some(tx, runId, query)
      .select(sql<number>`count(distinct e.number % ${apart}::int)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;
