/**
 * Gaps and bursts of RFC 3611, 4.7.2: a burst starts and ends with a missing (lost or discarded) packet and has no run
 * of Gmin good ones; everything else is gap. This follows the definition. The RFC's appendix A.2 initializes its
 * counters wrongly and never counts the last burst.
 */
import type { ClusterColumns } from '../rtp/missing-clusters.ts';

export type GapBurst = {
  readonly bursts: number;
  readonly gaps: number;
  /** Share of missing packets in bursts and in gaps, 0 to 1. */
  readonly burstDensity: number;
  readonly gapDensity: number;
  /** Mean length of a burst and of a gap in packets. */
  readonly meanBurstPackets: number;
  readonly meanGapPackets: number;
};

/** Gaps and bursts of a stream of `packets` packets of which `missing` were counted; an open cluster counts as ended. */
export function gapBurst(c: ClusterColumns, row: number, packets: number, missing: number): GapBurst {
  const open = c.clusterMissing[row]! >= 2;
  const bursts = c.bursts[row]! + (open ? 1 : 0);
  const burstPackets = c.burstPackets[row]! + (open ? c.clusterLast[row]! - c.clusterFirst[row]! + 1 : 0);
  const burstMissing = c.burstMissing[row]! + (open ? c.clusterMissing[row]! : 0);
  const first = c.bursts[row]! > 0 ? c.firstBurstAt[row]! : c.clusterFirst[row]!;
  const end = open ? c.clusterLast[row]! + 1 : c.lastBurstEnd[row]!;
  const gaps = bursts === 0 ? Math.min(1, packets) : bursts - 1 + (first > 0 ? 1 : 0) + (end < packets ? 1 : 0);
  const gapPackets = packets - burstPackets;
  return {
    bursts,
    gaps,
    burstDensity: burstPackets > 0 ? burstMissing / burstPackets : 0,
    gapDensity: gapPackets > 0 ? (missing - burstMissing) / gapPackets : 0,
    meanBurstPackets: bursts > 0 ? burstPackets / bursts : 0,
    meanGapPackets: gaps > 0 ? gapPackets / gaps : 0,
  };
}

/** A density or rate as RFC 3611 writes it into a byte: 256ths, rounded down, at most 255. */
export const fractionByte = (fraction: number): number => Math.min(255, Math.floor(fraction * 256));
