/** The limits of a metric, and those that its table suggests. Pure. */
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';

export type MetricLimits = {
  readonly metricKey: MetricKey;
  readonly greenValue: number;
  readonly orangeValue: number;
};

export const suggestedLimits = (metricKey: MetricKey): MetricLimits => ({
  metricKey,
  greenValue: METRIC_KEYS[metricKey].suggestedGreen,
  orangeValue: METRIC_KEYS[metricKey].suggestedOrange,
});
