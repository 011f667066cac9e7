/** The thresholds of a probe as a form, with lines in the chart of the latest executions that follow the input. */
import { ActionIcon, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, Tooltip } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { IconX } from '../basics/icons.tsx';
import { METRIC_WORDS, metricChoices, metricUnit } from '../heard/metric-words.ts';
import { ThresholdChart } from './threshold-chart.tsx';

export type Limit = {
  readonly id?: string;
  readonly metricKey: MetricKey;
  readonly greenValue: number;
  readonly orangeValue: number;
  readonly enabled: boolean;
};

export const suggested = (metricKey: MetricKey): Limit => ({
  metricKey,
  greenValue: METRIC_KEYS[metricKey].suggestedGreen,
  orangeValue: METRIC_KEYS[metricKey].suggestedOrange,
  enabled: true,
});

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
        const { displayName, higherIsBetter } = METRIC_KEYS[l.metricKey];
        const isCrossed = higherIsBetter ? l.greenValue < l.orangeValue : l.greenValue > l.orangeValue;
        return (
          <div key={l.metricKey} className="limit-row">
            <Group justify="space-between" mb={6}>
              <div>
                <Text fw={600} size="sm">
                  {displayName}
                </Text>
                <Text size="xs" c="dimmed">
                  {METRIC_WORDS[l.metricKey]}. {metricUnit(l.metricKey)}.
                </Text>
              </div>
              <Group gap="sm">
                <Switch
                  size="sm"
                  label={l.enabled ? 'On' : 'Off'}
                  aria-label={`${displayName} counts`}
                  checked={l.enabled}
                  onChange={(e) => change(i, { enabled: e.target.checked })}
                />
                <Tooltip label="Remove">
                  <ActionIcon
                    variant="default"
                    aria-label={`Leave ${displayName} out`}
                    onClick={() => onChange(limits.filter((_, n) => n !== i))}
                  >
                    <IconX size={16} />
                  </ActionIcon>
                </Tooltip>
              </Group>
            </Group>
            <SimpleGrid cols={{ base: 1, sm: 2 }} mb="sm">
              <NumberInput
                label={higherIsBetter ? 'Healthy from' : 'Healthy to'}
                aria-label={`${displayName}, healthy`}
                value={l.greenValue}
                decimalScale={3}
                error={isCrossed ? `is ${higherIsBetter ? 'below' : 'above'} the second limit` : undefined}
                onChange={(n) => change(i, { greenValue: Number(n) })}
              />
              <NumberInput
                label={higherIsBetter ? 'Degraded from' : 'Degraded to'}
                aria-label={`${displayName}, degraded`}
                value={l.orangeValue}
                decimalScale={3}
                onChange={(n) => change(i, { orangeValue: Number(n) })}
              />
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
