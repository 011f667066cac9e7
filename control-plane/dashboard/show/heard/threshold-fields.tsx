/** The limits of a metric in forms: its name, and the values up to which it is healthy, and degraded. */
import { NumberInput, Text } from '@mantine/core';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { METRIC_WORDS, metricUnit } from './metric-words.ts';
import type { MetricLimits } from './suggested-limits.ts';

export const LimitedMetric = ({ metricKey }: { readonly metricKey: MetricKey }) => (
  <div>
    <Text fw={600} size="sm">
      {METRIC_KEYS[metricKey].displayName}
    </Text>
    <Text size="xs" c="dimmed">
      {METRIC_WORDS[metricKey]}. {metricUnit(metricKey)}.
    </Text>
  </div>
);

type Props = { readonly limits: MetricLimits; readonly onChange: (part: Partial<MetricLimits>) => void };

export function LimitValues({ limits: { metricKey, greenValue, orangeValue }, onChange }: Props) {
  const { displayName, higherIsBetter } = METRIC_KEYS[metricKey];
  const isCrossed = higherIsBetter ? greenValue < orangeValue : greenValue > orangeValue;
  const side = higherIsBetter ? 'from' : 'to';
  return (
    <>
      <NumberInput
        label={`Healthy ${side}`}
        aria-label={`${displayName}, healthy`}
        value={greenValue}
        decimalScale={3}
        error={isCrossed ? `is ${higherIsBetter ? 'below' : 'above'} the second limit` : undefined}
        onChange={(n) => onChange({ greenValue: Number(n) })}
      />
      <NumberInput
        label={`Degraded ${side}`}
        aria-label={`${displayName}, degraded`}
        value={orangeValue}
        decimalScale={3}
        onChange={(n) => onChange({ orangeValue: Number(n) })}
      />
    </>
  );
}
