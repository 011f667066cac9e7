/**
 * RTCP feedback of video: generic NACK and PLI (RFC 4585, 6.2.1 and 6.3.1), FIR (RFC 5104, 4.3.1). It is written into a
 * buffer of the caller as in encode.ts, and parsed with or without a report (RFC 5506). REMB and transport-wide
 * congestion control are recognized and ignored.
 */
import { readWord, writeHalf, writeWord } from '../network-order.ts';

/** Transport layer feedback, RTPFB. */
const TRANSPORT_FEEDBACK = 205;
/** Payload-specific feedback, PSFB. */
const PAYLOAD_FEEDBACK = 206;

const FORMAT_NACK = 1;
const FORMAT_TRANSPORT_CC = 15;
const FORMAT_PLI = 1;
const FORMAT_FIR = 4;
const FORMAT_APPLICATION = 15;
const REMB = 0x52454d42;

const HEADER_BYTES = 12;
/** One entry of a NACK names a sequence number and any of the 16 following ones. */
const FOLLOWING = 16;
/** A receiver that has lost more asks for a keyframe instead. */
const MAX_NACK_ENTRIES = 64;

export type Feedback =
  /** The sequence numbers are in the order of the packet; a clear bit has no meaning. */
  | { readonly kind: 'NACK'; readonly ssrc: number; readonly mediaSsrc: number; readonly sequences: readonly number[] }
  | { readonly kind: 'PLI'; readonly ssrc: number; readonly mediaSsrc: number }
  | { readonly kind: 'FIR'; readonly ssrc: number; readonly requests: readonly FullIntraRequest[] }
  | { readonly kind: 'REMB' | 'TRANSPORT_CC'; readonly ssrc: number }
  /** Feedback of a format that is not known here. */
  | { readonly kind: 'OTHER'; readonly ssrc: number; readonly packetType: number; readonly format: number };

/** `sequenceNumber` (8 bits) increases with each request, and stays the same in repetitions (RFC 5104, 4.3.1.1). */
export type FullIntraRequest = { readonly ssrc: number; readonly sequenceNumber: number };

/**
 * Names the lost packets, given in ascending order (also across the wrap); those that do not fit into
 * MAX_NACK_ENTRIES entries are left out. Returns the offset after it.
 */
export function encodeNack(
  bytes: Uint8Array,
  offset: number,
  ssrc: number,
  mediaSsrc: number,
  lost: ArrayLike<number>,
): number {
  let at = offset + HEADER_BYTES;
  const end = at + MAX_NACK_ENTRIES * 4;
  for (let i = 0; i < lost.length && at < end; ) {
    const first = lost[i]!;
    let following = 0;
    for (i += 1; i < lost.length; i++) {
      const bit = ((lost[i]! - first) & 0xffff) - 1;
      if (bit < 0 || bit >= FOLLOWING) break;
      following |= 1 << bit;
    }
    at = writeHalf(bytes, writeHalf(bytes, at, first), following);
  }
  sources(bytes, offset, ssrc, mediaSsrc);
  return ended(bytes, offset, TRANSPORT_FEEDBACK, FORMAT_NACK, at);
}

/** Requests a picture that does not depend on others. Returns the offset after it. */
export const encodePli = (bytes: Uint8Array, offset: number, ssrc: number, mediaSsrc: number): number =>
  ended(bytes, offset, PAYLOAD_FEEDBACK, FORMAT_PLI, sources(bytes, offset, ssrc, mediaSsrc));

/** Requests such a picture from one source; the header's media source is 0 (4.3.1.2). Returns the offset after it. */
export function encodeFir(
  bytes: Uint8Array,
  offset: number,
  ssrc: number,
  mediaSsrc: number,
  sequenceNumber: number,
): number {
  const at = writeWord(bytes, sources(bytes, offset, ssrc, 0), mediaSsrc);
  return ended(bytes, offset, PAYLOAD_FEEDBACK, FORMAT_FIR, writeWord(bytes, at, (sequenceNumber & 0xff) << 24));
}

/**
 * The feedback in a compound of `length` bytes at `offset`; null if it is not RTCP or a feedback packet's length is not
 * that of its format. Other packets are skipped by their length. Never throws.
 */
export function decodeFeedback(bytes: Uint8Array, offset: number, length: number): Feedback[] | null {
  const end = offset + length;
  if (length < 4 || length % 4 !== 0 || end > bytes.length) return null;
  const found: Feedback[] = [];
  for (let at = offset; at < end; ) {
    const next = at + (((bytes[at + 2]! << 8) | bytes[at + 3]!) + 1) * 4;
    if (bytes[at]! >> 6 !== 2 || next > end) return null;
    const packetType = bytes[at + 1]!;
    if (packetType === TRANSPORT_FEEDBACK || packetType === PAYLOAD_FEEDBACK) {
      const padding = bytes[at]! & 0x20 ? bytes[next - 1]! : 0;
      const feedback = decodeOne(bytes, at, next - padding);
      if (feedback === null) return null;
      found.push(feedback);
    }
    at = next;
  }
  return found;
}

function decodeOne(bytes: Uint8Array, at: number, end: number): Feedback | null {
  if (at + HEADER_BYTES > end) return null;
  const packetType = bytes[at + 1]!;
  const format = bytes[at]! & 0x1f;
  const ssrc = readWord(bytes, at + 4);
  const mediaSsrc = readWord(bytes, at + 8);
  const information = at + HEADER_BYTES;
  const isTransport = packetType === TRANSPORT_FEEDBACK;
  if (isTransport && format === FORMAT_NACK) {
    if (information === end || (end - information) % 4 !== 0) return null;
    return { kind: 'NACK', ssrc, mediaSsrc, sequences: namedPackets(bytes, information, end) };
  }
  if (isTransport && format === FORMAT_TRANSPORT_CC) return { kind: 'TRANSPORT_CC', ssrc };
  if (!isTransport && format === FORMAT_PLI) return information === end ? { kind: 'PLI', ssrc, mediaSsrc } : null;
  if (!isTransport && format === FORMAT_FIR) {
    if (information === end || (end - information) % 8 !== 0) return null;
    return { kind: 'FIR', ssrc, requests: intraRequests(bytes, information, end) };
  }
  const isRemb = format === FORMAT_APPLICATION && information + 4 <= end && readWord(bytes, information) === REMB;
  return !isTransport && isRemb ? { kind: 'REMB', ssrc } : { kind: 'OTHER', ssrc, packetType, format };
}

function namedPackets(bytes: Uint8Array, from: number, end: number): number[] {
  const sequences: number[] = [];
  for (let at = from; at < end; at += 4) {
    const first = (bytes[at]! << 8) | bytes[at + 1]!;
    const following = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    sequences.push(first);
    for (let bit = 0; bit < FOLLOWING; bit++) if (following & (1 << bit)) sequences.push((first + bit + 1) & 0xffff);
  }
  return sequences;
}

function intraRequests(bytes: Uint8Array, from: number, end: number): FullIntraRequest[] {
  const requests: FullIntraRequest[] = [];
  for (let at = from; at < end; at += 8) requests.push({ ssrc: readWord(bytes, at), sequenceNumber: bytes[at + 4]! });
  return requests;
}

/** Writes the sources of a feedback packet; returns the offset of its information. */
const sources = (bytes: Uint8Array, offset: number, ssrc: number, mediaSsrc: number): number =>
  writeWord(bytes, writeWord(bytes, offset + 4, ssrc), mediaSsrc);

/** Writes the start of the common header of feedback (RFC 4585, 6.1), whose information ends at `end`. */
function ended(bytes: Uint8Array, offset: number, packetType: number, format: number, end: number): number {
  bytes[offset] = 0x80 | format;
  bytes[offset + 1] = packetType;
  writeHalf(bytes, offset + 2, (end - offset) / 4 - 1);
  return end;
}
