/**
 * SIP messages: an index row each, the text in compressed chunks of messages from any endpoints, as sent by agents. A
 * chunk is identified by the endpoint and number of its first message, which is in no other chunk: a repeated chunk
 * exists already, and each message's row names its chunk. So the messages of an endpoint are a range of the primary
 * key; a table of chunks by endpoint, or an index over arrays of endpoints, would be written for each chunk and hardly
 * read (README).
 */
import { sql } from 'kysely';
import type { MessageChunkFact } from '../../domain/run/facts.ts';
import { booleans, cleanText, numbers, texts } from '../arrays.ts';
import type { Tx } from '../db.ts';
import { type PageWindow, reading } from '../pages.ts';
import { counted } from '../run/views/run-counts.ts';

/** The start of each message after the previous ones. */
function startsOf(lengths: readonly number[]): number[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return at - length;
  });
}

/** Returns for each message whether it is the first of its endpoint and call in its chunk. */
function firstsOfCalls({ endpoint, callId }: MessageChunkFact): boolean[] {
  const callsOf = new Map<number, Set<string>>();
  return callId.map((call, i) => {
    const number = endpoint[i] as number;
    const calls = callsOf.get(number);
    if (calls === undefined) callsOf.set(number, new Set([call]));
    const isFirst = calls?.has(call) !== true;
    calls?.add(call);
    return isFirst;
  });
}

/** The input is at least one chunk, with at least one message each. */
export async function insertChunks(
  tx: Tx,
  runId: string,
  instanceId: string,
  chunks: readonly MessageChunkFact[],
): Promise<void> {
  const starts = startsOf(chunks.map(({ text }) => text.length));
  await sql`
    insert into sip_chunks (run_id, endpoint_number, chunk, text, local_address)
    select ${runId}::uuid, endpoint, chunk, substring(${Buffer.concat(chunks.map(({ text }) => text))}::bytea from start for length), address
    from unnest(
      ${numbers(chunks.map((c) => c.endpoint[0] as number))}::int[], ${numbers(chunks.map((c) => c.number[0] as number))}::int[],
      ${numbers(starts.map((start) => start + 1))}::int[], ${numbers(chunks.map(({ text }) => text.length))}::int[],
      ${texts(chunks.map((c) => c.localAddress))}::text[]
    ) as t (endpoint, chunk, start, length, address)
    on conflict do nothing`.execute(tx);
  const all = <T>(pick: (c: MessageChunkFact) => readonly T[]) => chunks.flatMap((c) => pick(c));
  const offsets = chunks.flatMap(({ length }) => startsOf(length));
  const firstOfCall = chunks.flatMap(firstsOfCalls);
  await sql`
    with written as (
      insert into sip_messages
        (run_id, endpoint_number, number, chunk_endpoint, chunk, "offset", length, at, sent, method, status,
         retransmission, peer, call_id, transport, local_port, first_of_call)
      select ${runId}::uuid, endpoint, number, chunk_endpoint, chunk, start, length, to_timestamp(ms / 1000), sent, method,
        status, again, peer, call_id, transport, nullif(local_port, 0), first_of_call
      from unnest(
        ${numbers(all((c) => c.endpoint))}::int[], ${numbers(all((c) => c.number))}::int[],
        ${numbers(all((c) => c.endpoint.map(() => c.endpoint[0] as number)))}::int[],
        ${numbers(all((c) => c.number.map(() => c.number[0] as number)))}::int[],
        ${numbers(offsets)}::int[], ${numbers(all((c) => c.length))}::int[], ${numbers(all((c) => c.unixMs))}::float8[],
        ${booleans(all((c) => c.sent))}::boolean[], ${texts(all((c) => c.method))}::text[],
        ${numbers(all((c) => c.status))}::smallint[], ${booleans(all((c) => c.retransmission))}::boolean[],
        ${texts(all((c) => c.peer))}::text[], ${texts(all((c) => c.callId))}::text[],
        ${texts(all((c) => c.transport))}::text[], ${numbers(all((c) => c.localPort))}::int[],
        ${booleans(firstOfCall)}::boolean[]
      ) as t (endpoint, number, chunk_endpoint, chunk, start, length, ms, sent, method, status, again, peer, call_id,
        transport, local_port, first_of_call)
      on conflict do nothing
      returning 1
    ) ${counted('messages', runId, instanceId)}`.execute(tx);
}

export type MessageQuery = {
  readonly endpoints?: readonly number[] | undefined;
  readonly callId?: string | undefined;
  readonly method?: string | undefined;
  /** The least and the greatest status. */
  readonly statuses?: readonly [number, number] | undefined;
  readonly sent?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/** An index on the start of a Call-ID finds them, once for each chunk with the call. */
const endpointsOfCall = (tx: Tx, runId: string, callId: string) =>
  tx
    .selectFrom('sip_messages as f')
    .where('f.run_id', '=', runId)
    .where(sql`left(f.call_id, 255)`, '=', sql`left(${callId}, 255)`)
    .where('f.first_of_call', '=', true)
    .where('f.call_id', '=', callId)
    .select('f.endpoint_number');

const messages = (tx: Tx, runId: string, f: MessageQuery) =>
  tx
    .selectFrom('sip_messages as m')
    .where('m.run_id', '=', runId)
    .$if(f.endpoints !== undefined, (q) => q.where('m.endpoint_number', 'in', [...(f.endpoints ?? [])]))
    .$if(f.callId !== undefined, (q) => {
      const callId = cleanText(f.callId as string);
      return q.where('m.call_id', '=', callId).where('m.endpoint_number', 'in', endpointsOfCall(tx, runId, callId));
    })
    .$if(f.method !== undefined, (q) => q.where('m.method', '=', cleanText(f.method as string)))
    .$if(f.statuses !== undefined, (q) => {
      const [least, greatest] = f.statuses as readonly [number, number];
      return q.where('m.status', '>=', least).where('m.status', '<=', greatest);
    })
    .$if(f.sent !== undefined, (q) => q.where('m.sent', '=', f.sent as boolean))
    .$if(f.from !== undefined, (q) => q.where('m.at', '>=', f.from as Date))
    .$if(f.to !== undefined, (q) => q.where('m.at', '<', f.to as Date));

/** Older rows do not name their chunk, which is the message's own. */
const chunkEndpoint = sql<number>`coalesce(k.chunk_endpoint, k.endpoint_number)`;

const columns = [
  'k.endpoint_number as endpoint',
  'k.number',
  'k.at',
  'k.sent',
  'k.method',
  'k.status',
  'k.retransmission',
  'k.peer',
  'k.call_id as callId',
  'k.transport',
  'k.local_port as localPort',
  chunkEndpoint.as('chunkEndpoint'),
  'k.chunk',
  'k.offset',
  'k.length',
  'e.id as endpointId',
] as const;

export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number];

export const listMessages = (tx: Tx, runId: string, f: MessageQuery, w: PageWindow) => {
  const direction = reading(w, 'asc');
  const keys = messages(tx, runId, f)
    .selectAll('m')
    .orderBy('m.at', direction)
    .orderBy('m.endpoint_number', direction)
    .orderBy('m.number', direction)
    .limit(w.limit)
    .offset(w.offset);
  return tx
    .selectFrom(keys.as('k'))
    .leftJoin('endpoints as e', (join) =>
      join.onRef('e.run_id', '=', 'k.run_id').onRef('e.number', '=', 'k.endpoint_number'),
    )
    .select([...columns])
    .orderBy('k.at')
    .orderBy('k.endpoint_number')
    .orderBy('k.number')
    .execute();
};

export const countMessages = async (tx: Tx, runId: string, f: MessageQuery): Promise<number> =>
  (await messages(tx, runId, f).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

/** The cursor of a search, which continues after this message. `at` is text because a Date has no microseconds. */
export type Cursor = { readonly at: string; readonly endpoint: number; readonly number: number };

/** The next messages in order of time. */
export const messagesAfter = (tx: Tx, runId: string, f: MessageQuery, after: Cursor, limit: number) => {
  const keys = messages(tx, runId, f)
    .where(
      sql<boolean>`(m.at, m.endpoint_number, m.number) > (${after.at}::timestamptz, ${after.endpoint}::int, ${after.number}::int)`,
    )
    .selectAll('m')
    .orderBy('m.at')
    .orderBy('m.endpoint_number')
    .orderBy('m.number')
    .limit(limit);
  return tx
    .selectFrom(keys.as('k'))
    .leftJoin('endpoints as e', (join) =>
      join.onRef('e.run_id', '=', 'k.run_id').onRef('e.number', '=', 'k.endpoint_number'),
    )
    .select([
      ...columns,
      'e.worker_id as workerId',
      sql<string>`k.at::text`.as('cursor'),
      sql<number>`(extract(epoch from k.at) * 1000000)::bigint`.as('unixMicros'),
    ])
    .orderBy('k.at')
    .orderBy('k.endpoint_number')
    .orderBy('k.number')
    .execute();
};

export type TimedMessageRow = Awaited<ReturnType<typeof messagesAfter>>[number];

export type ChunkKey = { readonly chunkEndpoint: number; readonly chunk: number };

export const chunksOf = (tx: Tx, runId: string, keys: readonly ChunkKey[]) =>
  tx
    .selectFrom('sip_chunks as c')
    .innerJoin(
      sql<{ endpoint: number; chunk: number }>`(
        select * from unnest(${numbers(keys.map((k) => k.chunkEndpoint))}::int[], ${numbers(keys.map((k) => k.chunk))}::int[])
          as t (endpoint, chunk))`.as('k'),
      (join) => join.onRef('c.endpoint_number', '=', 'k.endpoint').onRef('c.chunk', '=', 'k.chunk'),
    )
    .where('c.run_id', '=', runId)
    .select(['c.endpoint_number as chunkEndpoint', 'c.chunk', 'c.text', 'c.local_address as localAddress'])
    .execute();

export const findMessage = (tx: Tx, runId: string, endpoint: number, number: number) =>
  tx
    .selectFrom('sip_messages as k')
    .leftJoin('endpoints as e', (join) =>
      join.onRef('e.run_id', '=', 'k.run_id').onRef('e.number', '=', 'k.endpoint_number'),
    )
    .leftJoin('sip_chunks as c', (join) =>
      join
        .onRef('c.run_id', '=', 'k.run_id')
        .on('c.endpoint_number', '=', chunkEndpoint)
        .onRef('c.chunk', '=', 'k.chunk'),
    )
    .where('k.run_id', '=', runId)
    .where('k.endpoint_number', '=', endpoint)
    .where('k.number', '=', number)
    .select([...columns, 'c.text'])
    .executeTakeFirst();

/** The number of messages that one endpoint sent and received. */
export const messageCounts = (tx: Tx, runId: string, endpoint: number) =>
  messages(tx, runId, { endpoints: [endpoint] })
    .select([
      sql<number>`count(*)`.as('all'),
      sql<number>`count(*) filter (where sent)`.as('sent'),
      sql<number>`count(*) filter (where retransmission)`.as('retransmissions'),
    ])
    .executeTakeFirstOrThrow();
