/** What happened in a run, in order. */
import { sql } from 'kysely';
import { numbers, texts } from './arrays.ts';
import type { Tx } from './db.ts';

export type EventColumns = {
  readonly unixMs: readonly number[];
  readonly endpoint: readonly number[];
  readonly kind: readonly string[];
  readonly detail: readonly string[];
};

export async function insertEvents(tx: Tx, runId: string, e: EventColumns): Promise<void> {
  await sql`
    insert into run_events (run_id, at, endpoint_number, kind, detail)
    select ${runId}::uuid, to_timestamp(ms / 1000), endpoint, kind, detail
    from unnest(${numbers(e.unixMs)}::float8[], ${numbers(e.endpoint)}::int[], ${texts(e.kind)}::text[],
      ${texts(e.detail)}::text[]) with ordinality as t (ms, endpoint, kind, detail, n)
    order by n`.execute(tx);
}
