/**
 * A run's figures in the contract's shape. A value that was not measured reads 0, and the count shows it
 * (docs/decisions.md, Nothing measured). Pure.
 */
import { impairmentOf } from '@carillon/media/codec/audio-codecs.ts';
import { SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import { MOS_SCALES, type MosScale } from '../../contract/run/measured-words.ts';
import type { CallTiming, Distribution, SipRequest, SipResponse, Summary } from '../../contract/run/run.ts';
import { isEffective, percent, type Seizure } from './ner.ts';

const orZero = (value: number | null): number => (value === null ? 0 : round(value));
/** Six decimals are far below measurement precision, and far above float noise. */
const round = (value: number): number => Math.round(value * 1e6) / 1e6;

export type RunTotals = {
  readonly streams: number;
  readonly withFeedback: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly expected: number;
  readonly lost: number;
  readonly absent: number;
  readonly paused: number;
  readonly discarded: number;
  readonly lossStreams: number;
  readonly plcEvents: number;
  readonly nack: number;
  readonly pli: number;
  readonly fir: number;
  readonly jitterStreams: number;
  readonly jitterAvg: number | null;
  readonly jitterMax: number | null;
  readonly rttStreams: number;
  readonly rttAvg: number | null;
  readonly rttMax: number | null;
};

/** The ratings of a run's streams on one scale. */
export type ScaleFigures = {
  readonly scale: MosScale;
  readonly streams: number;
  readonly avgMos: number;
  readonly minMos: number;
  readonly avgRFactor: number;
  readonly minRFactor: number;
};

/** The MOS scale of a codec; null: it is not rated. */
export const scaleOfCodec = (codec: string): MosScale | null => {
  const scale = impairmentOf(codec)?.scale.toLowerCase();
  return MOS_SCALES.find((word) => word === scale) ?? null;
};

/**
 * The scale with the most streams is first, on a tie the narrower one. Overall figures are those of the first: scales
 * are never mixed.
 */
export const byStreams = <T extends Pick<ScaleFigures, 'scale' | 'streams'>>(scales: readonly T[]): T[] =>
  [...scales].sort((a, b) => b.streams - a.streams || MOS_SCALES.indexOf(a.scale) - MOS_SCALES.indexOf(b.scale));

export function summaryOf(s: RunTotals, ratings: readonly ScaleFigures[]): Summary {
  const scales = byStreams(ratings).map(({ scale, streams, avgMos, minMos, avgRFactor, minRFactor }) => ({
    scale,
    streams,
    avgMos: round(avgMos),
    minMos: round(minMos),
    avgRFactor: round(avgRFactor),
    minRFactor: round(minRFactor),
  }));
  const most = scales[0];
  const sent = s.expected - (s.absent ?? 0) - (s.paused ?? 0);
  return {
    avgMos: most?.avgMos ?? 0,
    minMos: most?.minMos ?? 0,
    avgJitter: orZero(s.jitterAvg),
    maxJitter: orZero(s.jitterMax),
    avgPacketLossFraction: sent > 0 ? round(Math.max(0, s.lost) / sent) : 0,
    totalPacketsLost: Math.max(0, s.lost),
    avgRtt: orZero(s.rttAvg),
    maxRtt: orZero(s.rttMax),
    avgRFactor: most?.avgRFactor ?? 0,
    minRFactor: most?.minRFactor ?? 0,
    totalNackCount: s.nack,
    totalPliCount: s.pli,
    totalFirCount: s.fir,
    totalPlcEvents: s.plcEvents,
    totalStreams: s.streams,
    streamsWithFeedback: s.withFeedback,
    mosScale: most?.scale ?? null,
    scales,
    measured: {
      mos: most?.streams ?? 0,
      jitter: s.jitterStreams,
      loss: s.lossStreams,
      rtt: s.rttStreams,
      rFactor: most?.streams ?? 0,
    },
    totalPacketsSent: s.packetsSent,
    totalPacketsReceived: s.packetsReceived,
    totalPacketsDiscarded: s.discarded,
  };
}

export type RawDistribution = {
  readonly percentiles: readonly number[] | null;
  readonly avg: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly count: number;
};

export const distributionOf = (d: RawDistribution): Distribution => ({
  p50: orZero(d.percentiles?.[0] ?? null),
  p95: orZero(d.percentiles?.[1] ?? null),
  p99: orZero(d.percentiles?.[2] ?? null),
  avg: orZero(d.avg),
  min: orZero(d.min),
  max: orZero(d.max),
  count: d.count,
});

export type RawCalls = {
  readonly calls: number;
  readonly success: number;
  readonly timeout: number;
  readonly rejected: number;
  readonly error: number;
  readonly inProgress: number;
};

const spreads = (of: (key: SpreadKey) => Distribution) =>
  Object.fromEntries(SPREADS.map(({ key }) => [key, of(key)])) as Record<SpreadKey, Distribution>;

const NOT_MEASURED: Distribution = { p50: 0, p95: 0, p99: 0, avg: 0, min: 0, max: 0, count: 0 };
/** The call timing of a run that may have been settled before a figure existed: the figure was then not measured. */
export const withEverySpread = (stored: CallTiming): CallTiming => ({ ...spreads(() => NOT_MEASURED), ...stored });

export function callTimingOf(
  calls: RawCalls,
  seizures: readonly (Seizure & { readonly n: number })[],
  timings: Readonly<Record<SpreadKey, RawDistribution>>,
): CallTiming {
  const total = seizures.reduce((n, s) => n + s.n, 0);
  const where = (test: (s: Seizure) => boolean) => seizures.reduce((n, s) => (test(s) ? n + s.n : n), 0);
  return {
    totalCalls: calls.calls,
    successCount: calls.success,
    timeoutCount: calls.timeout,
    rejectedCount: calls.rejected,
    errorCount: calls.error,
    inProgressCount: calls.inProgress,
    asr: round(
      percent(
        where((s) => s.answered),
        total,
      ),
    ),
    ner: round(percent(where(isEffective), total)),
    ...spreads((key) => distributionOf(timings[key])),
  };
}

export type SipMessageCount = {
  readonly sent: boolean;
  readonly method: string;
  readonly status: number;
  readonly reason: string;
  readonly count: number;
  readonly retransmissions: number;
};

/** The responses that the run's endpoints received, without retransmissions; by status, the most frequent first. */
export function sipResponsesOf(counts: readonly SipMessageCount[]): SipResponse[] {
  type Row = { reasons: Map<string, number>; methods: Map<string, number>; count: number };
  const byStatus = new Map<number, Row>();
  for (const c of counts) {
    if (c.sent || c.status === 0 || c.count === 0) continue;
    const row: Row = byStatus.get(c.status) ?? { reasons: new Map(), methods: new Map(), count: 0 };
    row.count += c.count;
    row.reasons.set(c.reason, (row.reasons.get(c.reason) ?? 0) + c.count);
    row.methods.set(c.method, (row.methods.get(c.method) ?? 0) + c.count);
    byStatus.set(c.status, row);
  }
  const total = [...byStatus.values()].reduce((n, row) => n + row.count, 0);
  return [...byStatus]
    .map(([statusCode, row]) => ({
      statusCode,
      reasonPhrase: (
        [...row.reasons].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))[0] as [string, number]
      )[0],
      count: row.count,
      percentage: round(percent(row.count, total)),
      methods: Object.fromEntries(row.methods),
    }))
    .sort((a, b) => b.count - a.count || a.statusCode - b.statusCode);
}

/** The requests by method, in both directions. */
export function sipRequestsOf(counts: readonly SipMessageCount[]): SipRequest[] {
  const byMethod = new Map<string, SipRequest>();
  for (const c of counts) {
    if (c.status !== 0) continue;
    const row = byMethod.get(c.method) ?? { method: c.method, sent: 0, received: 0, retransmissions: 0 };
    byMethod.set(c.method, {
      method: c.method,
      sent: row.sent + (c.sent ? c.count : 0),
      received: row.received + (c.sent ? 0 : c.count),
      retransmissions: row.retransmissions + c.retransmissions,
    });
  }
  return [...byMethod.values()].sort((a, b) => a.method.localeCompare(b.method));
}
