/** The thresholds of a probe as a form, with lines in the chart of the latest executions that follow the input. */
import { Group, Select, SimpleGrid, Stack, Switch } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { RemoveButton } from '../basics/remove-button.tsx';
import { metricChoices } from '../heard/metric-words.ts';
import { suggestedLimits } from '../heard/suggested-limits.ts';
import { LimitedMetric, LimitValues } from '../heard/threshold-fields.tsx';
import { ThresholdChart } from './threshold-chart.tsx';

export type Limit = {
  readonly id?: string;
  readonly metricKey: MetricKey;
  readonly greenValue: number;
  readonly orangeValue: number;
  readonly enabled: boolean;
};

export const suggested = (metricKey: MetricKey): Limit => ({ ...suggestedLimits(metricKey), enabled: true });

type Props = {
  readonly limits: readonly Limit[];
  /** The executions of an existing probe. A new probe has none. */
  readonly instances: readonly Output<'listProbeInstances'>[];
  readonly onChange: (limits: Limit[]) => void;
};

export function ProbeLimits({ limits, instances, onChange }: Props) {
  const change = (i: number, part: Partial<Limit>) => onChange(limits.map((l, n) => (n === i ? { ...l, ...part } : l)));
  return (
    <Stack gap="lg">
      {limits.map((l, i) => {
        const { displayName } = METRIC_KEYS[l.metricKey];
        return (
          <div key={l.metricKey} className="limit-row">
            <Group justify="space-between" mb={6}>
              <LimitedMetric metricKey={l.metricKey} />
              <Group gap="sm">
                <Switch
                  size="sm"
                  label={l.enabled ? 'On' : 'Off'}
                  aria-label={`${displayName} counts`}
                  checked={l.enabled}
                  onChange={(e) => change(i, { enabled: e.target.checked })}
                />
                <RemoveButton
                  name={`Leave ${displayName} out`}
                  onClick={() => onChange(limits.filter((_, n) => n !== i))}
                />
              </Group>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2 }} mb="sm">
              <LimitValues limits={l} onChange={(part) => change(i, part)} />
            </SimpleGrid>
            {instances.length > 0 && (
              <ThresholdChart
                metricKey={l.metricKey}
                greenValue={l.greenValue}
                orangeValue={l.orangeValue}
                instances={instances}
              />
            )}
          </div>
        );
      })}
      <Select
        aria-label="Add a metric"
        placeholder="Add a metric"
        maw={320}
        data={metricChoices(limits.map((l) => l.metricKey))}
        value={null}
        onChange={(key) => key && onChange([...limits, suggested(key as MetricKey)])}
      />
    </Stack>
  );
}
