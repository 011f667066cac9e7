/** A receiver's row, and packets for it: a G.711 stream of 20 ms. */

import { absentPackets, pausedPackets } from '../rtp/absence.ts';
import { columnsBytes, mapColumns } from '../rtp/columns.ts';
import { emptyRtpPacket, type RtpPacket } from '../rtp/header.ts';
import { observePacket } from '../rtp/receive.ts';
import { beginReceiving, numberedPackets, RECEIVE_COLUMNS, type ReceiveColumns } from '../rtp/receive-columns.ts';

export const STEP = 160;
const SSRC = 0x1234abcd;

export function oneRow(clockRateHz = 8000): ReceiveColumns {
  const c = mapColumns(RECEIVE_COLUMNS, 2, new SharedArrayBuffer(columnsBytes(RECEIVE_COLUMNS, 2)));
  beginReceiving(c, 1, 0, clockRateHz);
  return c;
}

export const packetOf = (sequence: number, timestamp: number, more: Partial<RtpPacket> = {}): RtpPacket => ({
  ...emptyRtpPacket(),
  payloadType: 0,
  sequence: sequence & 0xffff,
  timestamp: timestamp >>> 0,
  ssrc: SSRC,
  payloadBytes: 160,
  ...more,
});

/** Packet number n of a 20 ms stream, arriving `lateMs` after it was due. */
export const arrive = (c: ReceiveColumns, n: number, lateMs = 0, more: Partial<RtpPacket> = {}, first = 0): void =>
  observePacket(c, 1, packetOf(first + n, n * STEP, more), 1000 + n * 20 + lateMs);

/**
 * Packets that would have arrived without loss, absence and pause: by number, and by the clock, including a hole that
 * is open at `atMs`. Loss is a share of the numbered ones.
 */
export const expectedPackets = (c: ReceiveColumns, row: number, atMs = 0): number =>
  numberedPackets(c, row) + absentPackets(c, row, atMs) + pausedPackets(c, row);
