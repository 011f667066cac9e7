/**
 * Cost of one received packet in `observePacket`, without sockets: 1,000 streams in turn, so that rows are as cold as
 * in a run. Standalone: node_modules/.bin/node scripts/bench/media/observe.ts
 */
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { emptyRtpPacket } from '@carillon/media/rtp/header.ts';
import { observePacket } from '@carillon/media/rtp/receive.ts';
import { beginReceiving, RECEIVE_COLUMNS } from '@carillon/media/rtp/receive-columns.ts';

const STREAMS = 1000;
const PACKETS = 2000;

export type ObserveBenchRow = { readonly pattern: string; readonly nsPerPacket: number };

/** CPU of this thread for one packet of each pattern, the lowest of five rounds. */
function benchObserve(): ObserveBenchRow[] {
  const patterns: readonly [string, jitterMs: number, lossEvery: number][] = [
    ['calm', 0, 0],
    ['jitter of 0 to 30 ms', 30, 0],
    ['jitter of 0 to 30 ms, every 50th lost', 30, 50],
  ];
  return patterns.map(([pattern, jitterMs, lossEvery]) => {
    const rounds = Array.from({ length: 5 }, () => measure(jitterMs, lossEvery));
    return { pattern, nsPerPacket: Math.round(Math.min(...rounds)) };
  });
}

function measure(jitterMs: number, lossEvery: number): number {
  const c = mapColumns(RECEIVE_COLUMNS, STREAMS, new SharedArrayBuffer(columnsBytes(RECEIVE_COLUMNS, STREAMS)));
  for (let row = 0; row < STREAMS; row++) beginReceiving(c, row, 0, 8000);
  const packet = { ...emptyRtpPacket(), payloadType: 0, payloadBytes: 160 };
  const noise = Float64Array.from({ length: 1024 }, () => Math.random() * jitterMs);
  let counted = 0;
  const before = process.cpuUsage();
  for (let n = 0; n < PACKETS; n++) {
    for (let row = 0; row < STREAMS; row++) {
      if (lossEvery > 0 && (n + row) % lossEvery === 0) continue;
      packet.sequence = (n + 65_000) & 0xffff;
      packet.timestamp = (n * 160 + 0xfffff000) >>> 0;
      packet.ssrc = row;
      counted += 1;
      observePacket(c, row, packet, 1000 + n * 20 + row / STREAMS + noise[(n * 7 + row) & 1023]!);
    }
  }
  const cpu = process.cpuUsage(before);
  return ((cpu.user + cpu.system) * 1000) / counted;
}

if (import.meta.main) console.table(benchObserve());
