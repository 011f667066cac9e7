/** docs/reference/metrics.md: the metrics that thresholds of tests and probes can use. */
import { METRIC_KEYS } from '../../../control-plane/contract/metric-keys.ts';
import { code, HEAD, table } from './table.ts';

const rows = Object.entries(METRIC_KEYS).map(([key, m]) => [
  code(key),
  m.displayName,
  m.unit,
  m.higherIsBetter ? 'higher' : 'lower',
  String(m.suggestedGreen),
  String(m.suggestedOrange),
]);

export const metricsPage = (): string => `${HEAD}

# Metric keys

Keys of thresholds (\`metricKey\`), in tests and probes. The suggested limits are \`greenValue\` and \`orangeValue\`. Times are the 95th
percentile over all calls. What the call figures mean is on the page [Trust](../guide/trust.md#what-callers-heard).

${table(['metric key', 'name', 'unit', 'better', 'suggested green', 'suggested orange'], rows)}
`;
