/**
 * Sends due packets. A packet that is up to one packet time late is sent, and its lateness counts as pacing error: the
 * jitter buffer of any phone absorbs it. A later packet is skipped and counted: the RTP timestamp advances over it, the
 * sequence number does not. The far end sees a silence (RFC 3551, 4.1), not a loss that no network caused.
 */

import type { PayloadFrames } from '@carillon/media/audio/frames.ts';
import { audioCodecOf } from '@carillon/media/codec/audio-codecs.ts';
import { add } from '@carillon/media/quality/histogram.ts';
import { columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import { patchRtpHeader, RTP_HEADER_BYTES, writeRtpHeader } from '@carillon/media/rtp/header.ts';
import type { StreamSockets } from '../../net/streams/stream-sockets.ts';
import { traceHeader } from '../figures/header-trace.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { AudioFormat, StreamSession, StreamSource } from '../media-engine.ts';
import type { DigitSender } from './digit-sender.ts';
import { type LoadedAudio, Playlists } from './playlists.ts';
import { SendWheel } from './send-wheel.ts';

/** Header, 60 ms of G.711 and a tag; a multiple of 64, so that no two streams share a cache line. */
export const PACKET_BYTES = 512;
export const MAX_PACKET_MS = 60;

/** The clock is read once for this many packets: 32 sends take about 0.15 ms. */
const CLOCK_BATCH = 32;
/**
 * A stream that sends at least this often is polled in its slots; packets received on others do not wait for theirs.
 */
const MAX_ROUND_MS = 20;
/** Stands for the length of a packet that could not be sent. */
const REFUSED = -1;

const SENDER_COLUMNS = {
  sequence: 'u32',
  firstTimestamp: 'u32', // of the tick `firstTick`, at which sending started or restarted
  firstTick: 'f64',
  timestampStep: 'u32',
  firstFrame: 'u32', // of the playlist
  unitsPerMs: 'f64', // of the RTP clock; 0: nothing was sent yet
} as const;

/** The most bytes that SRTP adds to a payload (RFC 7714). */
const TAG_BYTES = 16;

export type PlayableAudio = StreamSession & { readonly format: AudioFormat };

/** Whether the negotiated format can be sent here. */
export const isPlayableAudio = (session: StreamSession): session is PlayableAudio =>
  session.format.kind === 'AUDIO' && audioCodecOf(session.format.codec) !== null && session.source !== 'PATTERN';

export type FirstNumbers = { readonly sequence: number; readonly timestamp: number };

/**
 * The next sequence number under another SRTP key: after the highest used with the key or, if null, any in the lower
 * half, so that losses at the start cannot hide the first rollover (RFC 3711, 3.3.1).
 */
export const renumbered = (sequence: number, highest: number | null): number =>
  highest === null ? sequence & 0x7fff : (highest + 1) & 0xffff;

export class PacketSender {
  readonly #sockets: StreamSockets;
  readonly #memory: MediaMemory;
  readonly #columns;
  readonly #digits: DigitSender;
  readonly #wheel: SendWheel;
  readonly #playing: (PayloadFrames | undefined)[];
  readonly #playlists = new Playlists(PACKET_BYTES - RTP_HEADER_BYTES - TAG_BYTES);
  readonly #originMs: number;
  #lastTick = 0;
  /** The lengths of the packets in the current batch. */
  readonly #lengths = new Int32Array(CLOCK_BATCH);

  constructor(sockets: StreamSockets, memory: MediaMemory, digits: DigitSender) {
    this.#digits = digits;
    this.#sockets = sockets;
    this.#memory = memory;
    this.#columns = mapColumns(
      SENDER_COLUMNS,
      memory.capacity,
      new ArrayBuffer(columnsBytes(SENDER_COLUMNS, memory.capacity)),
    );
    this.#wheel = new SendWheel(memory.capacity);
    this.#playing = new Array(memory.capacity).fill(undefined);
    this.#originMs = Math.ceil(sockets.nowMs());
  }

  get nextTickMs(): number {
    return this.#originMs + this.#lastTick + 1;
  }

  /** Skips the ticks until now, in which nothing was planned. */
  resume(nowMs: number): void {
    this.#lastTick = Math.max(this.#lastTick, Math.floor(nowMs - this.#originMs));
  }

  /** Encodes signals in advance, because that takes too long while streams are waiting. */
  prepare(): void {
    this.#playlists.prepare();
  }

  load(audio: LoadedAudio): void {
    this.#playlists.load(audio);
  }

  unload(source: string): void {
    this.#playlists.unload(source);
  }

  /** A new stream with its initial numbers starts on the row. */
  begin(row: number, first: FirstNumbers): void {
    this.#columns.sequence[row] = first.sequence;
    this.#columns.firstTimestamp[row] = first.timestamp;
    this.#columns.firstTick[row] = this.#lastTick;
    this.#columns.unitsPerMs[row] = 0;
  }

  /** The row has another SRTP key: see `renumbered`. */
  renumber(row: number, highest: number | null): void {
    const { sequence } = this.#columns;
    sequence[row] = renumbered(sequence[row]!, highest);
  }

  /**
   * Puts the stream on the timetable, initially or after a `stop`: its timestamps have advanced in the meantime. Its
   * socket is connected. False: its audio was not loaded, and nothing is sent.
   */
  start(row: number, { format, source, direction }: PlayableAudio): boolean {
    const { packetMs } = format;
    const columns = this.#columns;
    const playlist = this.#playlists.find(source, format.codec, packetMs);
    if (!playlist) return false;
    const tick = this.#wheel.add(row, packetMs, this.#lastTick);
    this.#playing[row] = playlist;
    columns.firstTimestamp[row] = this.timestampAt(row, this.#originMs + tick);
    columns.firstTick[row] = tick;
    columns.timestampStep[row] = playlist.timestampStep;
    columns.firstFrame[row] = firstFrame(source, this.#memory.streams.endpointNumber[row]!, playlist.length);
    columns.unitsPerMs[row] = playlist.timestampStep / packetMs;
    this.rename(row);
    if (direction === 'BOTH' && packetMs <= MAX_ROUND_MS) this.#sockets.pollEvery(row * 2, packetMs);
    return true;
  }

  /** The row has another SSRC. */
  rename(row: number): void {
    const { sendPayloadType, localSsrc } = this.#memory.streams;
    writeRtpHeader(this.#sockets.outgoing, row * PACKET_BYTES, sendPayloadType[row]!, localSsrc[row]!);
  }

  stop(row: number): void {
    this.#wheel.remove(row);
    this.#sockets.watch(row * 2);
  }

  /** The RTP timestamp of an instant, for sender reports (RFC 3550, 6.4.1: on the media's own clock, not of the last packet). */
  timestampAt(row: number, atMs: number): number {
    const sinceFirstMs = atMs - this.#originMs - this.#columns.firstTick[row]!;
    return (this.#columns.firstTimestamp[row]! + Math.round(sinceFirstMs * this.#columns.unitsPerMs[row]!)) >>> 0;
  }

  /** Sends everything that was due since the last call. */
  sendDue(nowMs: number): void {
    const until = Math.floor(nowMs - this.#originMs);
    while (this.#lastTick < until) {
      this.#lastTick += 1;
      for (const { packetMs, slots } of this.#wheel.wheels) {
        const rows = slots[this.#lastTick % packetMs]!;
        if (rows.length > 0) this.#sendSlot(rows, this.#lastTick, packetMs);
      }
    }
  }

  #sendSlot(rows: readonly number[], tick: number, packetMs: number): void {
    const { noise, pacingErrorMs } = this.#memory;
    const plannedMs = this.#originMs + tick;
    noise.slotsPlanned[0]! += rows.length;
    for (let i = 0; i < rows.length; i++) this.#sockets.poll(rows[i]! * 2);
    for (let from = 0; from < rows.length; from += CLOCK_BATCH) {
      const lateMs = this.#sockets.nowMs() - plannedMs;
      if (lateMs > packetMs) {
        this.#skip(rows, from);
        return;
      }
      const to = Math.min(rows.length, from + CLOCK_BATCH);
      this.#sendBatch(rows, from, to, tick, packetMs);
      add(pacingErrorMs, lateMs, to - from);
    }
  }

  #skip(rows: readonly number[], from: number): void {
    this.#memory.noise.slotsSkipped[0]! += rows.length - from;
    for (let i = from; i < rows.length; i++) this.#memory.streams.sendsSkipped[rows[i]!]! += 1;
  }

  /** All packets are written before the first is sent: alternating with the kernel's code would evict ours from the caches. */
  #sendBatch(rows: readonly number[], from: number, to: number, tick: number, packetMs: number): void {
    const sockets = this.#sockets;
    const lengths = this.#lengths;
    for (let i = from; i < to; i++) lengths[i - from] = this.#write(rows[i]!, tick, packetMs);
    for (let i = from; i < to; i++)
      if (!sockets.send(rows[i]! * 2, rows[i]! * PACKET_BYTES, lengths[i - from]!)) lengths[i - from] = REFUSED;
    for (let i = from; i < to; i++) this.#note(rows[i]!, lengths[i - from]!);
  }

  /** Writes the row's packet of this tick; returns its length. */
  #write(row: number, tick: number, packetMs: number): number {
    const columns = this.#columns;
    // The result is an integer, and marked as such: a remainder of floats costs ten times as much.
    const packets = ((tick - columns.firstTick[row]!) / packetMs) | 0;
    const playlist = this.#playing[row]!;
    const frame = playlist.at(((columns.firstFrame[row]! + packets) | 0) % playlist.length);
    const offset = row * PACKET_BYTES;
    const step = columns.timestampStep[row]!;
    const timestamp = columns.firstTimestamp[row]! + packets * step;
    patchRtpHeader(this.#sockets.outgoing, offset, columns.sequence[row]!, timestamp >>> 0);
    const eventBytes = this.#digits.isPressing(row)
      ? this.#digits.fill(row, timestamp, step, this.#sockets.outgoing, offset)
      : 0;
    if (eventBytes === 0) this.#sockets.outgoing.set(frame, offset + RTP_HEADER_BYTES);
    return RTP_HEADER_BYTES + (eventBytes === 0 ? frame.length : eventBytes);
  }

  #note(row: number, length: number): void {
    const { streams, noise, headers } = this.#memory;
    if (length === REFUSED) {
      streams.sendErrors[row]! += 1;
      noise.sendErrors[0]! += 1;
      return;
    }
    const { sequence } = this.#columns;
    sequence[row] = (sequence[row]! + 1) & 0xffff;
    streams.packetsSent[row]! += 1;
    streams.octetsSent[row]! += length - RTP_HEADER_BYTES;
    noise.slotsSent[0]! += 1;
    if (headers.sentLeft[row] !== 0)
      traceHeader(headers, streams, row, {
        sent: true,
        atMs: this.#sockets.nowMs(),
        header: this.#sockets.outgoing.subarray(row * PACKET_BYTES, row * PACKET_BYTES + RTP_HEADER_BYTES),
        packetBytes: length,
      });
  }
}

/** The fractional part of the golden ratio: for any count, neighbours start far apart. */
const SPREAD = 0.618_033_988_75;

/** The frame of its recording at which an endpoint starts, so that a thousand calls are not synchronous. Tones are uniform. */
const firstFrame = (source: StreamSource, endpointNumber: number, count: number): number =>
  source === 'TONE' || source === 'SILENCE' ? 0 : Math.floor(((endpointNumber * SPREAD) % 1) * count);
