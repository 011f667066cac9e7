/** Fields for a period: a number of last hours, or two instants. The values are in the address. */
import { Select, TextInput } from '@mantine/core';
import { PERIOD_CHOICES, type PeriodSearch } from './periods.ts';

const BETWEEN = 'between';

type Props = {
  readonly label: string;
  readonly search: PeriodSearch;
  readonly onChange: (change: PeriodSearch) => void;
};

export function PeriodFields({ label, search, onChange }: Props) {
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
    <>
      <Select
        label={label}
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
    </>
  );
}
