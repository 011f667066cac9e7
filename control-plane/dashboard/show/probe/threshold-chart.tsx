/** A metric in the latest executions, with its two limits as lines. An execution without a value is a gap. */
import { Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { number } from '../basics/figures.ts';
import { plain, toneOfHealth } from '../basics/words.tsx';

type Instance = Output<'listProbeInstances'>;
type Props = {
  readonly metricKey: MetricKey;
  readonly greenValue: number;
  readonly orangeValue: number;
  /** The executions as they are listed, the last first. */
  readonly instances: readonly Instance[];
};

const [WIDTH, HEIGHT, TOP] = [600, 120, 12];

export function ThresholdChart({ metricKey, greenValue, orangeValue, instances }: Props) {
  const { displayName, unit, higherIsBetter } = METRIC_KEYS[metricKey];
  const shown = instances.filter((i) => i.completedAt !== null).toReversed();
  const values = shown.map((i) => {
    const result = i.thresholdResults.find((r) => r.metricKey === metricKey);
    return result && result.status !== 'UNKNOWN' ? result.value : null;
  });
  const known = values.filter((v) => v !== null);
  const all = [...known, greenValue, orangeValue];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low || Math.abs(high) || 1) * 0.15;
  const [from, to] = [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
  const y = (value: number): number => HEIGHT - ((value - from) / (to - from)) * (HEIGHT - TOP);
  const x = (i: number): number => ((i + 0.5) * WIDTH) / Math.max(1, shown.length);
  const limit = (value: number, tone: 'good' | 'warn', word: string) => (
    <div
      className={`limit ${tone}`}
      data-low={y(value) > HEIGHT * 0.75}
      style={{ top: `${(y(value) / HEIGHT) * 100}%` }}
    >
      <span>
        {word} {higherIsBetter ? 'from' : 'to'} {number(value, 3)}
      </span>
    </div>
  );
  const says =
    known.length === 0
      ? 'not measured in the last executions'
      : `${number(Math.min(...known), 3)} to ${number(Math.max(...known), 3)} ${unit} over ${known.length} execution${known.length === 1 ? '' : 's'}`;
  return (
    <figure className="threshold-chart">
      <figcaption>
        <b>{displayName}</b>{' '}
        <Text span size="sm" c="dimmed">
          {says}
        </Text>
      </figcaption>
      <div className="threshold-plot">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${displayName}: ${says}`}
        >
          {values.map((value, i) => {
            const instance = shown[i] as Instance;
            if (value === null) return null;
            const result = instance.thresholdResults.find((r) => r.metricKey === metricKey);
            const width = Math.min(26, (WIDTH / shown.length) * 0.6);
            return (
              <rect
                key={instance.id}
                className={toneOfHealth(result?.status ?? 'UNKNOWN')}
                x={x(i) - width / 2}
                y={y(value)}
                width={width}
                height={Math.max(1.5, HEIGHT - y(value))}
                fill="var(--mark)"
                opacity={0.8}
              >
                <title>{`${instance.scheduledAt.slice(0, 19).replace('T', ' ')} UTC: ${number(value, 3)} ${unit}, ${plain(result?.status ?? '')}`}</title>
              </rect>
            );
          })}
        </svg>
        {limit(greenValue, 'good', 'healthy')}
        {limit(orangeValue, 'warn', 'degraded')}
      </div>
    </figure>
  );
}
