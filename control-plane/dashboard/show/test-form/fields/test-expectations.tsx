/**
 * The requirements for calls beyond an answer: the expectations of a test's groups or of a probe, and the thresholds that judge a
 * test's runs.
 */
import {
  ActionIcon,
  Checkbox,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { METRIC_KEYS, type MetricKey } from '../../../../contract/metric-keys.ts';
import { IconX } from '../../basics/icons.tsx';
import { FAULT_CHOICES } from '../../heard/finding-choices.ts';
import { METRIC_WORDS, metricChoices, metricUnit } from '../../heard/metric-words.ts';
import type { DraftExpectations } from '../drafts/group-draft.ts';
import type { Draft } from '../drafts/test-draft.ts';

type ExpectationProps = { readonly expectations: DraftExpectations; readonly onChange: (e: DraftExpectations) => void };

export function ExpectationFields({ expectations, onChange }: ExpectationProps) {
  const set = (change: Partial<DraftExpectations>) => onChange({ ...expectations, ...change });
  return (
    <Fieldset legend="Expectations">
      <Stack gap="md">
        <Checkbox
          label="The far end hangs up"
          description="For announcements and test numbers, which may end the call at any time. Calls are then not reported as ended early."
          checked={expectations.farEndHangsUp}
          onChange={(e) => set({ farEndHangsUp: e.target.checked })}
        />
        <Checkbox
          label="The far end may pause"
          description="For menus that wait, and holds without music. Silence before its first packet and after its last one is then a pause, and the call does not fail."
          checked={expectations.farEndMayPause}
          onChange={(e) => set({ farEndMayPause: e.target.checked })}
        />
        <MultiSelect
          label="Tolerated faults"
          description="These findings do not fail a call. They are still counted and shown."
          placeholder={expectations.toleratedFindings.length === 0 ? 'None' : undefined}
          clearable
          searchable
          data={FAULT_CHOICES}
          value={expectations.toleratedFindings}
          onChange={(kinds) => set({ toleratedFindings: kinds as DraftExpectations['toleratedFindings'] })}
        />
      </Stack>
    </Fieldset>
  );
}

type Threshold = Draft['thresholds'][number];

const suggested = (metricKey: MetricKey): Threshold => ({
  metricKey,
  greenValue: METRIC_KEYS[metricKey].suggestedGreen,
  orangeValue: METRIC_KEYS[metricKey].suggestedOrange,
});

type ThresholdProps = { readonly thresholds: Draft['thresholds']; readonly onChange: (t: Draft['thresholds']) => void };

export function ThresholdFields({ thresholds, onChange }: ThresholdProps) {
  const change = (i: number, part: Partial<Threshold>) =>
    onChange(thresholds.map((t, n) => (n === i ? { ...t, ...part } : t)));
  return (
    <Fieldset legend="Thresholds">
      <Text size="sm" c="dimmed" mb="sm">
        A run passes if every metric was measured and none is beyond its degraded limit.
      </Text>
      <Stack gap="md">
        {thresholds.map((t, i) => (
          <Limits
            key={t.metricKey}
            threshold={t}
            onChange={(part) => change(i, part)}
            onRemove={() => onChange(thresholds.filter((_, n) => n !== i))}
          />
        ))}
        <Select
          aria-label="Add a metric"
          placeholder="Add a metric"
          maw={320}
          searchable
          data={metricChoices(thresholds.map((t) => t.metricKey))}
          value={null}
          onChange={(key) => key && onChange([...thresholds, suggested(key as MetricKey)])}
        />
      </Stack>
    </Fieldset>
  );
}

type LimitsProps = {
  readonly threshold: Threshold;
  readonly onChange: (part: Partial<Threshold>) => void;
  readonly onRemove: () => void;
};

function Limits({ threshold: { metricKey, greenValue, orangeValue }, onChange, onRemove }: LimitsProps) {
  const { displayName, higherIsBetter } = METRIC_KEYS[metricKey];
  const isCrossed = higherIsBetter ? greenValue < orangeValue : greenValue > orangeValue;
  const side = higherIsBetter ? 'from' : 'to';
  return (
    <div className="limit-row">
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb={6}>
        <div>
          <Text fw={600} size="sm">
            {displayName}
          </Text>
          <Text size="xs" c="dimmed">
            {METRIC_WORDS[metricKey]}. {metricUnit(metricKey)}.
          </Text>
        </div>
        <Tooltip label="Remove">
          <ActionIcon variant="default" aria-label={`Leave ${displayName} out`} onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Group grow gap="md" align="flex-start">
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
      </Group>
    </div>
  );
}
