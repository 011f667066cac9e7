/** Filters of a probe's list of executions, stored in the address. */
import { Group, Select } from '@mantine/core';
import { HEALTH_STATES } from '../../../contract/run/measured-words.ts';
import { PeriodFields } from '../basics/period-fields.tsx';
import { HEALTH } from '../basics/tones.ts';
import type { ExecutionSearch } from './execution-search.ts';

type Props = { readonly search: ExecutionSearch; readonly onChange: (change: ExecutionSearch) => void };

export const ExecutionFilters = ({ search, onChange }: Props) => (
  <Group gap="xs" px={18} pb={12} align="flex-end">
    <Select
      label="Health"
      placeholder="Any"
      clearable
      size="xs"
      w={150}
      data={HEALTH_STATES.map((state) => ({ value: state, label: HEALTH[state][1] }))}
      value={search.status ?? null}
      onChange={(status) => onChange({ status: status ?? undefined })}
    />
    <PeriodFields label="Scheduled in" search={search} onChange={onChange} />
  </Group>
);
