/** Filters and order of a run's list of endpoints, stored in the address. */
import { Group, Pill, Select } from '@mantine/core';
import { OUTCOMES } from '../../../contract/run/words.ts';
import { ENDPOINT_TYPES } from '../../../contract/test-settings/words.ts';
import { SearchField } from '../basics/search-field.tsx';
import { plain } from '../basics/words.tsx';
import { FINDING_CHOICES } from '../heard/finding-choices.ts';
import { causeWords } from '../heard/finding-words.ts';
import { type Filters, WORST } from './endpoint-search.ts';

type Props = {
  readonly filters: Filters;
  /** True: the calls belong to one endpoint. */
  readonly isOfOne: boolean;
  readonly onChange: (change: Filters) => void;
};

export const EndpointFilters = ({ filters, isOfOne, onChange }: Props) => (
  <Group gap="xs" align="flex-start" style={{ flex: '1 1 290px' }}>
    <SearchField
      label="Number called"
      isLabelHidden
      placeholder="Number called"
      width={130}
      value={filters.number}
      onTake={(number) => onChange({ number })}
    />
    <SearchField
      label="Call-ID"
      isLabelHidden
      placeholder="Whole Call-ID"
      width={150}
      value={filters.callId}
      onTake={(callId) => onChange({ callId })}
    />
    <Select
      aria-label="Finding"
      placeholder="All findings"
      clearable
      searchable
      size="xs"
      maw={280}
      style={{ flex: '1 1 220px' }}
      comboboxProps={{ width: 340, position: 'bottom-start' }}
      // The list itself scrolls. A box around it would add a tab stop.
      withScrollArea={false}
      styles={{ options: { maxHeight: 380, overflowY: 'auto' } }}
      data={FINDING_CHOICES}
      value={filters.finding ?? null}
      onChange={(finding) => onChange({ finding: finding ?? undefined })}
    />
    <Select
      aria-label="Outcome"
      placeholder="All outcomes"
      clearable
      size="xs"
      maw={170}
      style={{ flex: '1 1 130px' }}
      data={OUTCOMES.map((o) => ({ value: o, label: plain(o) }))}
      value={filters.outcome ?? null}
      onChange={(outcome) => onChange({ outcome: outcome ?? undefined })}
    />
    {!isOfOne && (
      <Select
        aria-label="Role"
        placeholder="Callers and callees"
        clearable
        size="xs"
        maw={170}
        style={{ flex: '1 1 130px' }}
        data={ENDPOINT_TYPES.map((o) => ({ value: o, label: `${plain(o)}s` }))}
        value={filters.type ?? null}
        onChange={(type) => onChange({ type: type ?? undefined })}
      />
    )}
    <Select
      aria-label="Order"
      size="xs"
      maw={140}
      style={{ flex: '1 1 120px' }}
      allowDeselect={false}
      data={[
        { value: WORST, label: 'Worst first' },
        { value: 'number', label: 'In order' },
      ]}
      value={filters.order ?? WORST}
      onChange={(order) => onChange({ order: order === WORST ? undefined : (order ?? undefined) })}
    />
    {filters.cause && (
      <Pill
        withRemoveButton
        onRemove={() => onChange({ cause: undefined })}
        removeButtonProps={{ 'aria-label': 'All causes', 'aria-hidden': false }}
      >
        {causeWords(filters.cause)}
      </Pill>
    )}
    {filters.status && (
      <Pill
        withRemoveButton
        onRemove={() => onChange({ status: undefined })}
        removeButtonProps={{ 'aria-label': 'All statuses', 'aria-hidden': false }}
      >
        {filters.status}
      </Pill>
    )}
  </Group>
);
