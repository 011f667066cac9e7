/** Videos as files: what may be sent as one, and what it is. */
import { isAnnexB, parseAnnexB } from './annex-b.ts';
import { framesPerSecond, VIDEO_CLOCK_HZ, type VideoClip, VideoError } from './clip.ts';
import { isIvf, parseIvf } from './ivf.ts';

/** The clip of an IVF file or an H.264 byte stream. @throws VideoError */
export function parseVideo(file: Uint8Array): VideoClip {
  if (isIvf(file)) return parseIvf(file);
  if (isAnnexB(file)) return parseAnnexB(file);
  throw new VideoError('is neither IVF with VP8 nor an H.264 byte stream (Annex B)');
}

/** True where the bytes begin as a video's. */
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

/** What is said of an uploaded file. @throws VideoError */
export function describeVideo(file: Uint8Array): VideoFile {
  const clip = parseVideo(file);
  const { codec, widthPx, heightPx, frames, durationUnits } = clip;
  return {
    kind: 'VIDEO',
    ...{ codec, widthPx, heightPx },
    frames: frames.length,
    keyframes: frames.filter(({ isKeyframe }) => isKeyframe).length,
    framesPerSecond: framesPerSecond(clip),
    durationMs: Math.round((durationUnits * 1000) / VIDEO_CLOCK_HZ),
  };
}
