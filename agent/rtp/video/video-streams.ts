/** Video of a media thread: sending, receiving, and the feedback between both ends. */
import { decodeFeedback, type Feedback } from '@carillon/media/rtcp/feedback.ts';
import type { RtpPacket } from '@carillon/media/rtp/header.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { StreamSession, StreamSource, VideoFormat } from '../media-engine.ts';
import type { RtcpSessions } from '../rtcp/rtcp-session.ts';
import type { FirstNumbers } from '../send/packet-sender.ts';
import type { LoadedVideo } from '../send/playlists.ts';
import { VideoClips } from './video-clips.ts';
import { VideoReceiver } from './video-receiver.ts';
import { MAX_RESENT, VideoSender } from './video-sender.ts';

export type VideoSession = StreamSession & { readonly format: VideoFormat; readonly source: VideoSource };
type VideoSource = Extract<StreamSource, 'PATTERN' | `FILE:${string}`>;

/** Whether the negotiated format is video that could be sent here. */
export const isVideoPlayable = (session: StreamSession): session is VideoSession =>
  session.format.kind === 'VIDEO' && (session.source === 'PATTERN' || session.source.startsWith('FILE:'));

/** The assumed round trip before one is known. */
const UNKNOWN_RTT_MS = 50;

export class VideoStreams {
  readonly #memory: MediaMemory;
  readonly #clips = new VideoClips();
  readonly #sender: VideoSender;
  readonly #receiver: VideoReceiver;
  readonly #sockets: StreamSockets;
  /** 1 if the row is video. */
  readonly #rows: Uint8Array;
  /** The number of the last FIR by row, 256 before the first. */
  readonly #firSequences: Uint16Array;
  #count = 0;

  constructor(sockets: StreamSockets, memory: MediaMemory, rtcp: RtcpSessions, offset: number) {
    this.#memory = memory;
    this.#sockets = sockets;
    this.#rows = new Uint8Array(memory.capacity);
    this.#firSequences = new Uint16Array(memory.capacity);
    this.#sender = new VideoSender(sockets, memory, offset);
    this.#receiver = new VideoReceiver(sockets, memory, rtcp, offset);
  }

  prepare(): void {
    this.#clips.prepare();
  }

  has(row: number): boolean {
    return this.#rows[row] === 1;
  }

  /** A new stream starts on the row; must be called before `send` and `receive`. */
  begin(row: number, first: FirstNumbers): void {
    this.#rows[row] = 1;
    this.#firSequences[row] = 256;
    this.#count += 1;
    this.#sender.begin(row, first);
    this.#receiver.begin(row);
  }

  load(video: LoadedVideo): void {
    this.#clips.load(video);
  }

  unload(source: string): void {
    this.#clips.unload(source);
  }

  /** False: the video was not loaded, or not in this format; nothing is sent. */
  send(row: number, { format, source }: VideoSession): boolean {
    const clip = this.#clips.find(source, format);
    if (clip) this.#sender.start(row, format.sendPayloadType, clip, this.#sockets.nowMs());
    return clip !== undefined;
  }

  receive(row: number, { format }: VideoSession): void {
    this.#receiver.start(row, format);
  }

  /** Stops sending and watching for now. */
  pause(row: number): void {
    this.#sender.stop(row);
    this.#receiver.stop(row);
  }

  end(row: number): void {
    if (!this.has(row)) return;
    this.pause(row);
    this.#rows[row] = 0;
    this.#count -= 1;
  }

  turn(nowMs: number): void {
    if (this.#count === 0) return;
    this.#sender.sendDue(nowMs);
    this.#receiver.turn(nowMs);
  }

  renumber(row: number, highest: number | null): void {
    this.#sender.renumber(row, highest);
  }

  timestampAt(row: number, atMs: number): number {
    return this.#sender.timestampAt(row, atMs);
  }

  observe(row: number, packet: RtpPacket, bytes: Uint8Array, atMs: number): void {
    this.#receiver.observe(row, packet, bytes, atMs);
  }

  /**
   * Reads the feedback in a compound of the peer: the first `length` bytes of `incoming`. False: it contains none that
   * could be answered.
   */
  takeFeedback(row: number, length: number, atMs: number): boolean {
    const list = decodeFeedback(this.#sockets.incoming, 0, length);
    if (list === null) return false;
    let mayResend = MAX_RESENT;
    for (const feedback of list) mayResend -= this.#obey(row, feedback, atMs, mayResend);
    return true;
  }

  /** Returns the number of packets that were sent again, at most `mayResend`. */
  #obey(row: number, feedback: Feedback, atMs: number, mayResend: number): number {
    const { streams } = this.#memory;
    const ssrc = streams.localSsrc[row]!;
    const rttMs = streams.rttCount[row]! > 0 ? streams.rttLastMs[row]! : UNKNOWN_RTT_MS;
    if (feedback.kind === 'NACK' && feedback.mediaSsrc === ssrc) {
      streams.nacksReceived[row]! += 1;
      return this.#sender.resend(row, feedback.sequences, atMs, rttMs, mayResend);
    }
    if (feedback.kind === 'PLI' && feedback.mediaSsrc === ssrc) {
      streams.plisReceived[row]! += 1;
      this.#sender.wantKeyframe(row, atMs, rttMs);
    }
    if (feedback.kind !== 'FIR') return 0;
    for (const request of feedback.requests) {
      // The same number repeats the same request (RFC 5104, 4.3.1.1).
      if (request.ssrc !== ssrc || this.#firSequences[row] === request.sequenceNumber) continue;
      this.#firSequences[row] = request.sequenceNumber;
      streams.firsReceived[row]! += 1;
      this.#sender.wantKeyframe(row, atMs, rttMs);
    }
    return 0;
  }
}
