/** The filters of calls over all runs. Their values are in the address. */
import { Button, Group, Select } from '@mantine/core';
import { useCall } from '../../../api.ts';
import { PeriodFields } from '../../basics/period-fields.tsx';
import { SearchField } from '../../basics/search-field.tsx';
import { type CallSearch, isCode, RESULT_CHOICES } from './call-search.ts';
import { FilterActions } from './filter-actions.tsx';

type Props = {
  readonly projectId: string;
  readonly search: CallSearch;
  readonly isFiltered: boolean;
  readonly onChange: (change: CallSearch) => void;
};

const NONE = {
  result: undefined,
  test: undefined,
  code: undefined,
  cause: undefined,
  number: undefined,
  callId: undefined,
  worker: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
} as const satisfies CallSearch;

export function CallFilters({ projectId, search, isFiltered, onChange }: Props) {
  const tests = useCall('listTests', { projectId, per_page: 100 });
  const workers = useCall('listWorkers', { per_page: 100 });
  const select = (
    name: 'test' | 'worker',
    label: string,
    placeholder: string,
    rows: readonly { readonly id: string; readonly name: string }[] = [],
  ) => (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      searchable
      size="xs"
      w={190}
      data={rows.map((row) => ({ value: row.id, label: row.name }))}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
    />
  );
  return (
    <Group gap="xs" px={18} py={14} align="flex-start">
      <Select
        label="Result"
        placeholder="Any"
        clearable
        size="xs"
        w={110}
        data={RESULT_CHOICES}
        value={search.result ?? null}
        onChange={(result) => onChange({ result: result ?? undefined })}
      />
      <SearchField
        label="SIP code"
        placeholder="486"
        width={90}
        value={search.code}
        fault={(text) => (isCode(text) ? null : '100 to 699')}
        onTake={(code) => onChange({ code })}
      />
      <SearchField
        label="Called number"
        placeholder="a part of it"
        width={170}
        value={search.number}
        onTake={(number) => onChange({ number })}
      />
      <SearchField
        label="Call-ID"
        placeholder="all of it"
        width={170}
        value={search.callId}
        onTake={(callId) => onChange({ callId })}
      />
      {select('test', 'Test', 'All tests', tests.data?.rows)}
      {select('worker', 'Worker', 'All workers', workers.data?.rows)}
      <PeriodFields label="Planned in" search={search} onChange={onChange} />
      {isFiltered && (
        <Button size="xs" variant="subtle" mt={25} onClick={() => onChange(NONE)}>
          Clear filters
        </Button>
      )}
      <div style={{ marginTop: 25 }}>
        <FilterActions projectId={projectId} list="calls" search={search} none={NONE} onChange={onChange} />
      </div>
    </Group>
  );
}
