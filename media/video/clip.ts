/** A video in the form in which it is sent: encoded frames with their times. */

export type VideoCodec = 'VP8' | 'H264';

/** RTP clock of every video format (RFC 7741, 6.1; RFC 6184, 8.1), Hz. */
export const VIDEO_CLOCK_HZ = 90_000;

/** One frame: all units with the same timestamp. */
export type AccessUnit = {
  /** VP8: the frame. H.264: NAL units in decoding order, without start codes; an IDR frame has its SPS and PPS. */
  readonly units: readonly Uint8Array[];
  /** The time from the start of the clip, in units of 1/90,000 s. */
  readonly timestamp: number;
  readonly isKeyframe: boolean;
};

export type VideoClip = {
  readonly codec: VideoCodec;
  readonly widthPx: number;
  readonly heightPx: number;
  /** The first frame is a keyframe; timestamps increase. */
  readonly frames: readonly AccessUnit[];
  /** H264: the decoder that its parameter sets require, 6 hexadecimal digits as SDP writes them; null for VP8. */
  readonly profileLevelId: string | null;
  /** The time until the frame that would follow the last, in units of 1/90,000 s. */
  readonly durationUnits: number;
};

/** The file is not a video, or not a supported one; the message says what is wrong and how to correct it. */
export class VideoError extends Error {
  override readonly name = 'VideoError';
}

/** The frames of an hour at 30 frames a second. */
export const MAX_FRAMES = 108_000;
/** Less than one frame in ten seconds is not accepted as video. */
const MAX_FRAME_UNITS = 10 * VIDEO_CLOCK_HZ;

/**
 * A clip from the parsed frames; the last one has the duration of the previous one, or `loneUnits`.
 * @throws VideoError
 */
export function toClip(
  codec: VideoCodec,
  size: { readonly widthPx: number; readonly heightPx: number; readonly profileLevelId?: string },
  frames: readonly AccessUnit[],
  loneUnits: number,
): VideoClip {
  if (frames.length === 0) throw new VideoError('has no frames');
  if (!frames[0]!.isKeyframe) throw new VideoError('does not begin with a keyframe');
  if (size.widthPx === 0 || size.heightPx === 0) throw new VideoError('has frames without width or height');
  for (let i = 1; i < frames.length; i++) {
    const units = frames[i]!.timestamp - frames[i - 1]!.timestamp;
    if (!(units > 0)) throw new VideoError(`has frame ${i} no later than the one before it`);
    if (units > MAX_FRAME_UNITS) throw new VideoError(`has more than 10 s between frame ${i - 1} and ${i}`);
  }
  const last = frames.at(-1)!.timestamp;
  const lastUnits = frames.length > 1 ? last - frames.at(-2)!.timestamp : loneUnits;
  const { widthPx, heightPx, profileLevelId = null } = size;
  return { codec, widthPx, heightPx, profileLevelId, frames, durationUnits: last + lastUnits };
}

/** The mean number of frames a second. */
export const framesPerSecond = (clip: VideoClip): number => (clip.frames.length * VIDEO_CLOCK_HZ) / clip.durationUnits;
