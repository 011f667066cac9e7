/**
 * Random histories of streams, with loss, reordering, duplicates, pauses with and without marker, all sizes of packets and a change
 * of SSRC: our loss is tshark's, stream by stream. All of them are in one capture file. HISTORIES=2000 makes that many.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import { columnsBytes, mapColumns } from '../../../media/rtp/columns.ts';
import { emptyRtpPacket, parseRtp, patchRtpHeader, writeRtpHeader } from '../../../media/rtp/header.ts';
import { endReceiving, observePacket } from '../../../media/rtp/receive.ts';
import { beginReceiving, lostPackets, RECEIVE_COLUMNS } from '../../../media/rtp/receive-columns.ts';
import { openRecording } from '../../peers/referees/tshark.ts';
import { seeded } from '../../peers/seeded.ts';

const HISTORIES = Number(process.env['HISTORIES'] ?? 200);
const FIRST_PORT = 20_000;
const START_MS = 1_790_000_000_000;
/** tshark takes the first and the last packet that came for the first and the last number: some are left in order. */
const IN_ORDER = 4;

type Sent = { readonly atMs: number; readonly bytes: Uint8Array };

const random = seeded(77);
const upTo = (n: number): number => Math.floor(random() * n);
const oneOf = <T>(list: readonly T[]): T => list[upTo(list.length)]!;

/** A stream as it arrives, with one SSRC or two after each other. */
function history(n: number): Sent[] {
  const lossShare = oneOf([0, 0, 0.01, 0.1, 0.5]);
  const [late, twice, pauses] = [oneOf([0, 0.05]), oneOf([0, 0.03]), oneOf([0, 0.02])];
  const packetMs = oneOf([10, 20, 20, 30, 60]);
  const arrived: Sent[] = [];
  let [sequence, timestamp, atMs] = [upTo(65_536), upTo(2 ** 32), 0];
  for (const ssrc of oneOf([[1], [1], [1, 2]])) {
    const packets = 50 + upTo(200);
    let lostFor = 0;
    let marker = false;
    for (let i = 0; i < packets; i++, sequence++, timestamp += packetMs * 8, atMs += packetMs) {
      const isSafe = i < IN_ORDER || i >= packets - IN_ORDER;
      if (!isSafe && random() < pauses) {
        const ms = packetMs * (1 + upTo(200));
        [atMs, timestamp, marker] = [atMs + ms, timestamp + ms * 8, random() < 0.5];
      }
      if (lostFor === 0 && random() < lossShare) lostFor = 1 + upTo(8);
      if (!isSafe && lostFor > 0) {
        lostFor--;
        continue;
      }
      const bytes = new Uint8Array(12 + packetMs * 8);
      writeRtpHeader(bytes, 0, 0, 0x1000_0000 + 16 * n + ssrc);
      patchRtpHeader(bytes, 0, sequence, timestamp);
      if (marker) bytes[1]! |= 0x80;
      marker = false;
      const delayMs = !isSafe && random() < late ? packetMs * (1.5 + upTo(3)) : 0;
      arrived.push({ atMs: atMs + delayMs, bytes });
      if (!isSafe && random() < twice) arrived.push({ atMs: atMs + delayMs + 1, bytes });
    }
  }
  return arrived.sort((a, b) => a.atMs - b.atMs);
}

/** What we count. */
function counted(arrived: readonly Sent[]) {
  const c = mapColumns(RECEIVE_COLUMNS, 1, new ArrayBuffer(columnsBytes(RECEIVE_COLUMNS, 1)));
  beginReceiving(c, 0, 0, 8000);
  const packet = emptyRtpPacket();
  for (const { atMs, bytes } of arrived)
    if (parseRtp(bytes, 0, bytes.length, packet)) observePacket(c, 0, packet, 1000 + atMs);
  endReceiving(c, 0, 0);
  return { packets: c.packets[0]!, lost: lostPackets(c, 0), duplicates: c.duplicates[0]! };
}

/** A file of libpcap with IPv4 packets (LINKTYPE_RAW), cut after the RTP header. */
function capture(streams: readonly (readonly Sent[])[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(101, 20);
  const all = streams.flatMap((arrived, n) => arrived.map((one) => ({ ...one, port: FIRST_PORT + 2 * n })));
  const records = all
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, bytes, port }) => {
      const record = Buffer.alloc(16 + 28 + 12);
      const us = Math.round((START_MS + atMs) * 1000);
      record.writeUInt32LE(Math.floor(us / 1e6), 0);
      record.writeUInt32LE(us % 1e6, 4);
      record.writeUInt32LE(28 + 12, 8);
      record.writeUInt32LE(28 + bytes.length, 12);
      record.writeUInt8(0x45, 16);
      record.writeUInt16BE(28 + bytes.length, 18);
      record.writeUInt8(64, 24);
      record.writeUInt8(17, 25);
      record.writeUInt32BE(0x0a000002, 28);
      record.writeUInt32BE(0x0a000001, 32);
      record.writeUInt16BE(port, 36);
      record.writeUInt16BE(port, 38);
      record.writeUInt16BE(8 + bytes.length, 40);
      record.set(bytes.subarray(0, 12), 44);
      return record;
    });
  return Buffer.concat([head, ...records]);
}

t.test('loss by number is that of tshark', async (t) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'carillon-histories-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = path.join(dir, 'histories.pcap');
  const streams = Array.from({ length: HISTORIES }, (_, n) => history(n));
  await writeFile(file, capture(streams));
  const ports = streams.flatMap((_, n) => ['-d', `udp.port==${FIRST_PORT + 2 * n},rtp`]);
  const seen = await openRecording(file, ports, async () => undefined).rtpStreams();
  let lost = 0;
  for (const [n, arrived] of streams.entries()) {
    const ours = counted(arrived);
    const theirs = seen.filter(({ to }) => to === `10.0.0.1:${FIRST_PORT + 2 * n}`);
    const sum = (pick: (one: (typeof theirs)[0]) => number): number => theirs.reduce((all, one) => all + pick(one), 0);
    // Duplicates count as received in RFC 3550, A.3, and hide as many losses.
    t.same(
      { packets: ours.packets, lost: ours.lost - ours.duplicates },
      { packets: sum((one) => one.packets), lost: sum((one) => one.lost) },
      `history ${n}`,
    );
    lost += ours.lost;
  }
  t.ok(lost > HISTORIES, `${lost} packets were lost`);
});
