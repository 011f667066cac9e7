/** A run's figure by its metric key. The server and clients judge thresholds by it. */
import { type LimitedKey, SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import type { MetricKey } from '../metric-keys.ts';
import type { CallQuality } from './findings.ts';
import { judgedOf } from './heard-words.ts';
import type { CallTiming, Summary } from './run.ts';

export type Figures = { readonly summary: Summary; readonly callTiming: CallTiming; readonly quality: CallQuality };

export type Figure = { readonly value: number; readonly count: number };

type Reading = (f: Figures) => readonly [value: number, count: number];
const TIMED = Object.fromEntries(
  SPREADS.map(({ key }): [SpreadKey, Reading] => [
    key,
    ({ callTiming }) => [callTiming[key].p95, callTiming[key].count],
  ]),
) as Record<LimitedKey, Reading>;
const media =
  (key: keyof Summary & MetricKey, behind: keyof Summary['measured']): Reading =>
  ({ summary }) => [summary[key] as number, summary.measured[behind]];

const FIGURES: { readonly [K in MetricKey]: Reading } = {
  avgMos: media('avgMos', 'mos'),
  minMos: media('minMos', 'mos'),
  avgRFactor: media('avgRFactor', 'rFactor'),
  minRFactor: media('minRFactor', 'rFactor'),
  avgJitter: media('avgJitter', 'jitter'),
  maxJitter: media('maxJitter', 'jitter'),
  avgPacketLossFraction: media('avgPacketLossFraction', 'loss'),
  avgRtt: media('avgRtt', 'rtt'),
  maxRtt: media('maxRtt', 'rtt'),
  asr: ({ callTiming: c }) => [c.asr, c.totalCalls],
  ner: ({ callTiming: c }) => [c.ner, c.totalCalls],
  successShare: ({ quality: q }) => [q.successShare, q.calls],
  heardShare: ({ quality: q }) => [q.heardShare, judgedOf(q)],
  // A call without expected audio has no talk time.
  mediaShare: ({ quality: q }) => [q.mediaShare, q.soundAsked],
  callDropRate: ({ quality: q }) => [q.callDropRate, q.answered],
  ...TIMED,
};

export function figureOf(key: MetricKey, figures: Figures): Figure {
  const [value, count] = FIGURES[key](figures);
  return { value, count };
}
