/** Frames from the payloads of their packets, without a check that all are there. */
import { FU_A, FU_END, FU_START, h264Marks, STAP_A } from '../video/h264-payload.ts';
import { nalType } from '../video/nal-unit.ts';
import { MALFORMED, STARTS_FRAME } from '../video/payload-marks.ts';
import { vp8DescriptorBytes, vp8Marks } from '../video/vp8-payload.ts';

const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** The PictureID of a payload; null if absent. */
export function pictureIdOf(payload: Uint8Array): number | null {
  if (vp8DescriptorBytes(payload, 0, payload.length) === 0) return null;
  if ((payload[0]! & 0x80) === 0 || (payload[1]! & 0x80) === 0) return null;
  return payload[2]! & 0x80 ? ((payload[2]! & 0x7f) << 8) | payload[3]! : payload[2]!;
}

/** The frame from its payloads, which are complete and in order; null if one of them is not VP8. */
export function joinVp8(payloads: readonly Uint8Array[]): Uint8Array[] | null {
  const parts: Uint8Array[] = [];
  for (const [i, payload] of payloads.entries()) {
    const descriptor = vp8DescriptorBytes(payload, 0, payload.length);
    const starts = (vp8Marks(payload, 0, payload.length) & STARTS_FRAME) !== 0;
    if (descriptor === 0 || starts !== (i === 0)) return null;
    parts.push(payload.subarray(descriptor));
  }
  return [joinBytes(parts)];
}

/** The NAL units of a frame's payloads, which are complete and in order; null if one of them is not H.264. */
export function joinH264(payloads: readonly Uint8Array[]): Uint8Array[] | null {
  const units: Uint8Array[] = [];
  let open: Uint8Array[] | null = null;
  for (const payload of payloads) {
    if (h264Marks(payload, 0, payload.length) & MALFORMED) return null;
    const type = nalType(payload[0]!);
    const starts = type === FU_A && (payload[1]! & FU_START) !== 0;
    if ((open !== null) !== (type === FU_A && !starts)) return null;
    if (type === STAP_A) units.push(...separate(payload));
    else if (type !== FU_A) units.push(payload);
    else {
      open ??= [Uint8Array.of((payload[0]! & 0xe0) | nalType(payload[1]!))];
      open.push(payload.subarray(2));
      if ((payload[1]! & FU_END) === 0) continue;
      units.push(joinBytes(open));
      open = null;
    }
  }
  return open === null ? units : null;
}

function separate(payload: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  for (let at = 1; at < payload.length; ) {
    const length = (payload[at]! << 8) | payload[at + 1]!;
    units.push(payload.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return units;
}
