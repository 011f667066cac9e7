/**
 * The requirements for calls beyond an answer: the expectations of a test's groups or of a probe, and the thresholds that judge a
 * test's runs.
 */
import { Group, MultiSelect, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { METRIC_KEYS, type MetricKey } from '../../../../contract/metric-keys.ts';
import { Fields } from '../../basics/fields.tsx';
import type { Form } from '../../basics/form.ts';
import { RemoveButton } from '../../basics/remove-button.tsx';
import { FAULT_CHOICES } from '../../heard/finding-choices.ts';
import { metricChoices } from '../../heard/metric-words.ts';
import { suggestedLimits } from '../../heard/suggested-limits.ts';
import { LimitedMetric, LimitValues } from '../../heard/threshold-fields.tsx';
import type { DraftExpectations } from '../drafts/group-draft.ts';
import type { Draft } from '../drafts/test-draft.ts';

type ExpectationProps = {
  readonly form: Form<DraftExpectations>;
  /** Calls have media. */
  readonly media: boolean;
};

export function ExpectationFields({ form, media }: ExpectationProps) {
  const { toleratedFindings, farEndMayPause } = form.values;
  return (
    <Stack gap="md">
      <Fields
        form={form}
        rows={[
          {
            key: 'farEndHangsUp',
            label: 'The far end hangs up',
            hint: 'For announcements and test numbers, which may end the call at any time. Calls are then not reported as ended early.',
          },
          (media || farEndMayPause) && {
            key: 'farEndMayPause',
            label: 'The far end may pause',
            hint: 'For menus that wait, and holds without music. Silence before its first packet and after its last one is then a pause, and the call does not fail.',
          },
        ]}
      />
      <MultiSelect
        label="Tolerated faults"
        description="These findings do not fail a call. They are still counted and shown."
        placeholder={toleratedFindings.length === 0 ? 'None' : undefined}
        clearable
        searchable
        data={FAULT_CHOICES}
        value={toleratedFindings}
        onChange={(kinds) => form.set({ toleratedFindings: kinds as DraftExpectations['toleratedFindings'] })}
      />
    </Stack>
  );
}

type Threshold = Draft['thresholds'][number];

type ThresholdProps = { readonly thresholds: Draft['thresholds']; readonly onChange: (t: Draft['thresholds']) => void };

export function ThresholdFields({ thresholds, onChange }: ThresholdProps) {
  const change = (i: number, part: Partial<Threshold>) =>
    onChange(thresholds.map((t, n) => (n === i ? { ...t, ...part } : t)));
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        A run passes if every metric was measured and none is beyond its degraded limit.
      </Text>
      {thresholds.map((t, i) => (
        <div key={t.metricKey} className="limit-row">
          <Group justify="space-between" wrap="nowrap" align="flex-start" mb={6}>
            <LimitedMetric metricKey={t.metricKey} />
            <RemoveButton
              name={`Leave ${METRIC_KEYS[t.metricKey].displayName} out`}
              onClick={() => onChange(thresholds.filter((_, n) => n !== i))}
            />
          </Group>
          <SimpleGrid cols={2}>
            <LimitValues limits={t} onChange={(part) => change(i, part)} />
          </SimpleGrid>
        </div>
      ))}
      <Select
        aria-label="Add a metric"
        placeholder="Add a metric"
        maw={320}
        searchable
        data={metricChoices(thresholds.map((t) => t.metricKey))}
        value={null}
        onChange={(key) => key && onChange([...thresholds, suggestedLimits(key as MetricKey)])}
      />
    </Stack>
  );
}
