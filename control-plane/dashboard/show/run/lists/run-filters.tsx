/** The filters of runs. Their values are in the address. */
import { Button, Group, Pill, Select, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { VERDICTS } from '../../../../contract/run/measured-words.ts';
import { RUN_STATUSES } from '../../../../contract/run-status.ts';
import { useCall } from '../../../api.ts';
import { PeriodFields } from '../../basics/period-fields.tsx';
import { plain, VERDICT } from '../../basics/tones.ts';
import { FilterActions } from './filter-actions.tsx';
import {
  isLabel,
  labelsOf,
  OF_CHOICES,
  PASSED_CHOICES,
  type RunSearch,
  withLabel,
  withoutLabel,
} from './run-search.ts';

type Props = {
  readonly projectId: string;
  readonly search: RunSearch;
  readonly isFiltered: boolean;
  readonly onChange: (change: RunSearch) => void;
};

const NONE = {
  test: undefined,
  status: undefined,
  verdict: undefined,
  passed: undefined,
  label: undefined,
  of: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
} as const satisfies RunSearch;

export function RunFilters({ projectId, search, isFiltered, onChange }: Props) {
  const tests = useCall('listTests', { projectId, per_page: 100 });
  const choices = (tests.data?.rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const { test } = search;
  // The list may also show runs of a deleted test, or of a probe.
  const isOther = test !== undefined && tests.data !== undefined && !choices.some(({ value }) => value === test);
  const select = (
    name: 'status' | 'verdict' | 'passed' | 'of',
    label: string,
    data: readonly { readonly value: string; readonly label: string }[],
    placeholder = 'Any',
  ) => (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      size="xs"
      w={140}
      data={data}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
    />
  );
  return (
    <Group gap="xs" px={18} py={14} align="flex-end">
      <Select
        label="Test"
        placeholder="All tests"
        clearable
        searchable
        size="xs"
        w={220}
        withScrollArea={false}
        styles={{ options: { maxHeight: 320, overflowY: 'auto' } }}
        data={isOther ? [...choices, { value: test, label: 'Another test' }] : choices}
        value={test ?? null}
        onChange={(value) => onChange({ test: value ?? undefined })}
      />
      {select(
        'status',
        'Status',
        RUN_STATUSES.map((value) => ({ value, label: plain(value) })),
      )}
      {select(
        'verdict',
        'Verdict',
        VERDICTS.map((value) => ({ value, label: VERDICT[value][1] })),
      )}
      {select('passed', 'Thresholds', PASSED_CHOICES)}
      {select('of', 'Runs of', OF_CHOICES, 'Both')}
      <PeriodFields label="Submitted in" search={search} onChange={onChange} />
      <LabelField search={search} onChange={onChange} />
      {labelsOf(search).map((label) => (
        <Pill
          key={label}
          withRemoveButton
          onRemove={() => onChange(withoutLabel(search, label))}
          removeButtonProps={{ 'aria-label': `Without the label ${label}`, 'aria-hidden': false }}
        >
          {label}
        </Pill>
      ))}
      {isFiltered && (
        <Button size="xs" variant="subtle" onClick={() => onChange(NONE)}>
          Clear filters
        </Button>
      )}
      <FilterActions projectId={projectId} list="runs" search={search} none={NONE} onChange={onChange} />
    </Group>
  );
}

/** Enter applies the text, because half a label finds no run. */
function LabelField({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const [text, setText] = useState('');
  const label = text.trim();
  const isFaulty = label !== '' && !isLabel(label);
  const take = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || label === '' || isFaulty) return;
    onChange(withLabel(search, label));
    setText('');
  };
  return (
    <TextInput
      label="Label"
      placeholder="branch=main, Enter"
      size="xs"
      w={180}
      value={text}
      onChange={(e) => setText(e.target.value)}
      onKeyDown={take}
      error={isFaulty && 'A name, or name=value'}
    />
  );
}
