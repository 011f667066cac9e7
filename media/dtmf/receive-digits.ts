/**
 * Recognizes digits in event packets: one for each SSRC, timestamp and event, regardless of lost, repeated or late
 * packets (RFC 4733, 2.5.2).
 */

import type { Columns } from '../rtp/columns.ts';
import type { RtpPacket } from '../rtp/header.ts';
import { DIGITS, type EventPayload, MAX_DURATION } from './event-payload.ts';

/** The number of digits that a row stores, sent and received; further ones are only counted. */
const DIGITS_KEPT = 32;

export const DIGIT_COLUMNS = {
  clockHz: 'u32', // the events' clock
  digits: 'u32',
  text: ['u8', DIGITS_KEPT], // event codes
  durations: ['u32', DIGITS_KEPT], // in units of `clockHz`, as far as received
  volumes: ['u8', DIGITS_KEPT],
  otherEvents: 'u32', // flash, tones: no digits
  malformed: 'u32',

  known: 'u8',
  ssrc: 'u32',
  timestamp: 'u32', // that of the present event or segment
  event: 'u32',
  before: 'u32', // duration of the previous segments

  sent: 'u32', // digits
  sentText: ['u8', DIGITS_KEPT],
} as const;
export type DigitColumns = Columns<typeof DIGIT_COLUMNS>;

/** Counts one event packet of the negotiated payload type. */
export function observeDigit(c: DigitColumns, row: number, packet: RtpPacket, e: Readonly<EventPayload>): void {
  const isSource = c.known[row] === 1 && c.ssrc[row] === packet.ssrc;
  const ahead = (packet.timestamp - c.timestamp[row]!) | 0;
  // The packet belongs to a finished event, or to a previous segment: it is late.
  if (isSource && ahead < 0) return;
  const isSame = isSource && e.event === c.event[row];
  if (isSame && ahead === MAX_DURATION && !packet.marker) {
    c.before[row]! += MAX_DURATION;
    c.timestamp[row] = packet.timestamp;
  } else if (!isSource || ahead > 0) begin(c, row, packet, e);
  // Two events cannot start at the same instant.
  else if (!isSame) return;
  const digit = c.digits[row]! - 1;
  if (e.event >= DIGITS.length || digit < 0 || digit >= DIGITS_KEPT) return;
  const at = row * DIGITS_KEPT + digit;
  c.durations[at] = Math.max(c.durations[at]!, c.before[row]! + e.duration);
}

function begin(c: DigitColumns, row: number, packet: RtpPacket, e: Readonly<EventPayload>): void {
  c.known[row] = 1;
  c.ssrc[row] = packet.ssrc;
  c.timestamp[row] = packet.timestamp;
  c.event[row] = e.event;
  c.before[row] = 0;
  if (e.event >= DIGITS.length) {
    c.otherEvents[row]! += 1;
    return;
  }
  const digit = c.digits[row]!;
  c.digits[row] = digit + 1;
  if (digit >= DIGITS_KEPT) return;
  c.text[row * DIGITS_KEPT + digit] = e.event;
  c.volumes[row * DIGITS_KEPT + digit] = e.volume;
}

export type ReceivedDigit = {
  readonly digit: string;
  /** The received part: if the last packet is lost, it is too short. */
  readonly durationMs: number;
  /** Power below 0 dBm0, dB. */
  readonly volume: number;
};

export function receivedDigits(c: DigitColumns, row: number, unitsPerMs: number): ReceivedDigit[] {
  return Array.from({ length: Math.min(DIGITS_KEPT, c.digits[row]!) }, (_, i) => ({
    digit: DIGITS[c.text[row * DIGITS_KEPT + i]!]!,
    durationMs: c.durations[row * DIGITS_KEPT + i]! / unitsPerMs,
    volume: c.volumes[row * DIGITS_KEPT + i]!,
  }));
}

const textOf = (codes: Uint8Array, row: number, count: number): string =>
  Array.from(
    codes.subarray(row * DIGITS_KEPT, row * DIGITS_KEPT + Math.min(DIGITS_KEPT, count)),
    (c) => DIGITS[c],
  ).join('');

export const receivedText = (c: DigitColumns, row: number): string => textOf(c.text, row, c.digits[row]!);
export const sentText = (c: DigitColumns, row: number): string => textOf(c.sentText, row, c.sent[row]!);

/** A digit received by signalling (INFO): recorded like an event packet, without a volume. */
export function noteSignalled(c: DigitColumns, row: number, event: number, durationUnits: number): void {
  const digit = c.digits[row]!;
  c.digits[row] = digit + 1;
  if (digit >= DIGITS_KEPT) return;
  const at = row * DIGITS_KEPT + digit;
  c.text[at] = event;
  c.durations[at] = durationUnits;
}

/** Called when the far end starts to send a digit. */
export function noteSent(c: DigitColumns, row: number, event: number): void {
  const sent = c.sent[row]!;
  c.sent[row] = sent + 1;
  if (sent < DIGITS_KEPT) c.sentText[row * DIGITS_KEPT + sent] = event;
}
