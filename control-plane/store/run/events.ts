/** The events of a run, in order of time. */
import { sql } from 'kysely';
import type { EventKind } from '../../contract/run/words.ts';
import { cleanText, numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { type PageWindow, reading } from '../pages.ts';
import { counted, OF_THE_RUN } from './views/run-counts.ts';

export type EventColumns = {
  readonly unixMs: readonly number[];
  readonly endpoint: readonly number[];
  readonly kind: readonly EventKind[];
  readonly detail: readonly string[];
};

/** `instanceId`: the instance whose agent reports them, or OF_THE_RUN. */
export async function insertEvents(tx: Tx, runId: string, instanceId: string, e: EventColumns): Promise<void> {
  await sql`
    with written as (
      insert into run_events (run_id, at, endpoint_number, kind, detail)
      select ${runId}::uuid, to_timestamp(ms / 1000), endpoint, kind, detail
      from unnest(${numbers(e.unixMs)}::float8[], ${numbers(e.endpoint)}::int[], ${texts(e.kind)}::text[],
        ${texts(e.detail)}::text[]) with ordinality as t (ms, endpoint, kind, detail, n)
      order by n
      returning 1
    ) ${counted('events', runId, instanceId)}`.execute(tx);
}

/** Inserts an event of a worker's instance; `words` follow the worker's name. */
export const insertWorkerEvent = (
  tx: Tx,
  { runId, workerId }: { readonly runId: string; readonly workerId: string },
  at: Date,
  words: string,
): Promise<unknown> =>
  sql`
  with written as (
    insert into run_events (run_id, at, kind, detail)
    select ${runId}::uuid, ${at}::timestamptz, 'WORKER', name || ' ' || ${cleanText(words)}::text
    from workers where id = ${workerId}::uuid
    returning 1
  ) ${counted('events', runId, OF_THE_RUN)}`.execute(tx);

export type EventQuery = {
  readonly endpoint?: number | undefined;
  readonly kind?: EventKind | undefined;
  readonly text?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

const events = (tx: Tx, runId: string, f: EventQuery) =>
  tx
    .selectFrom('run_events as v')
    .where('v.run_id', '=', runId)
    .$if(f.endpoint !== undefined, (q) => q.where('v.endpoint_number', '=', f.endpoint as number))
    .$if(f.kind !== undefined, (q) => q.where('v.kind', '=', f.kind as EventKind))
    .$if(f.text !== undefined, (q) =>
      q.where(sql<boolean>`strpos(lower(v.detail), lower(${cleanText(f.text as string)})) > 0`),
    )
    .$if(f.from !== undefined, (q) => q.where('v.at', '>=', f.from as Date))
    .$if(f.to !== undefined, (q) => q.where('v.at', '<', f.to as Date));

export const listEvents = (tx: Tx, runId: string, f: EventQuery, w: PageWindow) => {
  const keys = events(tx, runId, f)
    .selectAll('v')
    .orderBy('v.at', reading(w, 'asc'))
    .orderBy('v.seq', reading(w, 'asc'))
    .limit(w.limit)
    .offset(w.offset);
  return tx
    .selectFrom(keys.as('k'))
    .leftJoin('endpoints as e', (join) =>
      join.onRef('e.run_id', '=', 'k.run_id').onRef('e.number', '=', 'k.endpoint_number'),
    )
    .select(['k.seq', 'k.at', 'k.kind', 'k.detail', 'e.id as endpointId'])
    .orderBy('k.at')
    .orderBy('k.seq')
    .execute();
};

export const countEvents = async (tx: Tx, runId: string, f: EventQuery): Promise<number> =>
  (await events(tx, runId, f).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** The first events of the run itself of these kinds. */
export const eventsOfRun = <const K extends EventKind>(tx: Tx, runId: string, kinds: readonly K[], limit: number) =>
  tx
    .selectFrom('run_events')
    .where('run_id', '=', runId)
    .where('endpoint_number', 'is', null)
    .where('kind', 'in', kinds)
    .select(['at', sql<K>`kind`.as('kind'), 'detail'])
    .orderBy('at')
    .orderBy('seq')
    .limit(limit)
    .execute();
