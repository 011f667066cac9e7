/** Fields for numbers. */
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
  /** Its share of a row. */
  readonly flex?: string;
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

type MaybeProps = Omit<Props, 'value' | 'onChange'> & {
  readonly placeholder: string;
  readonly value: number | null;
  readonly onChange: (n: number | null) => void;
};

/** The same, or nothing. */
export const MaybeWhole = ({ ariaLabel, onChange, value, ...rest }: MaybeProps) => (
  <NumberInput
    {...rest}
    {...(ariaLabel !== undefined && { 'aria-label': ariaLabel })}
    value={value ?? ''}
    allowDecimal={false}
    thousandSeparator=","
    onChange={(n) => onChange(n === '' ? null : Number(n))}
  />
);

/** A field for a number that need not be whole. */
export const Decimal = ({ ariaLabel, onChange, min, ...rest }: Props) => (
  <NumberInput
    {...rest}
    {...(ariaLabel !== undefined && { 'aria-label': ariaLabel })}
    required
    min={min}
    decimalScale={3}
    onChange={(n) => onChange(Number(n) || min)}
  />
);
