/**
 * RTCP of every stream: reports at the intervals of RFC 3550, 6.3, what the far end reports about us, the round trip. A call has two
 * members, so that timer reconsideration (6.3.3), which tames crowds that join at once, has nothing to do.
 */
import { randomBytes } from 'node:crypto';
import { decodeRtcp } from '@carillon/media/rtcp/decode.ts';
import { encodeCname, encodeGoodbye, encodeReceiverReport, encodeSenderReport } from '@carillon/media/rtcp/encode.ts';
import { averageRtcpBytes, reportIntervalMs } from '@carillon/media/rtcp/interval.ts';
import { middleOf, ntpFraction, ntpMiddle, ntpSeconds } from '@carillon/media/rtcp/ntp.ts';
import type { ReportBlock, RtcpPacket } from '@carillon/media/rtcp/packets.ts';
import { noteSenderReport, takeReportBlock } from '@carillon/media/rtcp/report-block.ts';
import { roundTripMs } from '@carillon/media/rtcp/round-trip.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { RTP_HEADER_BYTES } from '@carillon/media/rtp/header.ts';
import type { StreamSockets } from '../net/stream-sockets.ts';
import type { MediaMemory } from './stream-memory.ts';

/** SR with one block, SDES and BYE take 108 bytes; sent from here, behind the streams' packets. */
export const RTCP_BYTES = 256;

/** Timers are looked at this often, which costs a report interval of seconds nothing. */
const TURN_MS = 10;

/** IPv4 and UDP headers count as bandwidth (RFC 3550, 6.2). */
const IP_UDP_BYTES = 28;
const BANDWIDTH_SHARE = 0.05;
/** The first guess at a compound packet's size, as in A.7. */
const FIRST_AVERAGE_BYTES = 120;

const SESSION_COLUMNS = {
  nextAtMs: 'f64',
  averageBytes: 'f64',
  initial: 'u8',
  heard: 'u8',
  sentBefore: 'u32', // packets at our last report
  sentBeforeThat: 'u32',
} as const;

export type RtcpOptions = {
  readonly minimumMs: number;
  readonly random: () => number;
  /** Where in `outgoing` RTCP_BYTES may be written. */
  readonly offset: number;
  readonly timestampAt: (row: number, atMs: number) => number;
};

export class RtcpSessions {
  private readonly sockets: StreamSockets;
  private readonly memory: MediaMemory;
  private readonly options: RtcpOptions;
  private readonly columns;
  private readonly active: number[] = [];
  private readonly socketOf: Int32Array;
  private readonly names: string[] = [];
  private turnAtMs = 0;
  /** Unix time less the agent's, taken once: the NTP time of reports must run evenly, it need not be right (6.4.1). */
  private readonly unixOffsetMs: number;

  constructor(sockets: StreamSockets, memory: MediaMemory, options: RtcpOptions) {
    this.sockets = sockets;
    this.memory = memory;
    this.options = options;
    const bytes = columnsBytes(SESSION_COLUMNS, memory.capacity);
    this.columns = mapColumns(SESSION_COLUMNS, memory.capacity, new ArrayBuffer(bytes));
    this.socketOf = new Int32Array(memory.capacity);
    this.unixOffsetMs = Date.now() - sockets.nowMs();
  }

  /** A new stream on the row. */
  begin(row: number): void {
    const c = this.columns;
    // Random and short-lived, as privacy wants it (RFC 7022, 4.2).
    this.names[row] = randomBytes(12).toString('base64');
    c.averageBytes[row] = FIRST_AVERAGE_BYTES;
    c.initial[row] = 1;
    c.heard[row] = 0;
    c.sentBefore[row] = 0;
    c.sentBeforeThat[row] = 0;
  }

  /** Begins to report, at first or again, over `socket`, which is aimed. */
  start(row: number, socket: number, nowMs: number): void {
    this.active.push(row);
    this.socketOf[row] = socket;
    this.columns.nextAtMs[row] = nowMs + this.intervalMs(row);
  }

  /** Reports no more; false: it did not. */
  pause(row: number): boolean {
    const at = this.active.indexOf(row);
    if (at < 0) return false;
    const last = this.active.pop()!;
    if (last !== row) this.active[at] = last;
    return true;
  }

  /** Says goodbye with a last report (6.6). */
  stop(row: number): void {
    if (this.pause(row)) this.report(row, true);
  }

  /** Sends the reports that are due. */
  turn(nowMs: number): void {
    if (nowMs < this.turnAtMs) return;
    this.turnAtMs = nowMs + TURN_MS;
    const { nextAtMs, initial } = this.columns;
    for (const row of this.active) {
      if (nowMs < nextAtMs[row]!) continue;
      this.report(row, false);
      initial[row] = 0;
      nextAtMs[row] = nowMs + this.intervalMs(row);
    }
  }

  /** Reads a datagram of the peer: the first `length` bytes of `incoming`. False: it is no RTCP. */
  receive(row: number, length: number, atMs: number): boolean {
    const packets = decodeRtcp(this.sockets.incoming, 0, length);
    if (!packets) return false;
    this.columns.heard[row] = 1;
    this.columns.averageBytes[row] = averageRtcpBytes(this.columns.averageBytes[row]!, length + IP_UDP_BYTES);
    for (const packet of packets) this.observe(row, packet, atMs);
    return true;
  }

  private observe(row: number, packet: RtcpPacket, atMs: number): void {
    if (packet.kind === 'BYE') this.memory.streams.goodbyes[row]! += 1;
    if (packet.kind !== 'SR' && packet.kind !== 'RR') return;
    for (const block of packet.blocks)
      if (block.ssrc === this.memory.streams.localSsrc[row]) this.observeBlock(row, block, atMs);
    if (packet.kind === 'SR') {
      const middle = middleOf(packet.ntpSeconds, packet.ntpFraction);
      noteSenderReport(this.memory.received, row, packet.ssrc, middle, atMs);
    }
  }

  private observeBlock(row: number, block: ReportBlock, atMs: number): void {
    const c = this.memory.streams;
    c.reports[row]! += 1;
    c.remoteFractionLost[row] = block.fractionLost;
    c.remoteLost[row] = block.cumulativeLost;
    c.remoteJitter[row] = block.jitter;
    const rttMs = roundTripMs(ntpMiddle(atMs + this.unixOffsetMs), block.lsr, block.dlsr);
    if (Number.isNaN(rttMs)) return;
    c.rttLastMs[row] = rttMs;
    c.rttSumMs[row]! += rttMs;
    c.rttCount[row]! += 1;
    if (rttMs > c.rttMaxMs[row]!) c.rttMaxMs[row] = rttMs;
  }

  private report(row: number, goodbye: boolean): void {
    // Read here: what a turn did before would be part of the round trip.
    const nowMs = this.sockets.nowMs();
    const { outgoing } = this.sockets;
    const { offset } = this.options;
    const ssrc = this.memory.streams.localSsrc[row]!;
    const block = takeReportBlock(this.memory.received, row, nowMs);
    const blocks = block ? [block] : [];
    let end = this.weSent(row)
      ? this.senderReport(row, nowMs, blocks)
      : encodeReceiverReport(outgoing, offset, ssrc, blocks);
    end = encodeCname(outgoing, end, ssrc, this.names[row]!);
    if (goodbye) end = encodeGoodbye(outgoing, end, ssrc);
    this.sockets.send(this.socketOf[row]!, offset, end - offset);
    const c = this.columns;
    c.averageBytes[row] = averageRtcpBytes(c.averageBytes[row]!, end - offset + IP_UDP_BYTES);
    c.sentBeforeThat[row] = c.sentBefore[row]!;
    c.sentBefore[row] = this.memory.streams.packetsSent[row]!;
  }

  private senderReport(row: number, nowMs: number, blocks: readonly ReportBlock[]): number {
    const c = this.memory.streams;
    const unixMs = nowMs + this.unixOffsetMs;
    return encodeSenderReport(this.sockets.outgoing, this.options.offset, {
      ssrc: c.localSsrc[row]!,
      ntpSeconds: ntpSeconds(unixMs),
      ntpFraction: ntpFraction(unixMs),
      rtpTimestamp: this.options.timestampAt(row, nowMs),
      packets: c.packetsSent[row]!,
      octets: c.octetsSent[row]! % 0x1_0000_0000,
      blocks,
    });
  }

  /** A sender is who has sent since the report before the last (6.4). */
  private weSent(row: number): boolean {
    return this.memory.streams.packetsSent[row]! > this.columns.sentBeforeThat[row]!;
  }

  private intervalMs(row: number): number {
    const c = this.columns;
    const streams = this.memory.streams;
    const weSent = this.weSent(row);
    const theySent = this.memory.received.known[row] === 1;
    const packetBytes = RTP_HEADER_BYTES + IP_UDP_BYTES + streams.packetMs[row]! * 8;
    const session = {
      members: c.heard[row] === 1 || theySent ? 2 : 1,
      senders: (weSent ? 1 : 0) + (theySent ? 1 : 0),
      weSent,
      averageBytes: c.averageBytes[row]!,
      rtcpBytesPerSecond: (packetBytes / streams.packetMs[row]!) * 1000 * BANDWIDTH_SHARE,
      initial: c.initial[row] === 1,
      minimumMs: this.options.minimumMs,
    };
    return reportIntervalMs(session, this.options.random());
  }
}
