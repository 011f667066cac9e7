/** A field for a whole number. */
import { NumberInput } from '@mantine/core';

type Props = {
  readonly label: string;
  /** Where the label does not name it by itself. */
  readonly ariaLabel?: string;
  /** What it does, in one sentence. */
  readonly description?: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly error?: string | undefined;
  readonly onChange: (n: number) => void;
};

export const Whole = ({ label, ariaLabel, description, value, min, max, error, onChange }: Props) => (
  <NumberInput
    label={label}
    {...(ariaLabel !== undefined && { 'aria-label': ariaLabel })}
    description={description}
    required
    value={value}
    min={min}
    max={max}
    allowDecimal={false}
    thousandSeparator=","
    onChange={(n) => onChange(Number(n) || min)}
    error={error}
  />
);
