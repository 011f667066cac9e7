/**
 * IVF, the container of raw VP8: a header of 32 bytes, then frames with 12 bytes before each (libvpx, ivfdec.c).
 * Little-endian.
 */
import { type AccessUnit, MAX_FRAMES, toClip, VIDEO_CLOCK_HZ, type VideoClip, VideoError } from './clip.ts';
import { isVp8Keyframe, vp8Size } from './vp8-payload.ts';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 12;
const LONE_FRAME_UNITS = VIDEO_CLOCK_HZ / 30;

/** True if the bytes start with the IVF signature. */
export const isIvf = (file: Uint8Array): boolean => fourCc(file, 0) === 'DKIF';

/** @throws VideoError */
export function parseIvf(file: Uint8Array): VideoClip {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (!isIvf(file) || file.length < HEADER_BYTES) throw new VideoError('is not an IVF file: it has no header DKIF');
  const codec = fourCc(file, 8);
  if (codec !== 'VP80') throw new VideoError(`holds ${JSON.stringify(codec)}; encode it as VP8`);
  const rate = view.getUint32(16, true);
  const scale = view.getUint32(20, true);
  if (rate === 0 || scale === 0) throw new VideoError('has no time base');
  const frames: AccessUnit[] = [];
  let first = 0n;
  let at = view.getUint16(6, true);
  if (at < HEADER_BYTES) throw new VideoError(`says that its header has ${at} bytes`);
  while (at < file.length) {
    if (at + FRAME_HEADER_BYTES > file.length) throw new VideoError(`ends within the header of frame ${frames.length}`);
    const bytes = view.getUint32(at, true);
    const time = view.getBigUint64(at + 4, true);
    at += FRAME_HEADER_BYTES;
    if (bytes === 0) throw new VideoError(`has an empty frame (${frames.length})`);
    if (at + bytes > file.length) throw new VideoError(`ends in the middle of frame ${frames.length}`);
    if (frames.length === MAX_FRAMES) throw new VideoError(`has more than ${MAX_FRAMES} frames`);
    if (frames.length === 0) first = time;
    const frame = file.subarray(at, at + bytes);
    const timestamp = Math.round((Number(time - first) * scale * VIDEO_CLOCK_HZ) / rate);
    frames.push({ units: [frame], timestamp, isKeyframe: isVp8Keyframe(frame) });
    at += bytes;
  }
  const size = frames[0] ? vp8Size(frames[0].units[0]!) : { widthPx: 0, heightPx: 0 };
  return toClip('VP8', size, frames, LONE_FRAME_UNITS);
}

const fourCc = (file: Uint8Array, at: number): string => String.fromCharCode(...file.subarray(at, at + 4));
