/**
 * Watches received video: requests lost packets (NACK), or a keyframe if a frame cannot be completed (PLI, or FIR if
 * PLI was not negotiated), and counts frames. media/video/frame-reception.ts defines frames and request times.
 */
import { encodeFir, encodeNack, encodePli } from '@carillon/media/rtcp/feedback.ts';
import type { RtpPacket } from '@carillon/media/rtp/header.ts';
import { FrameReception } from '@carillon/media/video/frame-reception.ts';
import { marksOf } from '@carillon/media/video/packet-marks.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { VideoFormat } from '../media-engine.ts';
import type { RtcpSessions } from '../rtcp/rtcp-session.ts';

/** A requested packet is expected within a round trip plus this. */
const ANSWER_MS = 20;
/** Waiting time for an answer before a round trip is known; its minimum and maximum. */
const UNKNOWN_RETRY_MS = 100;
const MIN_RETRY_MS = 30;
const MAX_RETRY_MS = 500;
/** The most packets that one NACK names. */
const MAX_NACKED = 64;

type Watch = {
  readonly format: VideoFormat;
  readonly frames: FrameReception;
  /** The watched source, and how often it restarted. */
  ssrc: number;
  restarts: number;
};

export class VideoReceiver {
  readonly #sockets: StreamSockets;
  readonly #memory: MediaMemory;
  readonly #rtcp: RtcpSessions;
  /** The offset in `outgoing` at which feedback may be written. */
  readonly #offset: number;
  readonly #watches: (Watch | undefined)[] = [];
  readonly #active: number[] = [];
  readonly #lost = new Uint16Array(MAX_NACKED);
  /** The number of the last FIR, and the state of frames at that time, by row. */
  readonly #firSequences: Uint8Array;
  readonly #firOutcomes: Float64Array;

  constructor(sockets: StreamSockets, memory: MediaMemory, rtcp: RtcpSessions, offset: number) {
    this.#sockets = sockets;
    this.#memory = memory;
    this.#rtcp = rtcp;
    this.#offset = offset;
    this.#firSequences = new Uint8Array(memory.capacity);
    this.#firOutcomes = new Float64Array(memory.capacity);
  }

  /** A new stream starts on the row; must be called before `start`. */
  begin(row: number): void {
    this.#firSequences[row] = 0;
    this.#firOutcomes[row] = -1;
  }

  /** Watches the row from now on. */
  start(row: number, format: VideoFormat): void {
    const frames = new FrameReception(this.#memory.streams, row);
    this.#watches[row] = { format, frames, ssrc: -1, restarts: 0 };
    this.#active.push(row);
  }

  stop(row: number): void {
    const at = this.#active.indexOf(row);
    if (at >= 0) this.#active.splice(at, 1);
    this.#watches[row] = undefined;
  }

  /** A packet of the negotiated peer, after it was counted (rtp/receive.ts); `bytes` is the datagram. */
  observe(row: number, packet: RtpPacket, bytes: Uint8Array, atMs: number): void {
    const watch = this.#watches[row];
    const { received } = this.#memory;
    // Packets that the statistics do not accept yet do not form frames either.
    if (!watch || packet.payloadType !== watch.format.receivePayloadType || received.ssrc[row] !== packet.ssrc) return;
    const restarts = received.restarts[row]!;
    if (watch.ssrc !== packet.ssrc || watch.restarts !== restarts) {
      watch.frames.startOver();
      watch.ssrc = packet.ssrc;
      watch.restarts = restarts;
    }
    const marks = marksOf(watch.format.codec, bytes, packet.payloadOffset, packet.payloadBytes);
    watch.frames.observe(packet.sequence, packet.timestamp, packet.marker, marks, atMs);
  }

  /** Sends due requests. */
  turn(nowMs: number): void {
    for (const row of this.#active) {
      const watch = this.#watches[row]!;
      if (watch.frames.dueAtMs <= nowMs) this.#ask(row, watch, nowMs);
    }
  }

  #ask(row: number, watch: Watch, nowMs: number): void {
    const { nack, pli, fir } = watch.format.feedback;
    const { streams } = this.#memory;
    const heard = this.#rtcp.reports(row);
    const retryMs = this.#retryMs(row);
    const count = watch.frames.collect(nowMs, retryMs, nack && heard, this.#lost);
    if (count > 0) {
      const write = (at: number, ours: number): number =>
        encodeNack(this.#sockets.outgoing, at, ours, watch.ssrc, this.#lost.subarray(0, count));
      if (this.#send(row, write)) streams.nacksSent[row]! += 1;
    }
    if (!watch.frames.takeKeyframeRequest(nowMs, retryMs) || !heard) return;
    if (pli) {
      if (this.#send(row, (at, ours) => encodePli(this.#sockets.outgoing, at, ours, watch.ssrc)))
        streams.plisSent[row]! += 1;
    } else if (fir) {
      const sequence = this.#firSequence(row);
      if (this.#send(row, (at, ours) => encodeFir(this.#sockets.outgoing, at, ours, watch.ssrc, sequence)))
        streams.firsSent[row]! += 1;
    }
  }

  /**
   * Incremented with each request, and the same in its repetitions (RFC 5104, 4.3.1.1). If frames were lost since the
   * last request, the answer may be lost: that is a new request, as it is after a keyframe.
   */
  #firSequence(row: number): number {
    const { keyframesReceived, framesLost } = this.#memory.streams;
    const outcome = keyframesReceived[row]! + framesLost[row]!;
    if (outcome !== this.#firOutcomes[row]) this.#firSequences[row]! += 1;
    this.#firOutcomes[row] = outcome;
    return this.#firSequences[row]!;
  }

  /** False: the feedback could not be sent. */
  #send(row: number, write: (at: number, ours: number) => number): boolean {
    const at = this.#rtcp.preface(row, this.#offset);
    return this.#rtcp.sendFeedback(row, this.#offset, write(at, this.#memory.streams.localSsrc[row]!));
  }

  #retryMs(row: number): number {
    const { rttCount, rttLastMs } = this.#memory.streams;
    if (rttCount[row] === 0) return UNKNOWN_RETRY_MS;
    return Math.min(Math.max(rttLastMs[row]! + ANSWER_MS, MIN_RETRY_MS), MAX_RETRY_MS);
  }
}
