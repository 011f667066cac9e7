/**
 * The other end of the media benchmark, as a separate process: sends a stream to every given port, records the instant
 * of each packet, and the kernel's receive time of everything that comes back.
 */

import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import {
  emptyRtpPacket,
  isRtcp,
  parseRtp,
  patchRtpHeader,
  RTP_HEADER_BYTES,
  writeRtpHeader,
} from '@carillon/media/rtp/header.ts';
import { observePacket } from '@carillon/media/rtp/receive.ts';
import {
  beginReceiving,
  lostPackets,
  RECEIVE_COLUMNS,
  type ReceiveColumns,
} from '@carillon/media/rtp/receive-columns.ts';
import { SrtpReceiver, SrtpSender } from '@carillon/media/srtp/context.ts';
import { MASTER_KEY_BYTES, masterKeyOfText, type SrtpSuite, SUITES } from '@carillon/media/srtp/suites.ts';
import { chooseSrtpCiphers } from '../../../agent/net/ciphers/srtp-ciphers-open.ts';
import { becomeRealtime } from '../../../agent/net/pacing.ts';
import { INCOMING_BYTES } from '../../../agent/net/streams/stream-sockets.ts';
import { openStreamSockets } from '../../../agent/net/streams/stream-sockets-open.ts';

export type PeerOrder = {
  readonly remotePorts: readonly number[];
  readonly firstPort: number;
  readonly seconds: number;
  /** The same as on the other side: otherwise a normal thread's lateness would be measured beside a real-time thread. */
  readonly realtime: boolean;
  /** Both ways under `benchKey`. */
  readonly suite?: SrtpSuite;
};

/** Base64, the same for all: the cost does not depend on it. */
export const benchKey = (suite: SrtpSuite): string =>
  Buffer.alloc(MASTER_KEY_BYTES + SUITES[suite].saltBytes, 7).toString('base64');

/** By stream. Jitter in ms, the mean of J of RFC 3550 over all packets. */
export type PeerReport = {
  /** Of the instants at which we sent. */
  readonly sentJitterMs: readonly number[];
  /** Departures of the other side's packets, as seen by the kernel. */
  readonly receivedJitterMs: readonly number[];
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly lost: number;
};

const HOST = '127.0.0.1';
const PACKET_BYTES = 256;
const RTP_BYTES = 172;
const PACKET_MS = 20;
const STEP = 160;

const meanJitterMs = (c: ReceiveColumns, row: number): number => c.jitterSum[row]! / c.jitterCount[row]! / 8;

function measure({ remotePorts, firstPort, seconds, realtime, suite }: PeerOrder, bound: () => void): PeerReport {
  const streams = remotePorts.length;
  const rows = Array.from({ length: streams }, (_, row) => row);
  const columns = (): ReceiveColumns =>
    mapColumns(RECEIVE_COLUMNS, streams, new ArrayBuffer(columnsBytes(RECEIVE_COLUMNS, streams)));
  const [sent, received] = [columns(), columns()];
  const packet = emptyRtpPacket();
  /** Where the ciphers work. */
  const opening = new Uint8Array(INCOMING_BYTES);
  const { sockets, pacing, libc } = openStreamSockets('ffi', {
    capacity: streams,
    outgoingBytes: streams * PACKET_BYTES,
    events: {
      onDatagram(socket, arrived, atMs) {
        if (isRtcp(sockets.incoming, 0)) return;
        const bytes = suite ? opening : sockets.incoming;
        if (suite) opening.set(sockets.incoming.subarray(0, arrived));
        const length = receivers[socket]?.openRtp(0, arrived) ?? arrived;
        if (length > 0 && parseRtp(bytes, 0, length, packet)) observePacket(received, socket, packet, atMs);
      },
      onUnreachable: () => undefined,
      onDropped: () => undefined,
    },
  });
  const ciphers = chooseSrtpCiphers('auto');
  const master = suite && masterKeyOfText(suite, benchKey(suite));
  const [seal, open] = [ciphers.over(sockets.outgoing), ciphers.over(opening)];
  const senders = master ? rows.map(() => new SrtpSender(seal, master)) : [];
  const receivers = master ? rows.map(() => new SrtpReceiver(open, master)) : [];
  const payload = sockets.outgoing.slice(0, RTP_BYTES - RTP_HEADER_BYTES);
  for (const row of rows) {
    beginReceiving(sent, row, 0, 8000);
    beginReceiving(received, row, 0, 8000);
    sockets.open(row, HOST, firstPort + 2 * row, (failure) => {
      if (failure !== null) throw new Error(`port ${firstPort + 2 * row}: ${failure}`);
    });
    sockets.aim(row, HOST, remotePorts[row]!);
    sockets.listen(row);
    sockets.confirm(row);
    writeRtpHeader(sockets.outgoing, row * PACKET_BYTES, 0, 0, 0, row + 1);
  }
  if (libc && realtime) becomeRealtime(libc);
  bound();
  const originMs = Math.ceil(sockets.nowMs()) + 20;
  let packetsSent = 0;
  for (let tick = 0; tick < seconds * 1000; tick++) {
    pacing!.sleepUntilMs(originMs + tick);
    const n = Math.floor(tick / PACKET_MS);
    for (let row = tick % PACKET_MS; row < streams; row += PACKET_MS) {
      const offset = row * PACKET_BYTES;
      patchRtpHeader(sockets.outgoing, offset, n, n * STEP);
      parseRtp(sockets.outgoing, offset, RTP_BYTES, packet);
      observePacket(sent, row, packet, sockets.nowMs());
      if (suite) sockets.outgoing.set(payload, offset + RTP_HEADER_BYTES);
      if (sockets.send(row, offset, senders[row]?.protectRtp(offset, RTP_BYTES) ?? RTP_BYTES)) packetsSent += 1;
    }
    sockets.receive(originMs + tick + 1);
  }
  return {
    sentJitterMs: rows.map((row) => meanJitterMs(sent, row)),
    receivedJitterMs: rows.map((row) => meanJitterMs(received, row)),
    packetsSent,
    packetsReceived: rows.reduce((sum, row) => sum + received.packets[row]!, 0),
    lost: rows.reduce((sum, row) => sum + lostPackets(received, row), 0),
  };
}

if (process.send) {
  process.once('message', (order: PeerOrder) => {
    const report = measure(order, () => process.send!('bound'));
    process.send!(report, () => process.disconnect());
  });
}
