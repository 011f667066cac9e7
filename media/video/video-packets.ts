/** A clip as packets: it is cut once, then shared by every stream that plays it. */
import { type AccessUnit, VIDEO_CLOCK_HZ, type VideoClip } from './clip.ts';
import { packetizeH264 } from './h264-payload.ts';
import { packetizeVp8, VP8_PICTURE_ID_OFFSET } from './vp8-payload.ts';

/** Leaves space in an Ethernet frame for IPv6, UDP, RTP, SRTP and a tunnel. */
export const MAX_PAYLOAD_BYTES = 1200;

export type VideoPackets = {
  /** Consecutive payloads, in shared memory that threads use without a copy. */
  readonly bytes: Uint8Array;
  /** The end of each packet's payload. */
  readonly ends: Uint32Array;
  /** The mean octets of payload per second; at least those of one packet. */
  readonly octetsASecond: number;
  /** 1 if a packet is the last of its frame and carries the marker (RFC 7741, 4.1; RFC 6184, 5.1). */
  readonly isLast: Uint8Array;
  readonly frameOf: Uint32Array;
  /** The first packet of each frame, and one more entry for the end. */
  readonly firstPacket: Uint32Array;
  /** The time until the next frame in units of 1/90,000 s, by frame. */
  readonly frameUnits: Float64Array;
  /** The next keyframe after a frame, or after the restart of the clip. */
  readonly nextKeyframe: Uint32Array;
  /** 1 if a frame is a keyframe. */
  readonly isKeyframe: Uint8Array;
  /** The offset of the PictureID to write in a payload; -1: the format has none. */
  readonly pictureIdOffset: number;
};

/** @throws NalUnitTooLong if `mode` 0 cannot carry the clip */
export function packetizeClip(clip: VideoClip, mode: 0 | 1 = 1, maxPayloadBytes = MAX_PAYLOAD_BYTES): VideoPackets {
  const cut = ({ units }: AccessUnit): Uint8Array[] =>
    clip.codec === 'VP8' ? packetizeVp8(units[0]!, maxPayloadBytes) : packetizeH264(units, mode, maxPayloadBytes);
  const { frames } = clip;
  const frameCuts = frames.map(cut);
  const firstPacket = new Uint32Array(frames.length + 1);
  for (const [i, payloads] of frameCuts.entries()) firstPacket[i + 1] = firstPacket[i]! + payloads.length;
  const count = firstPacket[frames.length]!;
  const { bytes, ends } = joined(frameCuts.flat());
  const isLast = new Uint8Array(count);
  const frameOf = new Uint32Array(count);
  for (let i = 0; i < frames.length; i++) {
    frameOf.fill(i, firstPacket[i], firstPacket[i + 1]);
    isLast[firstPacket[i + 1]! - 1] = 1;
  }
  return {
    bytes,
    ends,
    octetsASecond: Math.max(MAX_PAYLOAD_BYTES, Math.ceil((bytes.length * VIDEO_CLOCK_HZ) / clip.durationUnits)),
    isLast,
    frameOf,
    firstPacket,
    frameUnits: Float64Array.from(
      frames,
      ({ timestamp }, i) => (frames[i + 1]?.timestamp ?? clip.durationUnits) - timestamp,
    ),
    nextKeyframe: nextKeyframes(frames),
    isKeyframe: Uint8Array.from(frames, ({ isKeyframe }) => (isKeyframe ? 1 : 0)),
    pictureIdOffset: clip.codec === 'VP8' ? VP8_PICTURE_ID_OFFSET : -1,
  };
}

function joined(payloads: readonly Uint8Array[]): Pick<VideoPackets, 'bytes' | 'ends'> {
  const ends = new Uint32Array(new SharedArrayBuffer(payloads.length * 4));
  let end = 0;
  for (const [i, { length }] of payloads.entries()) {
    end += length;
    ends[i] = end;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(end));
  for (const [i, payload] of payloads.entries()) bytes.set(payload, ends[i]! - payload.length);
  return { bytes, ends };
}

/** The start of a packet's payload in `bytes`. */
export const payloadStart = ({ ends }: Pick<VideoPackets, 'ends'>, packet: number): number =>
  packet === 0 ? 0 : ends[packet - 1]!;

/** The first frame of a clip is a keyframe, so a next one always exists. */
function nextKeyframes(frames: readonly AccessUnit[]): Uint32Array {
  const next = new Uint32Array(frames.length);
  let following = 0;
  for (let i = frames.length - 1; i >= 0; i--) {
    next[i] = following;
    if (frames[i]!.isKeyframe) following = i;
  }
  return next;
}
