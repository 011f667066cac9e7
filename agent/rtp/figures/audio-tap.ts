/**
 * Copies a few received payloads per stream, on request: the reader draws some instants, and from each on the media
 * thread copies the next two packets into the row's slots until they are full. Without a request nothing is copied. The
 * instants are drawn because sounds that repeat at the rhythm of the requests would be analysed always or never: a busy
 * tone, a beep every second.
 */
import { type Columns, columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import type { RtpPacket } from '@carillon/media/rtp/header.ts';

/** Decoders of G.722 and Opus need the previous packet. */
export const SET = 2;
/** The number of instants in a request. */
export const SETS = 4;
const SLOTS = SET * SETS;
/** The bytes of 60 ms of G.711, and of most Opus packets; longer packets are left out. */
export const SLOT_BYTES = 512;
/** The span from which the instants of a request are drawn: a request is made about every second. */
const SPAN_MS = 1000;

export const TAP_COLUMNS = {
  wanted: 'u32', // written by the reader, counted down by the thread: 0 again means that the slots are full
  fromMs: ['f64', SETS], // the drawn instants, ascending
  payload: ['u8', SLOTS * SLOT_BYTES],
  payloadBytes: ['u32', SLOTS],
  payloadType: ['u8', SLOTS],
} as const;
export type TapColumns = Columns<typeof TAP_COLUMNS>;

export const tapBytes = (capacity: number): number => columnsBytes(TAP_COLUMNS, capacity);
export const mapTap = (buffer: SharedArrayBuffer, capacity: number, offset: number): TapColumns =>
  mapColumns(TAP_COLUMNS, capacity, buffer, offset);

/** The media thread calls this for a packet of the stream while `wanted` is not 0. */
export function tapPacket(c: TapColumns, row: number, bytes: Uint8Array, packet: RtpPacket, atMs: number): void {
  const wanted = c.wanted[row]!;
  const at = SLOTS - wanted;
  if (packet.payloadBytes > SLOT_BYTES || (at % SET === 0 && atMs < c.fromMs[row * SETS + at / SET]!)) return;
  const slot = row * SLOTS + at;
  const to = slot * SLOT_BYTES;
  for (let i = 0; i < packet.payloadBytes; i++) c.payload[to + i] = bytes[packet.payloadOffset + i]!;
  c.payloadBytes[slot] = packet.payloadBytes;
  c.payloadType[slot] = packet.payloadType;
  // A request made in the meantime starts at the first slot.
  Atomics.compareExchange(c.wanted, row, wanted, wanted - 1);
}

/**
 * The reader requests packets from drawn instants after `atMs` on, in place of those of the first `heard` sets. The
 * others stay, and the `begun` packets of the next set are continued: a packet after a reading is as likely as any
 * other. `random`: 0 to 1.
 */
export function askForPayloads(
  c: TapColumns,
  row: number,
  { atMs, random }: { readonly atMs: number; readonly random: () => number },
  heard: number = SETS,
  begun = 0,
): void {
  const instants = c.fromMs.subarray(row * SETS, (row + 1) * SETS);
  for (let i = 0; i < heard; i++) instants[i] = atMs + SPAN_MS * random();
  instants.sort();
  const first = row * SLOTS;
  if (begun > 0) {
    const from = first + heard * SET;
    c.payload.copyWithin(first * SLOT_BYTES, from * SLOT_BYTES, (from + begun) * SLOT_BYTES);
    c.payloadBytes.copyWithin(first, from, from + begun);
    c.payloadType.copyWithin(first, from, from + begun);
  }
  c.payloadBytes.fill(0, first + begun, first + SLOTS);
  Atomics.store(c.wanted, row, SLOTS - begun);
}

/** The reader gets the number of slots that are filled, from the first one on. */
export const filledSlots = (c: TapColumns, row: number): number => SLOTS - Atomics.load(c.wanted, row);

/** A copied payload; a view that the next request invalidates. */
export function tapped(c: TapColumns, row: number, index: number): { payloadType: number; octets: Uint8Array } {
  const slot = row * SLOTS + index;
  const from = slot * SLOT_BYTES;
  return {
    payloadType: c.payloadType[slot]!,
    octets: c.payload.subarray(from, from + c.payloadBytes[slot]!),
  };
}
