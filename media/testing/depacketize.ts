/** Reassembles frames from packets: what a test sent, or a referee received. */
import type { VideoCodec } from '../video/clip.ts';
import { marksOf } from '../video/packet-marks.ts';
import { IS_KEYFRAME, STARTS_FRAME } from '../video/payload-marks.ts';
import { payloadStart, type VideoPackets } from '../video/video-packets.ts';
import { joinH264, joinVp8 } from './join-video.ts';

export type VideoPacket = {
  readonly sequence: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly payload: Uint8Array;
};

export type ReceivedFrame = {
  readonly timestamp: number;
  readonly units: readonly Uint8Array[];
  readonly isKeyframe: boolean;
};

export type Depacketized = {
  readonly frames: readonly ReceivedFrame[];
  /** The number of frames of which only some packets arrived, or with packets of another codec. */
  readonly broken: number;
};

/**
 * The complete frames among packets of one source, which may have been lost, repeated and reordered by less than half
 * of the sequence number range.
 */
export function depacketize(codec: VideoCodec, packets: readonly VideoPacket[]): Depacketized {
  const frames: ReceivedFrame[] = [];
  let broken = 0;
  for (const group of byFrame(inOrder(packets))) {
    const units = isWhole(codec, group) ? join(codec, group.packets) : null;
    if (units === null) broken += 1;
    else {
      const isKeyframe = group.packets.some(({ payload }) => hasMark(codec, payload, IS_KEYFRAME));
      frames.push({ timestamp: group.packets[0]!.timestamp, units, isKeyframe });
    }
  }
  return { frames, broken };
}

const hasMark = (codec: VideoCodec, payload: Uint8Array, mark: number): boolean =>
  (marksOf(codec, payload, 0, payload.length) & mark) !== 0;

const join = (codec: VideoCodec, packets: readonly VideoPacket[]): Uint8Array[] | null => {
  const payloads = packets.map(({ payload }) => payload);
  return codec === 'VP8' ? joinVp8(payloads) : joinH264(payloads);
};

function inOrder(packets: readonly VideoPacket[]): VideoPacket[] {
  if (packets.length === 0) return [];
  const extended = new Map<number, VideoPacket>();
  let highest = packets[0]!.sequence + 0x10000;
  for (const packet of packets) {
    const ahead = ((packet.sequence - highest) << 16) >> 16;
    extended.set(highest + ahead, packet);
    highest = Math.max(highest, highest + ahead);
  }
  return [...extended].sort(([a], [b]) => a - b).map(([sequence, packet]) => ({ ...packet, sequence }));
}

type Group = { readonly packets: VideoPacket[]; readonly before: VideoPacket | null };

function byFrame(packets: readonly VideoPacket[]): Group[] {
  const groups: Group[] = [];
  for (const [i, packet] of packets.entries()) {
    const open = groups.at(-1);
    if (open && open.packets[0]!.timestamp === packet.timestamp) open.packets.push(packet);
    else groups.push({ packets: [packet], before: packets[i - 1] ?? null });
  }
  return groups;
}

/** Whether no packet is missing within the frame, directly before its first, or directly after its last. */
function isWhole(codec: VideoCodec, { packets, before }: Group): boolean {
  const first = packets[0]!;
  const last = packets.at(-1)!;
  const follows = before?.marker === true && before.sequence === first.sequence - 1;
  const begins = follows || hasMark(codec, first.payload, STARTS_FRAME);
  return begins && last.marker && last.sequence - first.sequence + 1 === packets.length;
}

/** A view of a packet's payload. */
export const payloadOf = (packets: VideoPackets, packet: number): Uint8Array =>
  packets.bytes.subarray(payloadStart(packets, packet), packets.ends[packet]);
