/**
 * The rows of a run in lists, and one in full. Endpoints have dense numbers: 0, 1, 2 … in plan order, and each row is
 * also its call, if it has one. With several calls per endpoint, later calls have numbers above all endpoints', with
 * gaps (endpoint-calls.ts).
 */
import { sql } from 'kysely';
import type { CallMedia } from '../../../contract/run/findings.ts';
import type { Pairing } from '../../../contract/run/words.ts';
import type { Tx } from '../../db.ts';
import { type PageWindow, reading } from '../../pages.ts';
import { findingsHere } from '../findings.ts';
import { type KeptRun, keptNumbers, keptOrder, keptPlaces } from '../kept-figures.ts';
import { type EndpointQuery, isAll, some, someWithStreams } from './endpoint-query.ts';

/** The audio streams of a call, all together. */
const heardHere = sql<CallMedia | null>`(
  select json_build_object('mos', min(s.mos), 'lossFraction', greatest(sum(s.lost), 0)::float8 /
      nullif(greatest(sum(s.expected - s.absent - s.paused), 0), 0)::float8,
    'awaitedMs', sum(s.awaited_ms), 'absentMs', sum(s.absent_ms), 'pausedMs', sum(s.paused_ms),
    'jitterMs', max(s.jitter_mean_ms), 'packetsSent', sum(s.packets_sent), 'packetsReceived', sum(s.packets_received),
    'longestGapMs', max(s.longest_gap_ms))
  from streams s where s.run_id = e.run_id and s.endpoint_number = e.number and s.codec not in ('VP8', 'H264')
  having count(*) > 0)`;

/** How the other end of call `e` is known: a callee's row states it for both. */
const pairingHere = sql<Pairing | null>`
  case when e.endpoint_type = 'CALLEE' then
    case when e.peer_number is not null then case when e.pair_grounds is null then 'SIGNALLED' else 'DEDUCED' end end
  else (select case when bool_and(c.pair_grounds is not null) then 'DEDUCED' when count(*) > 0 then 'SIGNALLED' end
    from endpoints c where c.run_id = e.run_id and c.peer_number = e.number) end`;

const measured = (tx: Tx, runId: string) =>
  tx
    .selectFrom('endpoints as e')
    .where('e.run_id', '=', runId)
    .selectAll('e')
    .select([findingsHere.as('findings'), heardHere.as('media'), pairingHere.as('pairing')]);
type Measured = ReturnType<typeof measured>;

/**
 * The rows of a run that `choose` chooses. What was measured is complete before names are joined to it, because measured
 * tables may be on another node than names (docs/guide/database.md).
 */
const shown = (tx: Tx, runId: string, choose: (rows: Measured) => Measured) =>
  tx
    .with(
      (cte) => cte('e').materialized(),
      () => choose(measured(tx, runId)),
    )
    .selectFrom('e')
    .innerJoin('workers as w', 'w.id', 'e.worker_id')
    .leftJoin('registrars as r', 'r.id', 'e.registrar_id')
    .selectAll('e')
    .select([
      'w.name as workerName',
      sql<boolean>`w.organization_id is null`.as('isPlatform'),
      'r.name as registrarName',
      'r.uri as registrarUri',
    ])
    .orderBy('e.number');

export type EndpointRow = Awaited<ReturnType<typeof listEndpoints>>[number];

/** All endpoints, with dense numbers: a page is a range, at any position. `apart`: the numbers of endpoints are below it. */
export const listEndpoints = (
  tx: Tx,
  runId: string,
  apart: number,
  { offset, limit }: Pick<PageWindow, 'offset' | 'limit'>,
) =>
  shown(tx, runId, (rows) =>
    rows.where('e.number', '>=', offset).where('e.number', '<', Math.min(offset + limit, apart)),
  ).execute();

/** The next endpoints, from this number on. */
export const listEndpointsFrom = (tx: Tx, runId: string, from: number, limit: number) =>
  shown(tx, runId, (rows) => rows.where('e.number', '>=', from).orderBy('e.number').limit(limit)).execute();

/** The number of endpoints, from the last of their dense numbers, without reading the others. */
export const countEndpoints = async (tx: Tx, runId: string, apart: number): Promise<number> =>
  (
    await tx
      .selectFrom('endpoints')
      .where('run_id', '=', runId)
      .where('number', '<', apart)
      .select(sql<number>`coalesce(max(number) + 1, 0)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

export const countSomeEndpoints = async (tx: Tx, run: KeptRun, f: EndpointQuery): Promise<number> =>
  (hasKeptOrder(f) ? await keptWorst(tx, run, f) : null) ??
  (await some(tx, run.id, f).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** A selection of endpoints by number. */
export const listSomeEndpoints = (tx: Tx, runId: string, f: EndpointQuery, w: PageWindow) => {
  const keys = some(tx, runId, f)
    .select('e.number')
    .orderBy('e.number', reading(w, 'asc'))
    .limit(w.limit)
    .offset(w.offset);
  return shown(tx, runId, (rows) => rows.where('e.number', 'in', keys)).execute();
};

/**
 * Failures are first, then answered calls without packets, then calls by the lowest MOS of their streams; unmeasured
 * calls are last.
 */
const worstFirst = (tx: Tx, runId: string, f: EndpointQuery) =>
  someWithStreams(tx, runId, f)
    .select('e.number')
    .orderBy(sql`coalesce(e.outcome <> 'SUCCESS', false)`, 'desc')
    .orderBy(sql`e.answered and coalesce(s.received, 0) = 0`, 'desc')
    .orderBy(sql`s.mos asc nulls last`)
    .orderBy('e.number');

/** An order is kept of all rows, and of those of each outcome: people open the calls that failed. */
const hasKeptOrder = ({ outcome: _, ...filter }: EndpointQuery): boolean => isAll(filter);

const worstName = ({ isCall, outcome }: EndpointQuery): string =>
  [isCall === true ? 'worst calls' : 'worst rows', ...(outcome === undefined ? [] : [outcome])].join(' ');

/** The number of rows in the kept order; null: the orders of this run are not kept. */
async function keptWorst(tx: Tx, run: KeptRun, { isCall, outcome }: EndpointQuery): Promise<number | null> {
  const all = await keptOrder(tx, run, worstName({ isCall }), sql`${worstFirst(tx, run.id, { isCall })}`);
  const ofOutcome = { isCall, outcome };
  return all === null || outcome === undefined
    ? all
    : keptOrder(tx, run, worstName(ofOutcome), sql`${byPlace(tx, run, ofOutcome)}`);
}

const byPlace = (tx: Tx, run: KeptRun, f: EndpointQuery) =>
  some(tx, run.id, f)
    .innerJoin(keptPlaces(tx, run, worstName({ isCall: f.isCall })).as('o'), 'o.number', 'e.number')
    .select('e.number')
    .orderBy('o.place');

/** A page, and the number of all that are selected; null: the page is behind the last of them. */
export async function listWorstEndpoints(
  tx: Tx,
  run: KeptRun,
  f: EndpointQuery,
  w: PageWindow,
): Promise<{ readonly rows: EndpointRow[]; readonly total: number | null }> {
  const isOrdered = hasKeptOrder(f);
  const kept = await keptWorst(tx, run, isOrdered ? f : { isCall: f.isCall });
  if (kept !== null && isOrdered)
    return { rows: await listTheseNumbers(tx, run.id, await keptNumbers(tx, run, worstName(f), w)), total: kept };
  // Without places in the order only the rows of the page are sorted.
  const all = sql<number>`(count(*) over ())::int`.as('total');
  const selected = kept === null ? worstFirst(tx, run.id, f).select(all) : byPlace(tx, run, f).select(all);
  const { rows: found } = await sql<{ number: number; total: number }>`
    ${selected} limit ${w.limit} offset ${w.offset}`.execute(tx);
  const rows = await listTheseNumbers(
    tx,
    run.id,
    found.map(({ number }) => number),
  );
  return { rows, total: found[0]?.total ?? (w.offset === 0 ? 0 : null) };
}

export const listTheseEndpoints = async (tx: Tx, runId: string, ids: readonly string[]) =>
  ids.length === 0 ? [] : shown(tx, runId, (rows) => rows.where('e.id', 'in', ids)).execute();

/** Returns the endpoints in this order. */
export async function listTheseNumbers(tx: Tx, runId: string, numbers: readonly number[]): Promise<EndpointRow[]> {
  if (numbers.length === 0) return [];
  const rows = await shown(tx, runId, (all) => all.where('e.number', 'in', numbers)).execute();
  const found = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => found.get(number) ?? []);
}

export const findEndpoint = (tx: Tx, runId: string, id: string) =>
  shown(tx, runId, (rows) => rows.where('e.id', '=', id)).executeTakeFirst();
