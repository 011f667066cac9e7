/** SIP messages: an index row each, the text in compressed chunks by endpoint. */
import { sql } from 'kysely';
import type { MessageChunkFact } from '../domain/facts.ts';
import { booleans, numbers, texts } from './arrays.ts';
import type { Tx } from './db.ts';

export async function insertChunks(tx: Tx, runId: string, chunks: readonly MessageChunkFact[]): Promise<void> {
  await tx
    .insertInto('sip_chunks')
    .values(
      chunks.map((c) => ({
        run_id: runId,
        endpoint_number: c.endpoint,
        chunk: c.first,
        text: Buffer.from(c.text.buffer, c.text.byteOffset, c.text.length),
      })),
    )
    .onConflict((c) => c.doNothing())
    .execute();
  const all = <T>(pick: (c: MessageChunkFact) => readonly T[]) => chunks.flatMap((c) => pick(c));
  const offsets = chunks.flatMap((c) => {
    let at = 0;
    return c.length.map((length) => {
      at += length;
      return at - length;
    });
  });
  await sql`
    insert into sip_messages
      (run_id, endpoint_number, number, chunk, "offset", length, at, sent, method, status, retransmission, peer, call_id)
    select ${runId}::uuid, endpoint, number, chunk, start, length, to_timestamp(ms / 1000), sent, method, status, again,
      peer, call_id
    from unnest(
      ${numbers(chunks.flatMap((c) => c.length.map(() => c.endpoint)))}::int[],
      ${numbers(chunks.flatMap((c) => c.length.map((_, i) => c.first + i)))}::int[],
      ${numbers(chunks.flatMap((c) => c.length.map(() => c.first)))}::int[],
      ${numbers(offsets)}::int[], ${numbers(all((c) => c.length))}::int[], ${numbers(all((c) => c.unixMs))}::float8[],
      ${booleans(all((c) => c.sent))}::boolean[], ${texts(all((c) => c.method))}::text[],
      ${numbers(all((c) => c.status))}::smallint[], ${booleans(all((c) => c.retransmission))}::boolean[],
      ${texts(all((c) => c.peer))}::text[], ${texts(all((c) => c.callId))}::text[]
    ) as t (endpoint, number, chunk, start, length, ms, sent, method, status, again, peer, call_id)
    on conflict do nothing`.execute(tx);
}
