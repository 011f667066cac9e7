/** The marks of a packet (payload-marks.ts) by its codec. */
import type { VideoCodec } from './clip.ts';
import { h264Marks } from './h264-payload.ts';
import { vp8Marks } from './vp8-payload.ts';

/** Never throws. */
export const marksOf = (codec: VideoCodec, bytes: Uint8Array, at: number, length: number): number =>
  codec === 'VP8' ? vp8Marks(bytes, at, length) : h264Marks(bytes, at, length);
