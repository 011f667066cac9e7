/** The dialog that starts a capacity search: what is searched, the conditions that must hold, and the bounds. */
import { ActionIcon, Button, Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { METRIC_KEYS, type MetricKey } from '../../../contract/metric-keys.ts';
import { faultOf, useCall, useChange } from '../../../dashboard/api.ts';
import { navigate } from '../../../dashboard/router.tsx';
import { Modal } from '../../../dashboard/show/basics/dialog.tsx';
import { NumericField } from '../../../dashboard/show/basics/field.tsx';
import { IconX } from '../../../dashboard/show/basics/icons.tsx';
import { Failed } from '../../../dashboard/show/basics/page.tsx';
import { metricChoices, metricUnit } from '../../../dashboard/show/heard/metric-words.ts';
import { bodyOf, freeMetric, lastsAbout, NEW, type SearchDraft } from './search-draft.ts';

type Props = {
  readonly projectId: string;
  readonly first?: Partial<SearchDraft>;
  readonly onClose: () => void;
};
type Set = (change: Partial<SearchDraft>) => void;
type FieldsProps = { readonly draft: SearchDraft; readonly error: Error | null; readonly set: Set };

export default function NewSearch({ projectId, first, onClose }: Props) {
  const [draft, setDraft] = useState<SearchDraft>({ ...NEW, ...first });
  const tests = useCall('listTests', { projectId, per_page: 100 });
  const start = useChange('startCapacitySearch', ({ id }) => {
    onClose();
    void navigate({ to: `/projects/${projectId}/capacity/${id}` });
  });
  const { error } = start;
  const set: Set = (change) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ projectId, ...bodyOf(draft) });
  };
  const isStrict = draft.method === 'RFC7502_STRICT';
  return (
    <Modal opened onClose={onClose} title="Find the capacity" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            The test runs repeatedly at different loads until the highest load is found at which its calls meet the
            limits. Each trial is a separate run.
          </Text>
          <Select
            label="Test"
            required
            searchable
            allowDeselect={false}
            data={(tests.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={draft.testId || null}
            onChange={(testId) => set({ testId: testId ?? '' })}
            error={faultOf(error, 'testId')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label="Method"
              allowDeselect={false}
              data={[
                { value: 'BISECT', label: 'Bisect' },
                { value: 'RFC7502_STRICT', label: 'RFC 7502, strict' },
              ]}
              value={draft.method}
              onChange={(method) => method && set({ method: method as SearchDraft['method'] })}
              error={faultOf(error, 'method')}
            />
            {!isStrict && (
              <Select
                label="Objective"
                allowDeselect={false}
                data={[
                  { value: 'CALLS_PER_SECOND', label: 'Calls per second' },
                  { value: 'CALLS_AT_ONCE', label: 'Calls at once' },
                ]}
                value={draft.objective}
                onChange={(objective) => objective && set({ objective: objective as SearchDraft['objective'] })}
                error={faultOf(error, 'objective')}
              />
            )}
          </SimpleGrid>
          {isStrict ? (
            <Strict draft={draft} error={error} set={set} />
          ) : (
            <Bisect draft={draft} error={error} set={set} />
          )}
          {error && <Failed error={error} />}
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {isStrict ? 'One failed session fails a step.' : `Takes about ${lastsAbout(draft)}.`}
            </Text>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={start.isPending}>
                Start the search
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Strict({ draft, error, set }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumericField
        label="Sessions in each step (N)"
        value={draft.sessions}
        of={{ isWhole: true, min: 1, max: 1_000_000 }}
        onChange={(sessions) => set({ sessions })}
        error={faultOf(error, 'rfc7502.sessions')}
      />
      <NumericField
        label="First rate, sessions per second (r)"
        value={draft.startRate}
        of={{ isWhole: true, min: 1, max: 10_000 }}
        onChange={(startRate) => set({ startRate })}
        error={faultOf(error, 'rfc7502.startRate')}
      />
    </SimpleGrid>
  );
}

function Bisect({ draft, error, set }: FieldsProps) {
  const unit = draft.objective === 'CALLS_AT_ONCE' ? 'calls at once' : 'calls per second';
  const bound = (name: 'least' | 'most', label: string) => (
    <NumberInput
      label={label}
      required
      min={0.1}
      max={10_000}
      decimalScale={1}
      value={draft[name]}
      onChange={(n) => set({ [name]: Number(n) })}
      error={faultOf(error, name)}
    />
  );
  const whole = (name: 'trialSeconds' | 'warmUpSeconds' | 'drainSeconds', label: string, min: number, max: number) => (
    <NumericField
      label={label}
      value={draft[name]}
      of={{ isWhole: true, min, max }}
      onChange={(n) => set({ [name]: n })}
      error={faultOf(error, name)}
    />
  );
  return (
    <>
      <Slos draft={draft} error={error} set={set} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {bound('least', `From, ${unit}`)}
        {bound('most', `To, ${unit}`)}
        <NumberInput
          label="Precision, %"
          required
          min={0.5}
          max={50}
          decimalScale={1}
          value={draft.precisionPercent}
          onChange={(n) => set({ precisionPercent: Number(n) || 3 })}
          error={faultOf(error, 'precisionPercent')}
        />
        {whole('trialSeconds', 'A trial lasts, seconds', 2, 3600)}
        {whole('warmUpSeconds', 'Warm-up, seconds', 0, 600)}
        {whole('drainSeconds', 'Pause after it, seconds', 0, 600)}
      </SimpleGrid>
    </>
  );
}

function Slos({ draft, error, set }: FieldsProps) {
  const { slos } = draft;
  const change = (i: number, part: Partial<(typeof slos)[number]>) =>
    set({ slos: slos.map((slo, n) => (n === i ? { ...slo, ...part } : slo)) });
  const next = freeMetric(draft);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        A trial passes if it keeps
      </Text>
      {slos.map(({ metricKey, limit }, i) => (
        <Group key={metricKey} gap="sm" wrap="nowrap" align="flex-start">
          <Select
            aria-label={`Limit ${i + 1}, metric`}
            style={{ flex: '2 1 0' }}
            allowDeselect={false}
            searchable
            description={metricUnit(metricKey)}
            data={[
              { value: metricKey, label: METRIC_KEYS[metricKey].displayName },
              ...metricChoices(slos.map((slo) => slo.metricKey)),
            ]}
            value={metricKey}
            onChange={(key) => key && change(i, { metricKey: key as MetricKey, limit: suggested(key as MetricKey) })}
          />
          <NumberInput
            aria-label={`Limit ${i + 1}, ${METRIC_KEYS[metricKey].higherIsBetter ? 'at least' : 'at most'}`}
            style={{ flex: '1 1 0' }}
            prefix={METRIC_KEYS[metricKey].higherIsBetter ? '≥ ' : '≤ '}
            required
            hideControls
            value={limit}
            onChange={(n) => change(i, { limit: Number(n) })}
            error={faultOf(error, `slos[${i}].limit`)}
          />
          <ActionIcon
            variant="default"
            size={36}
            style={{ flex: 'none' }}
            disabled={slos.length === 1}
            aria-label={`Remove limit ${i + 1}`}
            onClick={() => set({ slos: slos.filter((_, n) => n !== i) })}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {next !== undefined && (
        <div>
          <Button
            variant="default"
            size="xs"
            onClick={() => set({ slos: [...slos, { metricKey: next, limit: suggested(next) }] })}
          >
            Add a limit
          </Button>
        </div>
      )}
    </Stack>
  );
}

const suggested = (key: MetricKey): number => METRIC_KEYS[key].suggestedGreen;
