/** Fields for numbers. */
import { NumberInput } from '@mantine/core';

type Props = {
  readonly label: string;
  /** The accessible name, if the label is not sufficient. */
  readonly ariaLabel?: string;
  /** One sentence about the effect. */
  readonly description?: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly error?: string | undefined;
  /** The field's share of a row. */
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

/** A whole number, or an empty field. */
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

/** A field for a number that need not be a whole number. */
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
