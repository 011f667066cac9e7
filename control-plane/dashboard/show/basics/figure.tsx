/** One figure with its name, its unit, and the number of values that it is based on. */
import { Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
  readonly note?: ReactNode;
  readonly explain?: string;
};

export function Figure({ name, value, unit, note, explain }: Props) {
  const label = (
    <Text size="sm" c="dimmed" component="div">
      {name}
    </Text>
  );
  return (
    <div>
      {explain ? <Tooltip label={explain}>{label}</Tooltip> : label}
      <div className="figure">
        {value}
        {unit && value !== '–' && <small>{unit}</small>}
      </div>
      {note && (
        <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </div>
  );
}
