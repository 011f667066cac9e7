/**
 * RTCP of every stream: reports on the schedule of rtcp-timer.ts, the far end's reports about us, and the round-trip
 * time, which a receive-only end learns from extended reports (RFC 3611, 4.4 and 4.5).
 */
import { beginsAsAgreed, decodeRtcp } from '@carillon/media/rtcp/decode.ts';
import { encodeBye, encodeCname, encodeReceiverReport, encodeSenderReport } from '@carillon/media/rtcp/encode.ts';
import { type ExtendedBlock, type ExtendedReport, encodeExtendedReport } from '@carillon/media/rtcp/extended-report.ts';
import { noteHearing } from '@carillon/media/rtcp/hearing.ts';
import { middleOf, ntpFraction, ntpMiddle, ntpSeconds } from '@carillon/media/rtcp/ntp.ts';
import type { ByePacket, ReceiverReport, ReportBlock, RtcpPacket, SenderReport } from '@carillon/media/rtcp/packets.ts';
import { noteSenderReport, takeReportBlock } from '@carillon/media/rtcp/report-block.ts';
import { roundTripMs, toDlsr } from '@carillon/media/rtcp/round-trip.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { DIRECTIONS, type MediaMemory } from '../figures/stream-memory.ts';
import { shortLivedCname } from './cname.ts';
import { RtcpTimer } from './rtcp-timer.ts';
import { noteVoipMetrics, voipMetrics } from './voip-metrics.ts';

/** SR with one block, SDES, XR with three blocks and BYE take 180 bytes; this area comes after the streams' packets. */
export const RTCP_BYTES = 256;

/** Interval of timer checks, small compared with a report interval of seconds. */
const TURN_MS = 10;

const SENDS = { BOTH: true, SEND: true, RECEIVE: false, NONE: false } as const;

const SESSION_COLUMNS = {
  lastReference: 'u32', // middle 32 bits of the peer's receiver reference time (RFC 3611, 4.4); 0: none
  lastReferenceAtMs: 'f64',
  lastReferenceSsrc: 'u32',
  packetsBefore: 'u32', // packets sent under an SSRC that was given up
  octetsBefore: 'f64',
} as const;

export type RtcpOptions = {
  readonly minimumMs: number;
  readonly random: () => number;
  /** The offset in `outgoing` at which RTCP_BYTES may be written. */
  readonly offset: number;
  readonly timestampAt: (row: number, atMs: number) => number;
  /** Whether a report of this source, with these blocks, belongs to another stream of the row's transport. */
  readonly isOthers: (row: number, ssrc: number, blocks: readonly ReportBlock[]) => boolean;
  /** Whether another of our streams uses that SSRC over the row's transport. */
  readonly isOwn: (row: number, ssrc: number) => boolean;
};

export class RtcpSessions {
  readonly #sockets: StreamSockets;
  readonly #memory: MediaMemory;
  readonly #options: RtcpOptions;
  readonly #columns;
  readonly #timer: RtcpTimer;
  readonly #active: number[] = [];
  readonly #socketOf: Int32Array;
  readonly #names: string[] = [];
  #turnAtMs = 0;
  /**
   * Unix time minus the agent's clock, read once: the NTP time of reports must advance evenly, but need not be correct
   * (6.4.1).
   */
  readonly #unixOffsetMs: number;

  constructor(sockets: StreamSockets, memory: MediaMemory, options: RtcpOptions) {
    this.#sockets = sockets;
    this.#memory = memory;
    this.#options = options;
    this.#timer = new RtcpTimer(memory, options.minimumMs, options.random);
    const bytes = columnsBytes(SESSION_COLUMNS, memory.capacity);
    this.#columns = mapColumns(SESSION_COLUMNS, memory.capacity, new ArrayBuffer(bytes));
    this.#socketOf = new Int32Array(memory.capacity);
    this.#unixOffsetMs = Date.now() - sockets.nowMs();
  }

  /** A new stream starts on the row. */
  begin(row: number, cname = shortLivedCname()): void {
    this.#names[row] = cname;
    this.#columns.lastReference[row] = 0;
    this.#columns.packetsBefore[row] = 0;
    this.#columns.octetsBefore[row] = 0;
    this.#timer.begin(row);
  }

  /** Starts to report, initially or again, over `socket`, which is connected. */
  start(row: number, socket: number, nowMs: number): void {
    this.#active.push(row);
    this.#socketOf[row] = socket;
    this.#timer.start(row, nowMs);
  }

  /** Stops reporting; false: it did not report. */
  pause(row: number): boolean {
    const at = this.#active.indexOf(row);
    if (at < 0) return false;
    const last = this.#active.pop()!;
    if (last !== row) this.#active[at] = last;
    return true;
  }

  /** Whether RTCP of the row is sent to its peer. */
  reports(row: number): boolean {
    return this.#active.includes(row);
  }

  /**
   * Writes to `offset` the required prefix of feedback between reports, unless reduced size was negotiated: an empty
   * receiver report and CNAME (RFC 4585, 3.1: the minimal compound; regular reports keep their schedule). Returns the
   * offset after it.
   */
  preface(row: number, offset: number): number {
    const { outgoing } = this.#sockets;
    const ssrc = this.#memory.streams.localSsrc[row]!;
    if (this.#memory.streams.reducedSize[row] === 1) return offset;
    return encodeCname(outgoing, encodeReceiverReport(outgoing, offset, ssrc, []), ssrc, this.#names[row]!);
  }

  /** Sends feedback in `outgoing` from `offset` to `end`, including the prefix. False: it could not be sent. */
  sendFeedback(row: number, offset: number, end: number): boolean {
    if (!this.#sockets.send(this.#socketOf[row]!, offset, end - offset)) return false;
    this.#timer.noteFeedback(row, end - offset);
    return true;
  }

  /** Sends BYE with a last report (6.6). */
  stop(row: number): void {
    if (this.pause(row)) this.#report(row, true);
  }

  /** Sends BYE for an SSRC that is given up; the counts of the next one start at zero (6.4.1). */
  leave(row: number): void {
    const { packetsSent, octetsSent } = this.#memory.streams;
    if (this.reports(row)) this.#report(row, true);
    this.#memory.streams.highestTold[row] = 0;
    this.#columns.packetsBefore[row] = packetsSent[row]!;
    this.#columns.octetsBefore[row] = octetsSent[row]!;
  }

  /** Sends the reports that are due. */
  turn(nowMs: number): void {
    if (nowMs < this.#turnAtMs) return;
    this.#turnAtMs = nowMs + TURN_MS;
    for (const row of this.#active) if (this.#timer.isDue(row, nowMs)) this.#report(row, false);
  }

  /** Reads a datagram of the peer: the first `length` bytes of `incoming`. False: it is not RTCP. */
  receive(row: number, length: number, atMs: number): boolean {
    const packets = decodeRtcp(this.#sockets.incoming, 0, length);
    if (!packets || !beginsAsAgreed(packets, this.#memory.streams.reducedSize[row] === 1)) return false;
    this.#timer.noteReceived(row, length, atMs);
    const isRegular = packets.every(({ kind }) => kind !== 'OTHER' && kind !== 'BYE');
    for (const packet of packets) {
      if (this.#isOthers(row, packet)) continue;
      if (packet.kind === 'SR' || packet.kind === 'RR') this.#noteHearing(row, packet, isRegular);
      this.#observe(row, packet, atMs);
    }
    return true;
  }

  #isOthers(row: number, packet: RtcpPacket): boolean {
    if (packet.kind === 'BYE') return packet.ssrcs.every((ssrc) => this.#options.isOthers(row, ssrc, []));
    return (packet.kind === 'SR' || packet.kind === 'RR') && this.#options.isOthers(row, packet.ssrc, packet.blocks);
  }

  #observe(row: number, packet: RtcpPacket, atMs: number): void {
    if (packet.kind === 'BYE' && this.#isOfPeer(row, packet)) {
      this.#memory.streams.byes[row]! += 1;
      this.#timer.noteBye(row, atMs);
    }
    if (packet.kind === 'XR') this.#observeExtended(row, packet, atMs);
    if (packet.kind !== 'SR' && packet.kind !== 'RR') return;
    for (const block of packet.blocks)
      if (block.ssrc === this.#memory.streams.localSsrc[row]) this.#observeBlock(row, block, atMs);
    if (packet.kind === 'SR') {
      const middle = middleOf(packet.ntpSeconds, packet.ntpFraction);
      noteSenderReport(this.#memory.received, row, packet.ssrc, middle, atMs);
    }
  }

  /** BYE is accepted only from the SSRC that we receive; a receive-only peer is identified by its address. */
  #isOfPeer(row: number, { ssrcs }: ByePacket): boolean {
    const { received } = this.#memory;
    return received.known[row] === 0 || ssrcs.includes(received.ssrc[row]!);
  }

  #noteHearing(row: number, report: SenderReport | ReceiverReport, isRegular: boolean): void {
    const c = this.#memory.streams;
    noteHearing(c, row, report, isRegular, {
      ssrc: c.localSsrc[row]!,
      packetsSent: c.packetsSent[row]!,
      sends: SENDS[DIRECTIONS[c.direction[row]!]!],
      isOwn: (ssrc) => this.#options.isOwn(row, ssrc),
    });
  }

  #observeBlock(row: number, block: ReportBlock, atMs: number): void {
    const c = this.#memory.streams;
    c.reports[row]! += 1;
    c.remoteFractionLost[row] = block.fractionLost;
    c.remoteLost[row] = block.cumulativeLost;
    c.remoteJitterMs[row] = block.jitter / this.#memory.received.unitsPerMs[row]!;
    this.#learnRoundTrip(row, atMs, block.lsr, block.dlsr);
  }

  #observeExtended(row: number, report: ExtendedReport, atMs: number): void {
    const ssrc = this.#memory.streams.localSsrc[row]!;
    for (const block of report.blocks) {
      if (block.kind === 'VOIP_METRICS') {
        if (block.ssrc === ssrc) noteVoipMetrics(this.#memory.streams, row, block);
      } else if (block.kind === 'DLRR') {
        for (const one of block.blocks) if (one.ssrc === ssrc) this.#learnRoundTrip(row, atMs, one.lrr, one.dlrr);
      } else {
        this.#columns.lastReference[row] = middleOf(block.ntpSeconds, block.ntpFraction);
        this.#columns.lastReferenceAtMs[row] = atMs;
        this.#columns.lastReferenceSsrc[row] = report.ssrc;
      }
    }
  }

  /** Computes the round trip from our stamp, and from how long the far end kept it. */
  #learnRoundTrip(row: number, atMs: number, stamp: number, kept: number): void {
    const rttMs = roundTripMs(ntpMiddle(atMs + this.#unixOffsetMs), stamp, kept);
    if (Number.isNaN(rttMs)) return;
    const c = this.#memory.streams;
    c.rttLastMs[row] = rttMs;
    c.rttSumMs[row]! += rttMs;
    c.rttCount[row]! += 1;
    if (rttMs > c.rttMaxMs[row]!) c.rttMaxMs[row] = rttMs;
  }

  #report(row: number, isBye: boolean): void {
    // The clock is read here, because earlier work of the turn would count as part of the round trip.
    const nowMs = this.#sockets.nowMs();
    const { outgoing } = this.#sockets;
    const { offset } = this.#options;
    const ssrc = this.#memory.streams.localSsrc[row]!;
    const block = takeReportBlock(this.#memory.received, row, nowMs);
    const blocks = block ? [block] : [];
    const weSent = this.#timer.weSent(row);
    let end = weSent ? this.#senderReport(row, nowMs, blocks) : encodeReceiverReport(outgoing, offset, ssrc, blocks);
    end = encodeCname(outgoing, end, ssrc, this.#names[row]!);
    const extended = this.#extendedBlocks(row, nowMs, weSent);
    if (extended.length > 0) end = encodeExtendedReport(outgoing, end, ssrc, extended);
    if (isBye) end = encodeBye(outgoing, end, ssrc);
    this.#sockets.send(this.#socketOf[row]!, offset, end - offset);
    this.#timer.noteSent(row, end - offset, nowMs);
  }

  /**
   * A receive-only end sends RRTR to learn the round-trip time; each received RRTR is answered with one DLRR (RFC 3611,
   * 4.4, 4.5).
   */
  #extendedBlocks(row: number, nowMs: number, weSent: boolean): ExtendedBlock[] {
    const { lastReference, lastReferenceAtMs, lastReferenceSsrc } = this.#columns;
    const blocks: ExtendedBlock[] = [];
    if (this.#memory.streams.extendedReports[row] === 0) return blocks;
    const metrics = voipMetrics(this.#memory, row);
    if (metrics) blocks.push(metrics);
    const unixMs = nowMs + this.#unixOffsetMs;
    if (!weSent)
      blocks.push({
        kind: 'RECEIVER_REFERENCE_TIME',
        ntpSeconds: ntpSeconds(unixMs),
        ntpFraction: ntpFraction(unixMs),
      });
    if (lastReference[row] !== 0) {
      const dlrr = toDlsr(nowMs - lastReferenceAtMs[row]!);
      blocks.push({ kind: 'DLRR', blocks: [{ ssrc: lastReferenceSsrc[row]!, lrr: lastReference[row]!, dlrr }] });
      lastReference[row] = 0;
    }
    return blocks;
  }

  #senderReport(row: number, nowMs: number, blocks: readonly ReportBlock[]): number {
    const c = this.#memory.streams;
    const unixMs = nowMs + this.#unixOffsetMs;
    return encodeSenderReport(this.#sockets.outgoing, this.#options.offset, {
      ssrc: c.localSsrc[row]!,
      ntpSeconds: ntpSeconds(unixMs),
      ntpFraction: ntpFraction(unixMs),
      rtpTimestamp: this.#options.timestampAt(row, nowMs),
      packets: c.packetsSent[row]! - this.#columns.packetsBefore[row]!,
      octets: (c.octetsSent[row]! - this.#columns.octetsBefore[row]!) % 0x1_0000_0000,
      blocks,
    });
  }
}
