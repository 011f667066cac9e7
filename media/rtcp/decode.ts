/** Parses data from an RTCP port, with the validity checks of RFC 3550, A.2. Never throws. */
import { readWord } from '../network-order.ts';
import { decodeExtendedReport, EXTENDED_REPORT } from './extended-report.ts';
import {
  BYE_PACKET,
  RECEIVER_REPORT,
  type ReportBlock,
  type RtcpPacket,
  SDES_CNAME,
  SENDER_REPORT,
  SOURCE_DESCRIPTION,
} from './packets.ts';

const utf8 = new TextDecoder();

/**
 * The packets of a compound of `length` bytes at `offset`; null if it is not RTCP: wrong version, inconsistent lengths,
 * padding before the last packet. A compound may consist of feedback only (RFC 5506); unknown types are skipped.
 */
export function decodeRtcp(bytes: Uint8Array, offset: number, length: number): RtcpPacket[] | null {
  const end = offset + length;
  if (length < 4 || length % 4 !== 0 || end > bytes.length) return null;
  const packets: RtcpPacket[] = [];
  for (let at = offset; at < end; ) {
    const first = bytes[at]!;
    const packetEnd = at + (((bytes[at + 2]! << 8) | bytes[at + 3]!) + 1) * 4;
    if (first >> 6 !== 2 || packetEnd > end) return null;
    const padded = (first & 0x20) !== 0;
    if (padded && packetEnd !== end) return null;
    const padding = padded ? bytes[packetEnd - 1]! : 0;
    if (padded && (padding === 0 || padding > packetEnd - at - 4)) return null;
    const packet = decodeOne(bytes, at, packetEnd - padding, first & 0x1f, bytes[at + 1]!);
    if (!packet) return null;
    packets.push(packet);
    at = packetEnd;
  }
  return packets;
}

/**
 * Whether a compound starts correctly: with SR or RR (RFC 3550, A.2), with feedback, or with any packet if both ends
 * agreed on reduced size (RFC 5506, 3.4.2). Feedback without a report is accepted from every peer.
 */
export function beginsAsAgreed(packets: readonly RtcpPacket[], reducedSize: boolean): boolean {
  const first = packets[0];
  if (!first) return false;
  if (reducedSize) return true;
  return first.kind === 'OTHER' ? first.packetType !== APPLICATION : !SENT_BEHIND_REPORTS.has(first.kind);
}

const APPLICATION = 204;
const SENT_BEHIND_REPORTS = new Set<RtcpPacket['kind']>(['SDES', 'BYE', 'XR']);

function decodeOne(bytes: Uint8Array, at: number, end: number, count: number, packetType: number): RtcpPacket | null {
  if (packetType < 192 || packetType > 223) return null;
  if (packetType === SENDER_REPORT) {
    if (at + 28 + count * 24 > end) return null;
    return {
      kind: 'SR',
      ssrc: readWord(bytes, at + 4),
      ntpSeconds: readWord(bytes, at + 8),
      ntpFraction: readWord(bytes, at + 12),
      rtpTimestamp: readWord(bytes, at + 16),
      packets: readWord(bytes, at + 20),
      octets: readWord(bytes, at + 24),
      blocks: decodeBlocks(bytes, at + 28, count),
    };
  }
  if (packetType === RECEIVER_REPORT) {
    if (at + 8 + count * 24 > end) return null;
    return { kind: 'RR', ssrc: readWord(bytes, at + 4), blocks: decodeBlocks(bytes, at + 8, count) };
  }
  if (packetType === SOURCE_DESCRIPTION) return decodeDescription(bytes, at + 4, end, count);
  if (packetType === BYE_PACKET) return decodeBye(bytes, at + 4, end, count);
  if (packetType === EXTENDED_REPORT) return decodeExtendedReport(bytes, at + 4, end);
  return { kind: 'OTHER', packetType };
}

function decodeBlocks(bytes: Uint8Array, from: number, count: number): ReportBlock[] {
  const blocks: ReportBlock[] = [];
  for (let at = from; at < from + count * 24; at += 24) {
    const loss = readWord(bytes, at + 4);
    blocks.push({
      ssrc: readWord(bytes, at),
      fractionLost: loss >>> 24,
      cumulativeLost: (loss << 8) >> 8,
      highestSequence: readWord(bytes, at + 8),
      jitter: readWord(bytes, at + 12),
      lsr: readWord(bytes, at + 16),
      dlsr: readWord(bytes, at + 20),
    });
  }
  return blocks;
}

function decodeDescription(bytes: Uint8Array, from: number, end: number, count: number): RtcpPacket | null {
  const chunks: { ssrc: number; cname: string | null }[] = [];
  let at = from;
  for (let i = 0; i < count; i++) {
    if (at + 4 > end) return null;
    const ssrc = readWord(bytes, at);
    const start = at;
    at += 4;
    let cname: string | null = null;
    while (at < end && bytes[at] !== 0) {
      if (at + 2 > end || at + 2 + bytes[at + 1]! > end) return null;
      if (bytes[at] === SDES_CNAME) cname = utf8.decode(bytes.subarray(at + 2, at + 2 + bytes[at + 1]!));
      at += 2 + bytes[at + 1]!;
    }
    // The chunk ends with at least one null octet, and is padded to a word (6.5).
    at = start + Math.ceil((at + 1 - start) / 4) * 4;
    if (at > end) return null;
    chunks.push({ ssrc, cname });
  }
  return { kind: 'SDES', chunks };
}

function decodeBye(bytes: Uint8Array, from: number, end: number, count: number): RtcpPacket | null {
  const reasonAt = from + count * 4;
  if (reasonAt > end) return null;
  const ssrcs: number[] = [];
  for (let at = from; at < reasonAt; at += 4) ssrcs.push(readWord(bytes, at));
  if (reasonAt === end) return { kind: 'BYE', ssrcs, reason: '' };
  const reasonEnd = reasonAt + 1 + bytes[reasonAt]!;
  if (reasonEnd > end) return null;
  return { kind: 'BYE', ssrcs, reason: utf8.decode(bytes.subarray(reasonAt + 1, reasonEnd)) };
}
