/** The telephone-event payload (RFC 4733, 2.3): event, E bit, volume, duration. */

/** Digits by their event code (RFC 4733, 3.2). */
export const DIGITS = '0123456789*#ABCD';

export const EVENT_PAYLOAD_BYTES = 4;
/** Longer events are sent in segments (RFC 4733, 2.5.1.3). */
export const MAX_DURATION = 0xffff;

export type EventPayload = {
  /** 0 to 255; 0 to 15 are digits. */
  event: number;
  end: boolean;
  /** Power below 0 dBm0, dB, 0 to 63. */
  volume: number;
  /** Duration of the event so far, in timestamp units. */
  duration: number;
};

export const emptyEvent = (): EventPayload => ({ event: 0, end: false, volume: 0, duration: 0 });

export function writeEvent(bytes: Uint8Array, offset: number, e: Readonly<EventPayload>): void {
  bytes[offset] = e.event;
  bytes[offset + 1] = (e.end ? 0x80 : 0) | (e.volume & 0x3f);
  bytes[offset + 2] = e.duration >>> 8;
  bytes[offset + 3] = e.duration;
}

/**
 * False, and `into` undefined, if there are fewer than four bytes. Further bytes (another event, or padding) are not
 * read.
 */
export function readEvent(bytes: Uint8Array, offset: number, length: number, into: EventPayload): boolean {
  if (length < EVENT_PAYLOAD_BYTES) return false;
  const second = bytes[offset + 1]!;
  into.event = bytes[offset]!;
  into.end = second > 0x7f;
  into.volume = second & 0x3f;
  into.duration = (bytes[offset + 2]! << 8) | bytes[offset + 3]!;
  return true;
}
