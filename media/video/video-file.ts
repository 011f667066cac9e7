/** Videos as files: which formats can be sent, and their properties. */
import { isAnnexB, parseAnnexB } from './annex-b.ts';
import { framesPerSecond, VIDEO_CLOCK_HZ, type VideoClip, VideoError } from './clip.ts';
import { isIvf, parseIvf } from './ivf.ts';

/** The clip of an IVF file or an H.264 byte stream. @throws VideoError */
export function parseVideo(file: Uint8Array): VideoClip {
  if (isIvf(file)) return parseIvf(file);
  if (isAnnexB(file)) return parseAnnexB(file);
  throw new VideoError('is neither IVF with VP8 nor an H.264 byte stream (Annex B)');
}

/** True if the bytes start like a supported video. */
export const isVideo = (file: Uint8Array): boolean => isIvf(file) || isAnnexB(file);

export type VideoFile = {
  readonly kind: 'VIDEO';
  readonly codec: VideoClip['codec'];
  readonly widthPx: number;
  readonly heightPx: number;
  readonly frames: number;
  readonly keyframes: number;
  readonly framesPerSecond: number;
  readonly durationMs: number;
};

/** Properties of an uploaded file. @throws VideoError */
export function describeVideo(file: Uint8Array): VideoFile {
  const clip = parseVideo(file);
  const { codec, widthPx, heightPx, frames, durationUnits } = clip;
  return {
    kind: 'VIDEO',
    codec,
    widthPx,
    heightPx,
    frames: frames.length,
    keyframes: frames.filter(({ isKeyframe }) => isKeyframe).length,
    framesPerSecond: framesPerSecond(clip),
    durationMs: Math.round((durationUnits * 1000) / VIDEO_CLOCK_HZ),
  };
}
