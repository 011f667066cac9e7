/** One plain field of a form, as its kind asks for it. */
import { Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FieldKind } from '../../../contract/field-kinds.ts';
import { faultOf } from '../../api.ts';
import { type FieldRow, type Form, pathOf } from './form.ts';

export function Field<V>({ form, row }: { readonly form: Form<V>; readonly row: FieldRow<V> }) {
  const { label, hint: description, placeholder } = row;
  const kind: FieldKind = form.kinds[row.key] ?? { kind: 'OTHER', isOptional: false };
  const value: unknown = form.values[row.key];
  const put = (next: unknown) => form.set({ [row.key]: next } as Partial<V>);
  const error = row.fault ?? faultOf(form.error, pathOf(form, row.key));
  const required = row.required ?? !kind.isOptional;
  const shown = { label, description, placeholder, error };
  switch (kind.kind) {
    case 'TEXT': {
      const text = {
        ...shown,
        ...(row.focus && { 'data-autofocus': true }),
        required,
        value: (value as string | null) ?? '',
        onChange: (e: { readonly target: { readonly value: string } }) =>
          put(e.target.value === '' && kind.isOptional ? null : e.target.value),
      };
      if (!row.lines) return <TextInput {...text} {...(row.isTime && { type: 'time' })} />;
      return <Textarea {...text} autosize minRows={row.lines[0]} maxRows={row.lines[1]} />;
    }
    case 'TEXTS':
      return (
        <Texts {...shown} texts={value as readonly string[]} error={error ?? faultIn(form, row.key)} onChange={put} />
      );
    case 'NUMBER':
      return (
        <NumericField
          {...shown}
          of={{ ...kind, max: row.most ?? kind.max }}
          required={required}
          value={value as number | null}
          onChange={put}
        />
      );
    case 'CHOICE':
      return (
        <Select
          {...shown}
          data={choicesOf(row.words, kind.words)}
          value={String(value ?? '')}
          allowDeselect={false}
          onChange={(next) => put(kind.words.find((word) => String(word) === next) ?? null)}
        />
      );
    case 'CHOICES':
      return (
        <MultiSelect
          {...shown}
          placeholder={(value as readonly string[]).length === 0 ? placeholder : undefined}
          required={row.required ?? false}
          data={choicesOf(row.words, kind.words)}
          value={[...(value as readonly string[])]}
          onChange={put}
        />
      );
    case 'SWITCH':
      return (
        <Checkbox
          label={label}
          description={description}
          checked={value as boolean}
          onChange={(e) => put(e.target.checked)}
          error={error}
        />
      );
    default:
      throw new Error(`${row.key} is not a plain field`);
  }
}

const choicesOf = (words: FieldRow<never>['words'], all: readonly (string | number)[]) =>
  words ? Object.entries(words).map(([value, label]) => ({ value, label })) : all.map(String);

type Shown = {
  readonly label: string;
  readonly description?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly error?: string | undefined;
};

type NumberProps<N> = Shown & {
  /** The accessible name, if the label is not sufficient. */
  readonly 'aria-label'?: string;
  readonly of: {
    readonly isOptional?: boolean | undefined;
    readonly isWhole?: boolean;
    readonly min: number;
    readonly max: number;
  };
  readonly required?: boolean;
  /** Null: the field is empty. */
  readonly value: N;
  /** The field's share of a row. */
  readonly flex?: string;
  readonly onChange: (n: N) => void;
};

/** A number that may be left out if `of` says so; any other empty field is the least number. */
export const NumericField = <N extends number | null>({
  of,
  required = true,
  value,
  onChange,
  ...shown
}: NumberProps<N>) => (
  <NumberInput
    {...shown}
    required={required}
    value={value ?? ''}
    min={of.min}
    max={of.max}
    allowDecimal={!of.isWhole}
    decimalScale={3}
    thousandSeparator={of.isWhole ? ',' : false}
    onChange={(n) => onChange((of.isOptional ? (n === '' ? null : Number(n)) : Number(n) || of.min) as N)}
  />
);

type TextsProps = Shown & { readonly texts: readonly string[]; readonly onChange: (texts: readonly string[]) => void };

/** Several texts without white space, separated by commas. A comma that was typed stays. */
function Texts({ texts, onChange, ...shown }: TextsProps) {
  const [typed, setTyped] = useState(texts.join(', '));
  return (
    <TextInput
      {...shown}
      value={typed}
      onChange={(e) => {
        setTyped(e.target.value);
        onChange(e.target.value.split(/[\s,]+/).filter((one) => one !== ''));
      }}
    />
  );
}

/** The first message about one of several texts. */
const faultIn = <V,>(form: Form<V>, key: keyof V & string): string | undefined =>
  (form.values[key] as readonly string[]).flatMap((_, i) => faultOf(form.error, `${pathOf(form, key)}[${i}]`) ?? [])[0];
