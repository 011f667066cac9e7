/**
 * Copies of a few received payloads per stream, made by the media thread on request: the reader draws some instants, and
 * from each on the thread copies the next two packets into the row's slots until they are full. Without a request nothing is
 * copied. The instants are drawn because anything that comes back at the rhythm of the requests would be heard always or
 * never: a busy tone, a beep every second.
 */
import { type Columns, columnsBytes, mapColumns } from '@carillon/media/rtp/columns.ts';
import type { RtpPacket } from '@carillon/media/rtp/header.ts';

/** Decoders of G.722 and Opus need the packet before. */
export const SET = 2;
/** Instants of a request. */
export const SETS = 4;
export const SLOTS = SET * SETS;
/** 60 ms of G.711, and most Opus packets; longer ones are left out. */
export const SLOT_BYTES = 512;
/** The instants of a request are drawn from so long: a request is made about every second. */
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

/** Media thread, for a packet of the stream while `wanted` is not 0. */
export function tapPacket(c: TapColumns, row: number, bytes: Uint8Array, packet: RtpPacket, atMs: number): void {
  const at = SLOTS - c.wanted[row]!;
  if (packet.payloadBytes > SLOT_BYTES || (at % SET === 0 && atMs < c.fromMs[row * SETS + at / SET]!)) return;
  const slot = row * SLOTS + at;
  const to = slot * SLOT_BYTES;
  for (let i = 0; i < packet.payloadBytes; i++) c.payload[to + i] = bytes[packet.payloadOffset + i]!;
  c.payloadBytes[slot] = packet.payloadBytes;
  c.payloadType[slot] = packet.payloadType;
  Atomics.sub(c.wanted, row, 1);
}

/** Reader: requests packets from drawn instants after `atMs` on; `random`: 0 to 1. */
export function askForPayloads(c: TapColumns, row: number, atMs: number, random: () => number): void {
  const instants = c.fromMs.subarray(row * SETS, (row + 1) * SETS);
  for (let i = 0; i < SETS; i++) instants[i] = atMs + SPAN_MS * random();
  instants.sort();
  Atomics.store(c.wanted, row, SLOTS);
}

/** Reader: true if the request is fulfilled. */
export const isTapped = (c: TapColumns, row: number): boolean => Atomics.load(c.wanted, row) === 0;

/** Reader: has done with it. */
export function forget(c: TapColumns, row: number, index: number): void {
  c.payloadBytes[row * SLOTS + index] = 0;
}

/** A copied payload; a view that the next asking invalidates. */
export function tapped(c: TapColumns, row: number, index: number): { payloadType: number; octets: Uint8Array } {
  const slot = row * SLOTS + index;
  const from = slot * SLOT_BYTES;
  return {
    payloadType: c.payloadType[slot]!,
    octets: c.payload.subarray(from, from + c.payloadBytes[slot]!),
  };
}
