/** Our report about the received packets of a row: RFC 3550, 6.4.1 and A.3. */
import { expectedOfSource, lostOfSource, type ReceiveColumns } from '../rtp/receive-columns.ts';
import type { ReportBlock } from './packets.ts';
import { toDlsr } from './round-trip.ts';

const LOST_MIN = -0x800000;
const LOST_MAX = 0x7fffff;

/**
 * The block about the current source of `row`; null if no packet has arrived since the last block (6.4.2). Stores its
 * values: the next block's fraction counts from here. `nowMs` is on the clock of the arrival times.
 */
export function takeReportBlock(c: ReceiveColumns, row: number, nowMs: number): ReportBlock | null {
  if (c.known[row] === 0 || c.packets[row] === c.packetsPrior[row]) return null;
  const expected = expectedOfSource(c, row);
  const expectedInterval = expected - c.expectedPrior[row]!;
  const lostInterval = expectedInterval - (c.packets[row]! - c.packetsPrior[row]!);
  c.expectedPrior[row] = expected;
  c.packetsPrior[row] = c.packets[row]!;
  const ssrc = c.ssrc[row]!;
  const heard = c.lastSenderReport[row] !== 0 && c.lastSenderReportSsrc[row] === ssrc;
  return {
    ssrc,
    fractionLost: lostInterval <= 0 ? 0 : Math.min(255, Math.floor((256 * lostInterval) / expectedInterval)),
    cumulativeLost: Math.min(LOST_MAX, Math.max(LOST_MIN, lostOfSource(c, row))),
    highestSequence: c.extMax[row]! % 0x1_0000_0000,
    jitter: Math.floor(c.jitter[row]!),
    lsr: heard ? c.lastSenderReport[row]! : 0,
    dlsr: heard ? toDlsr(nowMs - c.lastSenderReportAtMs[row]!) : 0,
  };
}

/** Remembers a sender report of `ssrc` for LSR and DLSR; `middle` is the middle 32 bits of its NTP timestamp. */
export function noteSenderReport(
  c: ReceiveColumns,
  row: number,
  ssrc: number,
  middle: number,
  arrivalMs: number,
): void {
  c.lastSenderReport[row] = middle;
  c.lastSenderReportAtMs[row] = arrivalMs;
  c.lastSenderReportSsrc[row] = ssrc;
}
