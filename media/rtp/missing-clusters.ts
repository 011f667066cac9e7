/**
 * Clusters of missing packets, counted as they become known: the base of gaps and bursts of RFC 3611, 4.7.2
 * (quality/gap-burst.ts).
 */
import type { Columns } from './columns.ts';

/** This many consecutive good packets end a cluster. */
export const GMIN = 16;

/** Missing packets less than Gmin good packets apart form a cluster; a cluster of two and more is a burst. */
export const CLUSTER_COLUMNS = {
  clusterFirst: 'f64',
  clusterLast: 'f64',
  clusterMissing: 'u32',
  bursts: 'u32',
  burstPackets: 'u32',
  burstMissing: 'u32',
  firstBurstAt: 'f64',
  lastBurstEnd: 'f64',
} as const;
export type ClusterColumns = Columns<typeof CLUSTER_COLUMNS>;

/**
 * Counts the missing packet number `index` (0, 1, 2 … from the start of the stream, ascending) in a row that started with zeros.
 */
export function observeMissing(c: ClusterColumns, row: number, index: number): void {
  if (c.clusterMissing[row] !== 0) {
    if (index - c.clusterLast[row]! - 1 < GMIN) {
      c.clusterLast[row] = index;
      c.clusterMissing[row]! += 1;
      return;
    }
    closeCluster(c, row);
  }
  c.clusterFirst[row] = index;
  c.clusterLast[row] = index;
  c.clusterMissing[row] = 1;
}

function closeCluster(c: ClusterColumns, row: number): void {
  const missing = c.clusterMissing[row]!;
  if (missing < 2) return;
  if (c.bursts[row] === 0) c.firstBurstAt[row] = c.clusterFirst[row]!;
  c.lastBurstEnd[row] = c.clusterLast[row]! + 1;
  c.bursts[row]! += 1;
  c.burstPackets[row]! += c.clusterLast[row]! - c.clusterFirst[row]! + 1;
  c.burstMissing[row]! += missing;
}
