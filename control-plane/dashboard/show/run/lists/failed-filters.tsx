/** The filters of failed calls. Their values are in the address. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useCall } from '../../../api.ts';
import { PeriodFields } from '../../basics/period-fields.tsx';
import { type FailedSearch, isCode } from './failed-search.ts';

type Props = {
  readonly projectId: string;
  readonly search: FailedSearch;
  readonly isFiltered: boolean;
  readonly onChange: (change: FailedSearch) => void;
};

const NONE: FailedSearch = {
  test: undefined,
  code: undefined,
  cause: undefined,
  number: undefined,
  callId: undefined,
  worker: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
};

export function FailedFilters({ projectId, search, isFiltered, onChange }: Props) {
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
      <Field
        label="SIP code"
        placeholder="486"
        width={90}
        value={search.code}
        fault={(text) => (isCode(text) ? null : '100 to 699')}
        onTake={(code) => onChange({ code })}
      />
      <Field
        label="Called number"
        placeholder="a part of it"
        width={170}
        value={search.number}
        onTake={(number) => onChange({ number })}
      />
      <Field
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
        <Button size="xs" variant="subtle" mt={22} onClick={() => onChange(NONE)}>
          Clear filters
        </Button>
      )}
    </Group>
  );
}

type FieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly width: number;
  readonly value: string | undefined;
  readonly fault?: (text: string) => string | null;
  readonly onTake: (text: string | undefined) => void;
};

/** The typed text is applied by Enter, or when the field loses the focus. */
function Field({ label, placeholder, width, value, fault, onTake }: FieldProps) {
  const [text, setText] = useState(value ?? '');
  // Something else changed the address.
  useEffect(() => setText(value ?? ''), [value]);
  const typed = text.trim();
  const wrong = typed === '' ? null : (fault?.(typed) ?? null);
  const take = () => {
    if (wrong === null && typed !== (value ?? '')) onTake(typed === '' ? undefined : typed);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      size="xs"
      w={width}
      value={text}
      onChange={(e) => setText(e.target.value)}
      onBlur={take}
      onKeyDown={(e: KeyboardEvent) => e.key === 'Enter' && take()}
      error={wrong}
    />
  );
}
