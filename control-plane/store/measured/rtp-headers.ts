/** Headers of RTP packets, stored in the groups in which they arrived. */
import { sql } from 'kysely';
import type { RtpHeaderFact } from '../../domain/run/facts.ts';
import { booleans, cleanText, numbers } from '../arrays.ts';
import type { Tx } from '../db.ts';

/** The kept packets of a run, for any input from its agents: this is the limit of one file. */
const MAX_KEPT = 500_000;

export async function insertRtpHeaders(tx: Tx, runId: string, facts: readonly RtpHeaderFact[]): Promise<void> {
  const filled = facts.filter(({ sent }) => sent.length > 0);
  if (filled.length === 0 || (await countRtpPackets(tx, runId, {})) >= MAX_KEPT) return;
  for (const f of filled) {
    const micros = f.unixMs.map((ms) => Math.round(ms * 1000));
    const began = micros.reduce((least, at) => Math.min(least, at));
    await sql`
      insert into rtp_headers (run_id, began_at, endpoint_number, stream, local_port, peer, local_address, packets, header,
        header_bytes, packet_bytes, sent, unix_micros)
      values (${runId}::uuid, to_timestamp(${began}::float8 / 1000000), ${f.endpoint}, ${f.stream}, ${f.localPort},
        ${cleanText(f.peer)}, ${f.localAddress}, ${f.sent.length},
        ${Buffer.from(f.header.buffer, f.header.byteOffset, f.header.length)}, ${numbers(f.headerBytes)}::smallint[],
        ${numbers(f.packetBytes)}::int[], ${booleans(f.sent)}::boolean[], ${numbers(micros)}::bigint[])
      on conflict do nothing`.execute(tx);
  }
}

export type RtpQuery = {
  readonly endpoints?: readonly number[] | undefined;
  readonly sent?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

const rows = (tx: Tx, runId: string, q: RtpQuery) =>
  tx
    .selectFrom('rtp_headers as h')
    .where('h.run_id', '=', runId)
    .$if(q.endpoints !== undefined, (s) => s.where('h.endpoint_number', 'in', [...(q.endpoints ?? [])]))
    .$if(q.to !== undefined, (s) => s.where('h.began_at', '<', q.to as Date));

export const countRtpPackets = async (tx: Tx, runId: string, q: RtpQuery): Promise<number> =>
  (await rows(tx, runId, q).select(sql<number>`coalesce(sum(h.packets), 0)::bigint`.as('n')).executeTakeFirstOrThrow())
    .n;

const STEP_ROWS = 200;

/** Yields groups in the order of their start. */
export async function* rtpHeaderRows(tx: Tx, runId: string, q: RtpQuery): AsyncGenerator<RtpHeaderRow> {
  for (let offset = 0; ; offset += STEP_ROWS) {
    const step = await stepOf(tx, runId, q, offset);
    yield* step;
    if (step.length < STEP_ROWS) return;
  }
}

const stepOf = (tx: Tx, runId: string, q: RtpQuery, offset: number) =>
  rows(tx, runId, q)
    .leftJoin('endpoints as e', (join) =>
      join.onRef('e.run_id', '=', 'h.run_id').onRef('e.number', '=', 'h.endpoint_number'),
    )
    .select([
      'e.worker_id as workerId',
      'h.local_address as localAddress',
      'h.local_port as localPort',
      'h.peer',
      'h.header',
      'h.header_bytes as headerBytes',
      'h.packet_bytes as packetBytes',
      'h.sent',
      sql<number[]>`h.unix_micros::float8[]`.as('unixMicros'),
      sql<number>`(extract(epoch from h.began_at) * 1000000)::bigint`.as('beganMicros'),
    ])
    .orderBy('h.began_at')
    .orderBy('h.endpoint_number')
    .orderBy('h.stream')
    .orderBy('h.local_port')
    .orderBy('h.peer')
    .limit(STEP_ROWS)
    .offset(offset)
    .execute();

export type RtpHeaderRow = Awaited<ReturnType<typeof stepOf>>[number];
