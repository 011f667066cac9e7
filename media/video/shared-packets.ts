/** A clip's packets in memory that goes from thread to thread without a copy, however many there are. */
import type { VideoCodec } from './clip.ts';
import { NalUnitTooLong } from './h264-payload.ts';
import { parseVideo } from './video-file.ts';
import { packetizeClip, type VideoPackets } from './video-packets.ts';

export type SharedPackets = Omit<VideoPackets, 'payloads'> & {
  readonly codec: VideoCodec;
  /** packetization-mode of RFC 6184; VP8 has none, and 1 here. */
  readonly mode: 0 | 1;
  /** Payload after payload, over a SharedArrayBuffer. */
  readonly bytes: Uint8Array;
  /** Where each of them ends. */
  readonly ends: Uint32Array;
};

/**
 * A video file as packets: in both packetization modes where it is H.264 whose NAL units are small enough for mode 0.
 * @throws VideoError where the file is none of ours
 */
export function sharePackets(file: Uint8Array): SharedPackets[] {
  const clip = parseVideo(file);
  const shared = share(packetizeClip(clip, 1), clip.codec, 1);
  if (clip.codec === 'VP8') return [shared];
  try {
    return [shared, share(packetizeClip(clip, 0), clip.codec, 0)];
  } catch (error) {
    if (error instanceof NalUnitTooLong) return [shared];
    throw error;
  }
}

function share({ payloads, ...rest }: VideoPackets, codec: VideoCodec, mode: 0 | 1): SharedPackets {
  const ends = new Uint32Array(new SharedArrayBuffer(payloads.length * 4));
  let end = 0;
  for (const [i, payload] of payloads.entries()) {
    end += payload.length;
    ends[i] = end;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(end));
  for (const [i, payload] of payloads.entries()) bytes.set(payload, ends[i]! - payload.length);
  return { ...rest, codec, mode, bytes, ends };
}

/** The packets as they are sent; views, no copies. */
export const openPackets = ({ bytes, ends, codec: _, mode: __, ...rest }: SharedPackets): VideoPackets => ({
  ...rest,
  payloads: Array.from(ends, (end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end)),
});
