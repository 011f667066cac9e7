/** Parses `--threshold 'pdd.p95<2000'` and judges a run's figures. Pure. */
import { SPREADS, type SpreadKey } from '@carillon/proto/figures/call-figures.ts';
import type { Output } from '../../contract/catalogue.ts';
import { METRIC_KEYS, type MetricKey } from '../../contract/metric-keys.ts';
import { type Figure, figureOf } from '../../contract/run/metric-figures.ts';
import { usage } from '../exit-codes.ts';

export type RunOfTest = Output<'getTestRun'>;

const STATISTICS = ['p50', 'p95', 'p99', 'avg', 'min', 'max'] as const;
type Statistic = (typeof STATISTICS)[number];
const COMPARISONS = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
} as const;

/** These counts are no metric keys, but pipelines need them. */
const COUNTS = {
  calls: { says: 'calls placed', read: (run: RunOfTest) => run.callTiming.totalCalls },
  failures: { says: 'endpoints or calls that failed', read: (run: RunOfTest) => run.progress.failures },
} as const;
type CountKey = keyof typeof COUNTS;

export type RunLimit = {
  /** The limit as the user wrote it. */
  readonly text: string;
  readonly unit: string;
  readonly comparison: keyof typeof COMPARISONS;
  readonly limit: number;
  readonly read: (run: RunOfTest) => Figure;
};

const SPREAD_KEYS: readonly string[] = SPREADS.map(({ key }) => key);
const isSpread = (key: string): key is SpreadKey => SPREAD_KEYS.includes(key);
const isMetric = (key: string): key is MetricKey => Object.hasOwn(METRIC_KEYS, key);
const isCount = (key: string): key is CountKey => Object.hasOwn(COUNTS, key);

const LIMIT_KEYS: readonly string[] = [
  ...new Set([...Object.keys(METRIC_KEYS), ...SPREAD_KEYS, ...Object.keys(COUNTS)]),
];

/** @throws Stop that states the error of the limit */
export function parseLimit(text: string): RunLimit {
  const match = /^\s*([A-Za-z]+)(?:\.([a-z0-9]+))?\s*(<=|>=|==|<|>)\s*(-?\d+(?:\.\d+)?)\s*(ms|s|%)?\s*$/.exec(text);
  if (!match)
    throw usage(`${JSON.stringify(text)} is not a threshold: KEY<NUMBER or KEY.p95<NUMBER, with <, <=, >, >= or ==.`);
  const [, key = '', statistic, comparison, number, suffix] = match;
  if (!isSpread(key) && !isMetric(key) && !isCount(key))
    throw usage(`There is no metric ${key}: ${LIMIT_KEYS.join(', ')}.`);
  if (statistic !== undefined && !(isSpread(key) && STATISTICS.includes(statistic as Statistic)))
    throw usage(
      isSpread(key)
        ? `${key} has no ${statistic}: ${STATISTICS.join(', ')}.`
        : `${key} is one figure, without .${statistic}.`,
    );
  const unit = isSpread(key) ? 'ms' : isMetric(key) ? METRIC_KEYS[key].unit : '';
  return {
    text: text.trim(),
    unit,
    comparison: comparison as RunLimit['comparison'],
    limit: Number(number) * factorOf(text, unit, suffix),
    read: readingOf(key, (statistic as Statistic | undefined) ?? 'p95'),
  };
}

function factorOf(text: string, unit: string, suffix: string | undefined): number {
  if (suffix === undefined || suffix === unit) return 1;
  if (suffix === 's' && unit === 'ms') return 1000;
  if (suffix === '%' && unit === 'fraction') return 0.01;
  throw usage(`${JSON.stringify(text)}: the figure is in ${unit || 'plain numbers'}, not in ${suffix}.`);
}

function readingOf(key: string, statistic: Statistic): RunLimit['read'] {
  if (isSpread(key)) return ({ callTiming }) => ({ value: callTiming[key][statistic], count: callTiming[key].count });
  if (isCount(key)) return (run) => ({ value: COUNTS[key].read(run), count: 1 });
  return ({ summary, callTiming, callQuality }) =>
    figureOf(key as MetricKey, { summary, callTiming, quality: callQuality });
}

export type LimitCheck = {
  /** The source of the limit: TEST, COMMAND, DEFAULT, or the option of a feature in capital letters. */
  readonly by: string;
  readonly name: string;
  readonly limit: string;
  /** Null: the value was not measured. */
  readonly measured: number | null;
  readonly unit: string;
  readonly count: number;
  readonly passed: boolean;
};

/** A value that was not measured never passes. */
export function check(
  { text, unit, comparison, limit, read }: RunLimit,
  run: RunOfTest,
  by: LimitCheck['by'],
): LimitCheck {
  const { value, count } = read(run);
  const measured = count > 0 ? value : null;
  return {
    by,
    name: text,
    limit: `${comparison} ${limit}`,
    measured,
    unit,
    count,
    passed: measured !== null && COMPARISONS[comparison](measured, limit),
  };
}
