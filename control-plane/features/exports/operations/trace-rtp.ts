/** Reads headers of RTP packets, one by one in order of time, from rows that overlap. */
import type { Tx } from '../../../store/db.ts';
import { type RtpHeaderRow, type RtpQuery, rtpHeaderRows } from '../../../store/measured/rtp-headers.ts';

export type RtpHeader = {
  readonly row: RtpHeaderRow;
  readonly sent: boolean;
  readonly unixMicros: number;
  readonly header: Buffer;
  readonly packetBytes: number;
};

/** Buffered items overlap in time, by a few seconds of the traced streams. */
export async function* rtpInOrderOfTime(tx: Tx, runId: string, query: RtpQuery): AsyncGenerator<RtpHeader> {
  let waiting: RtpHeader[] = [];
  for await (const row of rtpHeaderRows(tx, runId, query)) {
    const due = waiting.findIndex(({ unixMicros }) => unixMicros >= row.beganMicros);
    yield* waiting.splice(0, due < 0 ? waiting.length : due);
    waiting = [...waiting, ...headersOf(row, query)].sort((a, b) => a.unixMicros - b.unixMicros);
  }
  yield* waiting;
}

function headersOf(row: RtpHeaderRow, { sent, from, to }: RtpQuery): RtpHeader[] {
  let at = 0;
  const all = row.headerBytes.map((length, i) => {
    at += length;
    return {
      row,
      sent: row.sent[i] as boolean,
      unixMicros: row.unixMicros[i] as number,
      header: row.header.subarray(at - length, at),
      packetBytes: row.packetBytes[i] as number,
    };
  });
  const fromMicros = from === undefined ? Number.NEGATIVE_INFINITY : from.getTime() * 1000;
  const toMicros = to === undefined ? Number.POSITIVE_INFINITY : to.getTime() * 1000;
  return all.filter(
    (one) => (sent === undefined || one.sent === sent) && one.unixMicros >= fromMicros && one.unixMicros < toMicros,
  );
}
