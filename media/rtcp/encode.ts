/**
 * Writes consecutive RTCP packets into a buffer of the caller: the compound lies between the first offset and the last
 * one returned. RFC 3550, 6.1: SR or RR comes first, then SDES with CNAME, and BYE last.
 */
import { writeHalf, writeWord } from '../network-order.ts';
import {
  BYE_PACKET,
  RECEIVER_REPORT,
  type ReportBlock,
  SDES_CNAME,
  SENDER_REPORT,
  type SenderReport,
  SOURCE_DESCRIPTION,
} from './packets.ts';

const utf8 = new TextEncoder();

/** The length field has the number of 32-bit words minus one (6.4.1). */
function header(bytes: Uint8Array, offset: number, count: number, packetType: number, end: number): number {
  bytes[offset] = 0x80 | count;
  bytes[offset + 1] = packetType;
  writeHalf(bytes, offset + 2, (end - offset) / 4 - 1);
  return end;
}

function block(bytes: Uint8Array, offset: number, b: ReportBlock): number {
  let at = writeWord(bytes, offset, b.ssrc);
  at = writeWord(bytes, at, (b.fractionLost << 24) | (b.cumulativeLost & 0xffffff));
  at = writeWord(bytes, at, b.highestSequence);
  at = writeWord(bytes, at, b.jitter);
  at = writeWord(bytes, at, b.lsr);
  return writeWord(bytes, at, b.dlsr);
}

/** Writes a sender report with at most 31 blocks. Returns the offset after it. */
export function encodeSenderReport(bytes: Uint8Array, offset: number, sr: Omit<SenderReport, 'kind'>): number {
  let at = writeWord(bytes, offset + 4, sr.ssrc);
  at = writeWord(bytes, at, sr.ntpSeconds);
  at = writeWord(bytes, at, sr.ntpFraction);
  at = writeWord(bytes, at, sr.rtpTimestamp);
  at = writeWord(bytes, at, sr.packets);
  at = writeWord(bytes, at, sr.octets);
  for (const b of sr.blocks) at = block(bytes, at, b);
  return header(bytes, offset, sr.blocks.length, SENDER_REPORT, at);
}

/** Writes a receiver report with 0 to 31 blocks (6.4.2: it is also sent when empty). Returns the offset after it. */
export function encodeReceiverReport(
  bytes: Uint8Array,
  offset: number,
  ssrc: number,
  blocks: readonly ReportBlock[],
): number {
  let at = writeWord(bytes, offset + 4, ssrc);
  for (const b of blocks) at = block(bytes, at, b);
  return header(bytes, offset, blocks.length, RECEIVER_REPORT, at);
}

/** Writes SDES with one chunk and one item, CNAME (at most 255 octets of UTF-8). Returns the offset after it. */
export function encodeCname(bytes: Uint8Array, offset: number, ssrc: number, cname: string): number {
  const text = utf8.encode(cname).subarray(0, 255);
  const at = writeWord(bytes, offset + 4, ssrc);
  bytes[at] = SDES_CNAME;
  bytes[at + 1] = text.length;
  bytes.set(text, at + 2);
  // The list of items ends with a null octet and is padded to a word with further null octets (6.5).
  const end = at + 2 + text.length;
  const padded = offset + Math.ceil((end + 1 - offset) / 4) * 4;
  bytes.fill(0, end, padded);
  return header(bytes, offset, 1, SOURCE_DESCRIPTION, padded);
}

/** Writes BYE of one source without a reason. Returns the offset after it. */
export function encodeBye(bytes: Uint8Array, offset: number, ssrc: number): number {
  return header(bytes, offset, 1, BYE_PACKET, writeWord(bytes, offset + 4, ssrc));
}
