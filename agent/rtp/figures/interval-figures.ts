/** A row's counts at one instant, and the figures of an interval between two of them. */
import { absentPackets, pausedPackets } from '@carillon/media/rtp/absence.ts';
import {
  lostPackets,
  numberedPackets,
  type ReceiveColumns,
  readConsistently,
} from '@carillon/media/rtp/receive-columns.ts';
import type { MediaMemory } from './stream-memory.ts';

/**
 * The sums of a row. All of them only grow, with two exceptions: `lost` falls when a packet counted as lost arrives,
 * and `absent` falls when the packet that closes a hole shows that it was of another kind, or when packets of it arrive
 * late.
 */
export type IntervalCounts = {
  packetsSent: number;
  octetsSent: number;
  packets: number;
  octets: number;
  /** Packets that the peer has sent, by their numbers. */
  numbered: number;
  lost: number;
  absent: number;
  paused: number;
  lateDiscarded: number;
  duplicates: number;
  reordered: number;
  missingRuns: number;
  jitterSumMs: number;
  jitterCount: number;
  rttSumMs: number;
  rttCount: number;
  reports: number;
};

export const noCounts = (): IntervalCounts => ({
  packetsSent: 0,
  octetsSent: 0,
  packets: 0,
  octets: 0,
  numbered: 0,
  lost: 0,
  absent: 0,
  paused: 0,
  lateDiscarded: 0,
  duplicates: 0,
  reordered: 0,
  missingRuns: 0,
  jitterSumMs: 0,
  jitterCount: 0,
  rttSumMs: 0,
  rttCount: 0,
  reports: 0,
});

/**
 * Reads a row at `atMs` while its thread may be counting. Nothing counts as missing while the thread itself is stalled.
 */
export function readCounts(memory: MediaMemory, row: number, atMs: number, into: IntervalCounts): void {
  const { streams, received, noise } = memory;
  const lookedAtMs = Math.min(atMs, noise.lookedAtMs[0] || atMs);
  into.packetsSent = streams.packetsSent[row]!;
  into.octetsSent = streams.octetsSent[row]!;
  into.rttSumMs = streams.rttSumMs[row]!;
  into.rttCount = streams.rttCount[row]!;
  into.reports = streams.reports[row]!;
  readConsistently(received, row, () => readReceived(received, row, lookedAtMs, into));
}

function readReceived(c: ReceiveColumns, row: number, atMs: number, into: IntervalCounts): void {
  into.packets = c.packets[row]!;
  into.octets = c.octets[row]!;
  into.numbered = numberedPackets(c, row);
  into.lost = lostPackets(c, row);
  into.absent = absentPackets(c, row, atMs);
  into.paused = pausedPackets(c, row);
  into.lateDiscarded = c.lateDiscarded[row]!;
  into.duplicates = c.duplicates[row]!;
  into.reordered = c.reordered[row]!;
  into.missingRuns = c.missingRuns[row]!;
  // The sum is in ms, because the clock may have changed by the next reading.
  into.jitterSumMs = c.jitterSum[row]! / c.unitsPerMs[row]!;
  into.jitterCount = c.jitterCount[row]!;
}

/** The mean of the values added between two readings; NaN: no values were added. */
export const meanOf = (sum: number, sumBefore: number, count: number, countBefore: number): number =>
  count > countBefore ? (sum - sumBefore) / (count - countBefore) : Number.NaN;
