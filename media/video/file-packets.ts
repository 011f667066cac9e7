/** A video file as packets, in every packetization that it allows. */
import type { VideoCodec } from './clip.ts';
import { NalUnitTooLong } from './h264-payload.ts';
import { parseVideo } from './video-file.ts';
import { packetizeClip, type VideoPackets } from './video-packets.ts';

export type FilePackets = VideoPackets & {
  readonly codec: VideoCodec;
  /** The packetization-mode of RFC 6184; VP8 has none, and 1 here. */
  readonly mode: 0 | 1;
  /** The value of H.264; null for VP8. */
  readonly profileLevelId: string | null;
};

/**
 * Packetizes in both modes if the file is H.264 with NAL units small enough for mode 0.
 * @throws VideoError if the file is not supported
 */
export function packetizeFile(file: Uint8Array): FilePackets[] {
  const clip = parseVideo(file);
  const { codec, profileLevelId } = clip;
  const packets: FilePackets = { ...packetizeClip(clip, 1), codec, mode: 1, profileLevelId };
  if (codec === 'VP8') return [packets];
  try {
    return [packets, { ...packetizeClip(clip, 0), codec, mode: 0, profileLevelId }];
  } catch (error) {
    if (error instanceof NalUnitTooLong) return [packets];
    throw error;
  }
}
