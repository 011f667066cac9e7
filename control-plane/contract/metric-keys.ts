/** Every metric that a threshold may name: its words, its unit, its good side, suggested limits. */
import { type LimitedKey, SPREADS } from '@carillon/proto/figures/call-figures.ts';

export type MetricKey = keyof typeof METRIC_KEYS;

const metric = (
  displayName: string,
  unit: string,
  higherIsBetter: boolean,
  suggestedGreen: number,
  suggestedOrange: number,
) => ({ displayName, unit, higherIsBetter, suggestedGreen, suggestedOrange }) as const;

/** The metrics of timings. Their limits apply to the 95th percentile. */
const TIMED = Object.fromEntries(
  SPREADS.flatMap(({ key, limits }) =>
    limits ? [[key, metric(`${limits.name} (p95)`, 'ms', false, limits.green, limits.orange)]] : [],
  ),
) as Readonly<Record<LimitedKey, ReturnType<typeof metric>>>;

export const METRIC_KEYS = {
  avgMos: metric('Mean MOS', 'MOS', true, 4.0, 3.6),
  minMos: metric('Lowest MOS', 'MOS', true, 3.6, 3.1),
  avgRFactor: metric('Mean R factor', 'R', true, 80, 70),
  minRFactor: metric('Lowest R factor', 'R', true, 70, 60),
  avgJitter: metric('Mean jitter', 'ms', false, 20, 30),
  maxJitter: metric('Highest jitter', 'ms', false, 30, 50),
  avgPacketLossFraction: metric('Packet loss', 'fraction', false, 0.01, 0.03),
  avgRtt: metric('Mean round trip', 'ms', false, 200, 300),
  maxRtt: metric('Highest round trip', 'ms', false, 300, 500),
  asr: metric('Answer seizure ratio', '%', true, 99, 95),
  ner: metric('Network effectiveness ratio', '%', true, 98, 95),
  successShare: metric('Successful calls', '%', true, 99, 95),
  heardShare: metric('Calls heard both ways', '%', true, 99, 95),
  mediaShare: metric('Talk time with media', '%', true, 99.9, 99),
  callDropRate: metric('Call drop rate', '%', false, 0.5, 2),
  ...TIMED,
} as const;

export const METRIC_KEY_NAMES = Object.keys(METRIC_KEYS) as [MetricKey, ...MetricKey[]];
