/** Endpoints of a run as they are listed, and one of them in full. Their numbers are dense: 0, 1, 2 … in the order of the plan. */
import { sql } from 'kysely';
import type { EndpointType, Outcome } from '../contract/words.ts';
import { cleanText } from './arrays.ts';
import type { Tx } from './db.ts';
import { reading, type Window } from './pages.ts';

export type EndpointQuery = {
  readonly outcome?: Outcome | undefined;
  readonly type?: EndpointType | undefined;
  readonly workerId?: string | undefined;
  readonly cause?: string | undefined;
  readonly sipStatus?: number | undefined;
};

const shown = (tx: Tx, runId: string) =>
  tx
    .selectFrom('endpoints as e')
    .innerJoin('workers as w', 'w.id', 'e.worker_id')
    .leftJoin('registrars as r', 'r.id', 'e.registrar_id')
    .where('e.run_id', '=', runId)
    .selectAll('e')
    .select([
      'w.name as workerName',
      sql<boolean>`w.organization_id is null`.as('isPlatform'),
      'r.name as registrarName',
      'r.uri as registrarUri',
    ]);

export type EndpointRow = Awaited<ReturnType<typeof listEndpoints>>[number];

/** All of them: a page is a range of numbers, wherever it lies. */
export const listEndpoints = (tx: Tx, runId: string, { offset, limit }: Pick<Window, 'offset' | 'limit'>) =>
  shown(tx, runId)
    .where('e.number', '>=', offset)
    .where('e.number', '<', offset + limit)
    .orderBy('e.number')
    .execute();

/** From the last number, without reading the others. */
export const countEndpoints = async (tx: Tx, runId: string): Promise<number> =>
  (
    await tx
      .selectFrom('endpoints')
      .where('run_id', '=', runId)
      .select(sql<number>`coalesce(max(number) + 1, 0)`.as('n'))
      .executeTakeFirstOrThrow()
  ).n;

const some = (tx: Tx, runId: string, f: EndpointQuery) =>
  tx
    .selectFrom('endpoints as e')
    .where('e.run_id', '=', runId)
    .$if(f.outcome !== undefined, (q) => q.where('e.outcome', '=', f.outcome as Outcome))
    .$if(f.type !== undefined, (q) => q.where('e.endpoint_type', '=', f.type as EndpointType))
    .$if(f.workerId !== undefined, (q) => q.where('e.worker_id', '=', f.workerId as string))
    .$if(f.cause !== undefined, (q) => q.where('e.cause', '=', cleanText(f.cause as string)))
    .$if(f.sipStatus !== undefined, (q) => {
      const status = f.sipStatus as number;
      return q.where((eb) => eb.or([eb('e.cause_status', '=', status), eb('e.final_status', '=', status)]));
    });

export const countSomeEndpoints = async (tx: Tx, runId: string, f: EndpointQuery): Promise<number> =>
  (await some(tx, runId, f).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** Some of them by number. */
export const listSomeEndpoints = (tx: Tx, runId: string, f: EndpointQuery, w: Window) => {
  const keys = some(tx, runId, f)
    .select('e.number')
    .orderBy('e.number', reading(w, 'asc'))
    .limit(w.limit)
    .offset(w.offset);
  return shown(tx, runId).where('e.number', 'in', keys).orderBy('e.number').execute();
};

/** Failures first, then by the lowest MOS of their streams; what was not measured last. */
export const listWorstEndpoints = (tx: Tx, runId: string, f: EndpointQuery, w: Window) => {
  const lowest = tx
    .selectFrom('streams')
    .where('run_id', '=', runId)
    .groupBy('endpoint_number')
    .select(['endpoint_number', sql<number | null>`min(mos)`.as('mos')]);
  const keys = some(tx, runId, f)
    .leftJoin(lowest.as('s'), 's.endpoint_number', 'e.number')
    .select((eb) => [
      'e.number',
      eb.fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .orderBy(sql`coalesce(e.outcome <> 'SUCCESS', false)`, 'desc')
            .orderBy(sql`s.mos asc nulls last`)
            .orderBy('e.number'),
        )
        .as('place'),
    ])
    .orderBy('place')
    .limit(w.limit)
    .offset(w.offset);
  return shown(tx, runId).innerJoin(keys.as('k'), 'k.number', 'e.number').orderBy('k.place').execute();
};

export const findEndpoint = (tx: Tx, runId: string, id: string) =>
  shown(tx, runId).where('e.id', '=', id).executeTakeFirst();
