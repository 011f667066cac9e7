/** Gaps and bursts of a pattern that is known as a whole. */
import { type GapBurst, gapBurst } from '../quality/gap-burst.ts';
import { columnsBytes, mapColumns } from '../rtp/columns.ts';
import { CLUSTER_COLUMNS, observeMissing } from '../rtp/missing-clusters.ts';

/** @param good true if a packet was received and played */
export function gapBurstOf(good: readonly boolean[]): GapBurst {
  const columns = mapColumns(CLUSTER_COLUMNS, 1, new ArrayBuffer(columnsBytes(CLUSTER_COLUMNS, 1)));
  let missing = 0;
  good.forEach((played, index) => {
    if (played) return;
    missing += 1;
    observeMissing(columns, 0, index);
  });
  return gapBurst(columns, 0, good.length, missing);
}
