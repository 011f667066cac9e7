/**
 * VP8 in RTP: the payload descriptor (RFC 7741, 4.2) and the frame header (RFC 6386, 9.1).
 * Each packet has a descriptor of four bytes: X, then I, then a PictureID of 15 bits. The partition index is 0
 * throughout and S is set only in a frame's first packet, as in WebRTC: frames are cut by size, not by partition.
 */
import { IS_KEYFRAME, MALFORMED, STARTS_FRAME } from './payload-marks.ts';

const VP8_DESCRIPTOR_BYTES = 4;
/** Offset of the two bytes of the PictureID in our packets. */
export const VP8_PICTURE_ID_OFFSET = 2;

/** True for a frame that depends on no other (bit P of the frame tag is 0). */
export const isVp8Keyframe = (frame: Uint8Array): boolean =>
  frame.length >= 10 && (frame[0]! & 1) === 0 && frame[3] === 0x9d && frame[4] === 0x01 && frame[5] === 0x2a;

/** The size of a keyframe; zeros for any other frame. */
export const vp8Size = (frame: Uint8Array): { widthPx: number; heightPx: number } =>
  isVp8Keyframe(frame)
    ? { widthPx: (frame[6]! | (frame[7]! << 8)) & 0x3fff, heightPx: (frame[8]! | (frame[9]! << 8)) & 0x3fff }
    : { widthPx: 0, heightPx: 0 };

/** The frame as RTP payloads of nearly equal size, at most `maxPayloadBytes` each, with PictureID 0. */
export function packetizeVp8(frame: Uint8Array, maxPayloadBytes: number): Uint8Array[] {
  const room = maxPayloadBytes - VP8_DESCRIPTOR_BYTES;
  const count = Math.ceil(frame.length / room);
  return Array.from({ length: count }, (_, i) => {
    const part = frame.subarray(Math.floor((i * frame.length) / count), Math.floor(((i + 1) * frame.length) / count));
    const payload = new Uint8Array(VP8_DESCRIPTOR_BYTES + part.length);
    payload.set([i === 0 ? 0x90 : 0x80, 0x80, 0x80, 0]);
    payload.set(part, VP8_DESCRIPTOR_BYTES);
    return payload;
  });
}

/** Writes a PictureID, modulo 2^15, into our descriptor at `at` (RFC 7741: incremented with each frame). */
export function writePictureId(bytes: Uint8Array, at: number, pictureId: number): void {
  bytes[at] = 0x80 | ((pictureId >>> 8) & 0x7f);
  bytes[at + 1] = pictureId;
}

/** The size of the descriptor at `at` of a payload that ends before `end`; 0: it does not fit. */
export function vp8DescriptorBytes(bytes: Uint8Array, at: number, end: number): number {
  let next = at + 1;
  if (next > end) return 0;
  if (bytes[at]! & 0x80) {
    if (next >= end) return 0;
    const extension = bytes[next]!;
    next += 1;
    if (extension & 0x80) next += next < end && bytes[next]! & 0x80 ? 2 : 1;
    if (extension & 0x40) next += 1;
    if (extension & 0x30) next += 1;
  }
  return next < end ? next - at : 0;
}

/** The marks of a packet about its frame; never throws. */
export function vp8Marks(bytes: Uint8Array, at: number, length: number): number {
  const descriptor = vp8DescriptorBytes(bytes, at, at + length);
  if (descriptor === 0) return MALFORMED;
  const starts = (bytes[at]! & 0x17) === 0x10;
  if (!starts) return 0;
  return (bytes[at + descriptor]! & 1) === 0 ? STARTS_FRAME | IS_KEYFRAME : STARTS_FRAME;
}
