/**
 * Sends video: frames at their times on the 90 kHz clock, with a frame's packets spread over the first part of its time
 * to avoid bursts. A frame that would start later than half of its time is skipped, with the frames that depend on it:
 * the stream continues with the next keyframe at its correct timestamp. A started frame is finished.
 */
import { add } from '@carillon/media/quality/histogram.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { patchRtpHeader, RTP_HEADER_BYTES, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import { SRTP_ROOM_BYTES } from '@carillon/media/srtp/suites.ts';
import { MAX_PAYLOAD_BYTES, payloadStart, type VideoPackets } from '@carillon/media/video/video-packets.ts';
import { writePictureId } from '@carillon/media/video/vp8-payload.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { traceHeader } from '../figures/header-trace.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import { type FirstNumbers, renumbered } from '../send/packet-sender.ts';
import { VideoHistory } from './video-history.ts';

/** The size of one packet with what SRTP adds, or of one compound of feedback. */
export const VIDEO_BYTES = Math.ceil((RTP_HEADER_BYTES + MAX_PAYLOAD_BYTES + SRTP_ROOM_BYTES) / 64) * 64;

const UNITS_PER_MS = 90;
/** The part of a frame's time over which its packets are spread: the rest is slack for the next frame. */
const SPREAD = 0.6;
/** The most packets of one stream in one turn, for late turns or large frames. */
const MAX_A_TURN = 8;
/** The most retransmissions for one datagram of the peer, which can request the rest again. */
export const MAX_RESENT = 32;
/**
 * A packet is not retransmitted within a round trip, nor within this time, because the peer could fake the round trip.
 */
const MIN_QUIET_MS = 10;
/** Successive streams start at evenly distributed instants, for any number of streams (golden ratio). */
const PHASE = 0.618_033_988_75;

const SENDER_COLUMNS = {
  sequence: 'u32',
  pictureId: 'u32',
  packet: 'u32', // the next one of the clip
  frameTimestamp: 'u32',
  frameAtMs: 'f64', // the instant of that timestamp; 0: nothing was planned yet
  nextAtMs: 'f64', // the instant of the next packet
  keyframeAtMs: 'f64', // when the last keyframe started
  resendOctets: 'u32', // retransmission budget: packets sent minus packets retransmitted, up to one second's worth
  maxResendOctets: 'u32',
  wantsKeyframe: 'u8',
  payloadType: 'u8',
} as const;

export class VideoSender {
  readonly #sockets: StreamSockets;
  readonly #memory: MediaMemory;
  /** The offset in `outgoing` at which VIDEO_BYTES may be written. */
  readonly #offset: number;
  readonly #columns;
  readonly #active: number[] = [];
  readonly #clips: (VideoPackets | undefined)[] = [];
  /** The clips' bytes, as Buffers, which copy without a view for each packet. */
  readonly #sources: (Buffer | undefined)[] = [];
  readonly #histories: (VideoHistory | undefined)[] = [];
  #phase = 0;

  constructor(sockets: StreamSockets, memory: MediaMemory, offset: number) {
    this.#sockets = sockets;
    this.#memory = memory;
    this.#offset = offset;
    const bytes = columnsBytes(SENDER_COLUMNS, memory.capacity);
    this.#columns = mapColumns(SENDER_COLUMNS, memory.capacity, new ArrayBuffer(bytes));
  }

  /** A new stream with its initial numbers starts on the row. */
  begin(row: number, first: FirstNumbers): void {
    const c = this.#columns;
    c.sequence[row] = first.sequence;
    c.frameTimestamp[row] = first.timestamp;
    c.frameAtMs[row] = 0;
    c.pictureId[row] = first.sequence & 0x7fff;
    c.wantsKeyframe[row] = 0;
  }

  /** Like `PacketSender.renumber`. */
  renumber(row: number, highest: number | null): void {
    const { sequence } = this.#columns;
    sequence[row] = renumbered(sequence[row]!, highest);
  }

  /** Plays the clip from its beginning, initially or after a `stop`: timestamps have advanced in the meantime. */
  start(row: number, payloadType: number, clip: VideoPackets, nowMs: number): void {
    const c = this.#columns;
    this.#phase = (this.#phase + PHASE) % 1;
    const atMs = nowMs + 1 + (this.#phase * clip.frameUnits[0]!) / UNITS_PER_MS;
    if (c.frameAtMs[row] !== 0) c.frameTimestamp[row] = this.timestampAt(row, atMs);
    c.frameAtMs[row] = atMs;
    c.nextAtMs[row] = atMs;
    c.keyframeAtMs[row] = 0;
    c.packet[row] = 0;
    c.wantsKeyframe[row] = 0;
    c.resendOctets[row] = 0;
    c.maxResendOctets[row] = clip.octetsASecond;
    c.payloadType[row] = payloadType;
    this.#clips[row] = clip;
    this.#sources[row] = Buffer.from(clip.bytes.buffer, clip.bytes.byteOffset, clip.bytes.byteLength);
    this.#histories[row] ??= new VideoHistory();
    this.#histories[row].clear();
    this.#active.push(row);
  }

  stop(row: number): void {
    const at = this.#active.indexOf(row);
    if (at < 0) return;
    const last = this.#active.pop()!;
    if (last !== row) this.#active[at] = last;
  }

  /** The RTP timestamp of an instant, for sender reports (RFC 3550, 6.4.1). */
  timestampAt(row: number, atMs: number): number {
    const c = this.#columns;
    const sinceMs = c.frameAtMs[row] === 0 ? 0 : atMs - c.frameAtMs[row]!;
    return (c.frameTimestamp[row]! + Math.round(sinceMs * UNITS_PER_MS)) >>> 0;
  }

  sendDue(nowMs: number): void {
    const { nextAtMs } = this.#columns;
    for (const row of this.#active)
      for (let sent = 0; sent < MAX_A_TURN && nextAtMs[row]! <= nowMs; sent++) this.#sendNext(row, nowMs);
  }

  #sendNext(row: number, nowMs: number): void {
    const c = this.#columns;
    const clip = this.#clips[row]!;
    const packet = c.packet[row]!;
    const frame = clip.frameOf[packet]!;
    const { noise, pacingErrorMs, streams } = this.#memory;
    if (packet === clip.firstPacket[frame]) {
      if (nowMs - c.nextAtMs[row]! > clip.frameUnits[frame]! / UNITS_PER_MS / 2) {
        this.#skip(row, clip, frame);
        return;
      }
      streams.framesSent[row]! += 1;
      if (clip.isKeyframe[frame] === 1) {
        streams.keyframesSent[row]! += 1;
        c.keyframeAtMs[row] = nowMs;
      }
    }
    noise.slotsPlanned[0]! += 1;
    add(pacingErrorMs, nowMs - c.nextAtMs[row]!);
    const sequence = c.sequence[row]!;
    const timestamp = c.frameTimestamp[row]!;
    const bytes = this.#write(row, clip, packet, c.pictureId[row]!);
    patchRtpHeader(this.#sockets.outgoing, this.#offset, sequence, timestamp);
    // A packet that the kernel refuses is a hole that the peer may ask for, because a frame needs all its packets.
    this.#histories[row]!.add(sequence, packet, timestamp, c.pictureId[row]!, nowMs);
    c.sequence[row] = (sequence + 1) & 0xffff;
    c.resendOctets[row] = Math.min(c.resendOctets[row]! + bytes, c.maxResendOctets[row]!);
    if (this.#sockets.send(row * 2, this.#offset, RTP_HEADER_BYTES + bytes)) {
      streams.packetsSent[row]! += 1;
      streams.octetsSent[row]! += bytes;
      noise.slotsSent[0]! += 1;
      const { headers } = this.#memory;
      if (headers.sentLeft[row] !== 0)
        traceHeader(headers, streams, row, {
          sent: true,
          atMs: nowMs,
          packetBytes: RTP_HEADER_BYTES + bytes,
          header: this.#sockets.outgoing.subarray(this.#offset, this.#offset + RTP_HEADER_BYTES),
        });
    } else {
      streams.sendErrors[row]! += 1;
      noise.sendErrors[0]! += 1;
    }
    if (clip.isLast[packet] === 1) this.#planFrame(row, clip, frame);
    else this.#planPacket(row, clip, frame, packet + 1);
  }

  /** Plans the frame after `frame`; it is a keyframe if one is wanted. */
  #planFrame(row: number, clip: VideoPackets, frame: number): void {
    const c = this.#columns;
    const following = c.wantsKeyframe[row] === 1 ? clip.nextKeyframe[frame]! : (frame + 1) % clip.isKeyframe.length;
    const units = clip.frameUnits[frame]!;
    c.wantsKeyframe[row] = 0;
    c.pictureId[row] = (c.pictureId[row]! + 1) & 0x7fff;
    c.frameTimestamp[row] = (c.frameTimestamp[row]! + units) >>> 0;
    c.frameAtMs[row]! += units / UNITS_PER_MS;
    c.nextAtMs[row] = c.frameAtMs[row]!;
    c.packet[row] = clip.firstPacket[following]!;
  }

  #planPacket(row: number, clip: VideoPackets, frame: number, packet: number): void {
    const first = clip.firstPacket[frame]!;
    const share = (packet - first) / (clip.firstPacket[frame + 1]! - first);
    const spanMs = (clip.frameUnits[frame]! / UNITS_PER_MS) * SPREAD;
    this.#columns.packet[row] = packet;
    this.#columns.nextAtMs[row] = this.#columns.frameAtMs[row]! + share * spanMs;
  }

  /** Skips a frame, and all that depend on it. */
  #skip(row: number, clip: VideoPackets, frame: number): void {
    const packets = clip.firstPacket[frame + 1]! - clip.firstPacket[frame]!;
    this.#memory.noise.slotsPlanned[0]! += packets;
    this.#memory.noise.slotsSkipped[0]! += packets;
    this.#memory.streams.sendsSkipped[row]! += packets;
    this.#columns.wantsKeyframe[row] = 1;
    this.#planFrame(row, clip, frame);
  }

  /**
   * The peer requests a keyframe: the next frame is one. Ignored if one was started within the last round trip, because
   * the request crossed it.
   */
  wantKeyframe(row: number, nowMs: number, rttMs: number): void {
    if (nowMs - this.#columns.keyframeAtMs[row]! > rttMs) this.#columns.wantsKeyframe[row] = 1;
  }

  /**
   * Retransmits packets that the peer has lost, if they are still known: at most `most`, each once per round trip, and
   * in the long run no more octets than were sent. Returns the number of packets.
   */
  resend(row: number, sequences: readonly number[], nowMs: number, rttMs: number, most: number): number {
    const history = this.#histories[row];
    const clip = this.#clips[row];
    if (!history || !clip || !this.#active.includes(row)) return 0;
    const { resendOctets } = this.#columns;
    let resent = 0;
    for (const sequence of sequences) {
      if (resent === most || resendOctets[row]! < MAX_PAYLOAD_BYTES) return resent;
      const slot = history.take(sequence, nowMs, Math.max(rttMs, MIN_QUIET_MS));
      if (slot < 0) continue;
      resent += 1;
      const { packets, timestamps, pictureIds } = history;
      const bytes = this.#write(row, clip, packets[slot]!, pictureIds[slot]!);
      patchRtpHeader(this.#sockets.outgoing, this.#offset, sequence, timestamps[slot]!);
      resendOctets[row]! -= bytes;
      if (this.#sockets.send(row * 2, this.#offset, RTP_HEADER_BYTES + bytes))
        this.#memory.streams.packetsResent[row]! += 1;
    }
    return resent;
  }

  /** Writes a packet without sequence number and timestamp at `offset`; returns the number of payload bytes. */
  #write(row: number, clip: VideoPackets, packet: number, pictureId: number): number {
    const { outgoing } = this.#sockets;
    const start = payloadStart(clip, packet);
    const end = clip.ends[packet]!;
    const begin = this.#offset + RTP_HEADER_BYTES;
    writeRtpHeader(outgoing, this.#offset, this.#columns.payloadType[row]!, this.#memory.streams.localSsrc[row]!);
    if (clip.isLast[packet] === 1) outgoing[this.#offset + 1]! |= 0x80;
    this.#sources[row]!.copy(outgoing, begin, start, end);
    if (clip.pictureIdOffset >= 0) writePictureId(outgoing, begin + clip.pictureIdOffset, pictureId);
    return end - start;
  }
}
