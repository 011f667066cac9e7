/** A video as it is sent: encoded pictures with their times. */

export type VideoCodec = 'VP8' | 'H264';

/** RTP clock of every video format (RFC 7741, 6.1; RFC 6184, 8.1), Hz. */
export const VIDEO_CLOCK_HZ = 90_000;

/** One picture: everything that has one timestamp. */
export type AccessUnit = {
  /** VP8: the frame. H.264: NAL units in decoding order, without start codes; an IDR picture brings its SPS and PPS. */
  readonly units: readonly Uint8Array[];
  /** From the start of the clip, in units of 1/90,000 s. */
  readonly timestamp: number;
  readonly isKeyframe: boolean;
};

export type VideoClip = {
  readonly codec: VideoCodec;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Begins with a keyframe; timestamps rise. */
  readonly pictures: readonly AccessUnit[];
  /** Until the picture that would follow the last, in units of 1/90,000 s. */
  readonly durationUnits: number;
};

/** The file is none, or none of ours; the message says what is wrong and how to mend it. */
export class VideoError extends Error {
  override readonly name = 'VideoError';
}

/** An hour of 30 pictures a second. */
export const MOST_PICTURES = 108_000;
/** Slower than a picture in ten seconds is no video. */
const LONGEST_PICTURE_UNITS = 10 * VIDEO_CLOCK_HZ;

/**
 * A clip of pictures that were read; the last one lasts as long as the one before it, or `loneUnits`.
 * @throws VideoError
 */
export function toClip(
  codec: VideoCodec,
  size: { readonly widthPx: number; readonly heightPx: number },
  pictures: readonly AccessUnit[],
  loneUnits: number,
): VideoClip {
  if (pictures.length === 0) throw new VideoError('has no pictures');
  if (!pictures[0]!.isKeyframe) throw new VideoError('does not begin with a keyframe: nobody could show its start');
  if (size.widthPx === 0 || size.heightPx === 0) throw new VideoError('has pictures without width or height');
  for (let i = 1; i < pictures.length; i++) {
    const units = pictures[i]!.timestamp - pictures[i - 1]!.timestamp;
    if (!(units > 0)) throw new VideoError(`has picture ${i} no later than the one before it`);
    if (units > LONGEST_PICTURE_UNITS) throw new VideoError(`has more than 10 s between picture ${i - 1} and ${i}`);
  }
  const last = pictures.at(-1)!.timestamp;
  const lastUnits = pictures.length > 1 ? last - pictures.at(-2)!.timestamp : loneUnits;
  return { codec, ...size, pictures, durationUnits: last + lastUnits };
}

/** Mean pictures a second. */
export const picturesPerSecond = (clip: VideoClip): number =>
  (clip.pictures.length * VIDEO_CLOCK_HZ) / clip.durationUnits;
