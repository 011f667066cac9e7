/** Filters of a probe's list of executions, stored in the address. */
import { Group, Select, TextInput } from '@mantine/core';
import { HEALTH_STATES } from '../../../contract/words.ts';
import { HEALTH } from '../basics/tones.ts';
import { type ExecutionSearch, PERIOD_CHOICES } from './execution-search.ts';

type Props = { readonly search: ExecutionSearch; readonly onChange: (change: ExecutionSearch) => void };

const BETWEEN = 'between';

export function ExecutionFilters({ search, onChange }: Props) {
  const isBetween = search.period === BETWEEN || (!search.period && (search.from ?? search.to) !== undefined);
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="datetime-local"
      size="xs"
      label={label}
      value={search[name] ?? ''}
      onChange={(e) => onChange({ [name]: e.target.value, period: BETWEEN })}
    />
  );
  return (
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
      <Select
        label="Scheduled in"
        placeholder="Any time"
        clearable
        size="xs"
        w={190}
        data={[...PERIOD_CHOICES, { value: BETWEEN, label: 'Between two instants' }]}
        value={isBetween ? BETWEEN : (search.period ?? null)}
        onChange={(period) => onChange({ period: period ?? undefined, from: undefined, to: undefined })}
      />
      {isBetween && field('from', 'From, UTC')}
      {isBetween && field('to', 'Until, UTC')}
    </Group>
  );
}
