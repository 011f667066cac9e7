/** The far end's VoIP metrics about our stream (RFC 3611, 4.7). */
import type { StreamMemoryColumns } from './stream-memory.ts';

/** NaN: not reported. */
export type RemoteVoipMetrics = {
  readonly lossFraction: number;
  readonly discardFraction: number;
  readonly burstDensity: number;
  readonly gapDensity: number;
  readonly burstMs: number;
  readonly gapMs: number;
  readonly endSystemMs: number;
  readonly rFactor: number;
  readonly mosLq: number;
  readonly mosCq: number;
};

/** Null: no block has arrived. Values outside the ranges of 4.7.5 were not measured. */
export function remoteVoipMetrics(c: StreamMemoryColumns, row: number): RemoteVoipMetrics | null {
  if (c.xrReports[row] === 0) return null;
  const mos = (tenfold: number): number => (tenfold >= 10 && tenfold <= 50 ? tenfold / 10 : Number.NaN);
  const r = c.xrRFactor[row]!;
  return {
    lossFraction: c.xrLossRate[row]! / 256,
    discardFraction: c.xrDiscardRate[row]! / 256,
    burstDensity: c.xrBurstDensity[row]! / 256,
    gapDensity: c.xrGapDensity[row]! / 256,
    burstMs: c.xrBurstMs[row]!,
    gapMs: c.xrGapMs[row]!,
    endSystemMs: c.xrEndSystemMs[row]!,
    rFactor: r <= 100 ? r : Number.NaN,
    mosLq: mos(c.xrMosLq10[row]!),
    mosCq: mos(c.xrMosCq10[row]!),
  };
}
