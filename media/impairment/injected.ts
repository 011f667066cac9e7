/**
 * Counts the effects of an impairment on a stream, independently: it shares no code with `rtp/`, whose figures are
 * tested against it. `unitsPerMs` is the RTP clock rate.
 */
import type { Columns } from '../rtp/columns.ts';
import type { RtpPacket } from '../rtp/header.ts';

export const INJECTED_COLUMNS = {
  offered: 'u32', // RTP datagrams that reached the impairment
  disturbed: 'u32', // reached it more than `DISTURBED_MS` later than the fastest before; caused by the host
  passed: 'u32',
  lost: 'u32', // between two packets that passed, as a receiver can see
  lossRuns: 'u32',
  duplicated: 'u32',
  reordered: 'u32',
  late: 'u32', // after the playout buffer, see `LATE_AFTER_MS`
  overflowed: 'u32', // queue full: delivered without delay
  jitterBefore: 'f64', // J of RFC 3550, and its sum over the packets, before and after the impairment
  jitterBeforeSum: 'f64',
  jitterAfter: 'f64',
  jitterAfterSum: 'f64',
  jitterCount: 'u32',

  // The state of the stream so far.
  lostSince: 'u32',
  extTimestamp: 'f64',
  offeredAny: 'u8',
  deliveredAny: 'u8',
  transitBefore: 'f64',
  leastBefore: 'f64',
  transitAfter: 'f64',
  leastTransit: 'f64',
  lastSequence: 'u32',
} as const;
export type InjectedColumns = Columns<typeof INJECTED_COLUMNS>;

/** The fixed playout buffer that defines lateness. */
export const LATE_AFTER_MS = 60;

/** If a packet is later than this, the playout buffer may decide otherwise than by the impairment alone. */
export const DISTURBED_MS = 10;

/** A datagram has arrived; it is passed on or lost. */
export function noteOffered(
  c: InjectedColumns,
  row: number,
  { timestamp, arrivalMs }: RtpPacket,
  passes: boolean,
  unitsPerMs: number,
): void {
  c.offered[row]! += 1;
  // The signed distance survives the wrap of the timestamp.
  c.extTimestamp[row]! += (timestamp - c.extTimestamp[row]!) | 0;
  const transit = arrivalMs - c.extTimestamp[row]! / unitsPerMs;
  if (c.offeredAny[row] === 1) {
    c.jitterBefore[row]! += (Math.abs(transit - c.transitBefore[row]!) - c.jitterBefore[row]!) / 16;
    c.jitterBeforeSum[row]! += c.jitterBefore[row]!;
    if (transit < c.leastBefore[row]!) c.leastBefore[row] = transit;
    if (transit - c.leastBefore[row]! > DISTURBED_MS) c.disturbed[row]! += 1;
  } else c.leastBefore[row] = transit;
  c.offeredAny[row] = 1;
  c.transitBefore[row] = transit;
  if (!passes) {
    if (c.passed[row]! > 0) c.lostSince[row]! += 1;
    return;
  }
  c.passed[row]! += 1;
  if (c.lostSince[row] === 0) return;
  c.lost[row]! += c.lostSince[row]!;
  c.lossRuns[row]! += 1;
  c.lostSince[row] = 0;
}

/** A datagram leaves the impairment at `atMs`, the first of its copies. */
export function noteDelivered(
  c: InjectedColumns,
  row: number,
  { sequence, timestamp }: RtpPacket,
  atMs: number,
  unitsPerMs: number,
): void {
  const extended = c.extTimestamp[row]! + ((timestamp - c.extTimestamp[row]!) | 0);
  const transit = atMs - extended / unitsPerMs;
  if (c.deliveredAny[row] === 0) {
    c.deliveredAny[row] = 1;
    c.lastSequence[row] = sequence;
    c.leastTransit[row] = transit;
  } else {
    c.jitterAfter[row]! += (Math.abs(transit - c.transitAfter[row]!) - c.jitterAfter[row]!) / 16;
    c.jitterAfterSum[row]! += c.jitterAfter[row]!;
    c.jitterCount[row]! += 1;
    if (((sequence - c.lastSequence[row]!) & 0xffff) < 0x8000) c.lastSequence[row] = sequence;
    else c.reordered[row]! += 1;
    if (transit < c.leastTransit[row]!) c.leastTransit[row] = transit;
    if (transit - c.leastTransit[row]! > LATE_AFTER_MS) c.late[row]! += 1;
  }
  c.transitAfter[row] = transit;
}

/** The record of one stream, complete once the stream has ended. */
export type Injected = {
  readonly offered: number;
  readonly disturbed: number;
  readonly passed: number;
  readonly lost: number;
  readonly lossRuns: number;
  readonly duplicated: number;
  readonly reordered: number;
  readonly late: number;
  readonly overflowed: number;
  /** The mean of J over the packets; NaN if there was none. */
  readonly jitterBeforeMs: number;
  readonly jitterAfterMs: number;
};

export const injectedOf = (c: InjectedColumns, row: number): Injected => ({
  offered: c.offered[row]!,
  disturbed: c.disturbed[row]!,
  passed: c.passed[row]!,
  lost: c.lost[row]!,
  lossRuns: c.lossRuns[row]!,
  duplicated: c.duplicated[row]!,
  reordered: c.reordered[row]!,
  late: c.late[row]!,
  overflowed: c.overflowed[row]!,
  jitterBeforeMs: c.offered[row]! > 1 ? c.jitterBeforeSum[row]! / (c.offered[row]! - 1) : Number.NaN,
  jitterAfterMs: c.jitterCount[row]! > 0 ? c.jitterAfterSum[row]! / c.jitterCount[row]! : Number.NaN,
});
