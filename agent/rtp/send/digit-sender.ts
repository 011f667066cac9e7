/** Digits of all rows (RFC 4733): event packets in the slots of audio, and events from the peer. */
import { audioCodec } from '@carillon/media/codec/audio-codecs.ts';
import { DigitSchedule } from '@carillon/media/dtmf/digit-schedule.ts';
import { DIGITS, EVENT_PAYLOAD_BYTES, emptyEvent, readEvent, writeEvent } from '@carillon/media/dtmf/event-payload.ts';
import { noteSent, noteSignalled, observeDigit } from '@carillon/media/dtmf/receive-digits.ts';
import { RTP_HEADER_BYTES, type RtpPacket } from '@carillon/media/rtp/header.ts';
import { NO_PAYLOAD_TYPE } from '@carillon/media/rtp/receive-columns.ts';
import type { MediaMemory } from '../figures/stream-memory.ts';
import type { AudioFormat } from '../media-engine.ts';

/** The number of schedules that may wait after the current digits; further ones are refused. */
const MAX_WAITING_SCHEDULES = 8;
/** This is no sequence number of 16 bits. */
const NO_NUMBER = 0x10000;

export class DigitSender {
  readonly #memory: MediaMemory;
  readonly #playing: (DigitSchedule | null)[];
  readonly #waiting: DigitSchedule[][];
  readonly #begun: Uint32Array;
  readonly #formats: (AudioFormat | null)[];
  /**
   * The payload type of the peer's events by row. They are read for every packet, and contiguous so that they stay in
   * the caches.
   */
  readonly #eventTypes: Uint8Array;
  /** Units of the events' clock in one unit of the audio's, by row. */
  readonly #scale: Float64Array;
  /** A source that has sent an event, and the number that would confirm it, by row. */
  readonly #besideSsrc: Uint32Array;
  readonly #besideNext: Uint32Array;
  readonly #heard = emptyEvent();

  constructor(memory: MediaMemory) {
    this.#memory = memory;
    this.#playing = new Array(memory.capacity).fill(null);
    this.#waiting = Array.from({ length: memory.capacity }, () => []);
    this.#begun = new Uint32Array(memory.capacity);
    this.#formats = new Array(memory.capacity).fill(null);
    this.#eventTypes = new Uint8Array(memory.capacity).fill(NO_PAYLOAD_TYPE);
    this.#scale = new Float64Array(memory.capacity).fill(1);
    this.#besideSsrc = new Uint32Array(memory.capacity);
    this.#besideNext = new Uint32Array(memory.capacity).fill(NO_NUMBER);
  }

  /** A new stream of any kind starts on the row. */
  begin(row: number): void {
    this.#formats[row] = null;
    this.#besideNext[row] = NO_NUMBER;
    this.#eventTypes[row] = NO_PAYLOAD_TYPE;
    this.#playing[row] = null;
    this.#waiting[row]!.length = 0;
  }

  /** Applies the negotiated session. Digits in progress continue if the session still `sends`; otherwise they end. */
  agree(row: number, format: AudioFormat, sends: boolean): void {
    const [before, now] = [this.#formats[row]?.telephoneEvent, format.telephoneEvent];
    this.#formats[row] = format;
    this.#eventTypes[row] = now?.receivePayloadType ?? NO_PAYLOAD_TYPE;
    const audioHz = audioCodec(format.codec).clockRateHz;
    this.#memory.digits.clockHz[row] = now?.clockRateHz ?? audioHz;
    this.#scale[row] = (now?.clockRateHz ?? audioHz) / audioHz;
    if (sends && isSameSending(before, now)) return;
    this.#playing[row] = null;
    this.#waiting[row]!.length = 0;
  }

  /**
   * Sends digits after those in progress. No effect if the peer does not accept events. RangeError for an invalid
   * digit.
   */
  press(row: number, digits: string, onMs: number, offMs: number): void {
    const event = this.#formats[row]?.telephoneEvent;
    if (!event || this.#waiting[row]!.length >= MAX_WAITING_SCHEDULES) return;
    const unitsPerMs = event.clockRateHz / 1000;
    this.#waiting[row]!.push(new DigitSchedule(digits, Math.round(onMs * unitsPerMs), Math.round(offMs * unitsPerMs)));
    this.#playing[row] ??= this.#following(row);
  }

  /** A key was pressed by INFO. */
  signalled(row: number, way: 'SENT' | 'RECEIVED', digit: string, durationMs: number): void {
    const event = DIGITS.indexOf(digit);
    if (event < 0) return;
    const { digits } = this.#memory;
    if (way === 'SENT') noteSent(digits, row, event);
    else noteSignalled(digits, row, event, Math.round((durationMs * digits.clockHz[row]!) / 1000));
  }

  #following(row: number): DigitSchedule | null {
    this.#begun[row] = 0;
    return this.#waiting[row]!.shift() ?? null;
  }

  /** Whether packets of this payload type are events of the peer. */
  isEvent(row: number, payloadType: number): boolean {
    return this.#eventTypes[row] === payloadType;
  }

  isPressing(row: number): boolean {
    return this.#playing[row] !== null;
  }

  /**
   * For a row that is sending digits: the event packet of the slot that starts at `timestamp` (not reduced to 32 bits)
   * is written over the audio packet at `offset`, except its sequence number. Returns its payload length; 0: the slot
   * is for audio. Events on another clock than the audio's have timestamps of that clock.
   */
  fill(row: number, timestamp: number, step: number, bytes: Uint8Array, offset: number): number {
    const schedule = this.#playing[row]!;
    const format = this.#formats[row]!;
    const scale = this.#scale[row]!;
    const from = scale === 1 ? timestamp : Math.round(timestamp * scale);
    if (!schedule.next(from, scale === 1 ? step : Math.round((timestamp + step) * scale) - from)) {
      bytes[offset + 1] = format.sendPayloadType;
      if (schedule.done) this.#playing[row] = this.#following(row);
      return 0;
    }
    if (schedule.begun > this.#begun[row]!) {
      this.#begun[row] = schedule.begun;
      noteSent(this.#memory.digits, row, schedule.payload.event);
    }
    bytes[offset + 1] = (schedule.marker ? 0x80 : 0) | format.telephoneEvent!.sendPayloadType;
    const at = schedule.timestamp >>> 0;
    bytes[offset + 4] = at >>> 24;
    bytes[offset + 5] = at >>> 16;
    bytes[offset + 6] = at >>> 8;
    bytes[offset + 7] = at;
    writeEvent(bytes, offset + RTP_HEADER_BYTES, schedule.payload);
    return EVENT_PAYLOAD_BYTES;
  }

  /**
   * Events are accepted from the counted source; before it is known, from the source of the first event. They may also
   * come from a source of their own, as gateways and SIPp send them: such a source is accepted with its second packet
   * (RFC 3550, A.1), and then no third one is.
   */
  #isOfSource(row: number, { ssrc, sequence }: RtpPacket): boolean {
    const { received, digits } = this.#memory;
    if (received.known[row] === 1 && received.ssrc[row] === ssrc) return true;
    if (digits.known[row] === 1) return digits.ssrc[row] === ssrc;
    if (received.known[row] === 0) return true;
    const follows = this.#besideSsrc[row] === ssrc && this.#besideNext[row] === sequence;
    this.#besideSsrc[row] = ssrc;
    this.#besideNext[row] = (sequence + 1) & 0xffff;
    return follows;
  }

  /** Counts an event packet; it also has its place in the stream's sequence. */
  hear(row: number, packet: RtpPacket, bytes: Uint8Array): void {
    if (!this.#isOfSource(row, packet)) return;
    if (readEvent(bytes, packet.payloadOffset, packet.payloadBytes, this.#heard))
      observeDigit(this.#memory.digits, row, packet, this.#heard);
    else this.#memory.digits.malformed[row]! += 1;
  }
}

type Events = AudioFormat['telephoneEvent'];

const isSameSending = (a: Events, b: Events): boolean =>
  a != null && b != null && a.sendPayloadType === b.sendPayloadType && a.clockRateHz === b.clockRateHz;
