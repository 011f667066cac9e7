/**
 * The plain fields of a form: a row says what people read, and the contract of what kind the field is (contract/form-fields.ts).
 * Special fields are given as elements.
 */
import { Checkbox, SimpleGrid } from '@mantine/core';
import { isValidElement, type ReactElement } from 'react';
import { faultOf } from '../../api.ts';
import { Field } from './field.tsx';
import { type FieldRow, type FieldRows, type Form, partOf, pathOf } from './form.ts';

type Columns = number | { readonly base: number; readonly sm: number; readonly lg?: number };
type FieldsProps<V> = { readonly form: Form<V>; readonly rows: FieldRows<V>; readonly cols?: Columns };

/** Fields side by side, where there is room. A switch has a line of its own. */
export function Fields<V>({ form, rows, cols = 2 }: FieldsProps<V>) {
  const lines: { readonly isSwitch: boolean; readonly fields: ReactElement[] }[] = [];
  for (const row of rows) {
    if (!row) continue;
    const isSwitch = !isValidElement(row) && form.kinds[row.key]?.kind === 'SWITCH';
    const field = isValidElement(row) ? row : <Field key={row.key} form={form} row={row} />;
    const line = lines.at(-1);
    if (line === undefined || isSwitch || line.isSwitch) lines.push({ isSwitch, fields: [field] });
    else line.fields.push(field);
  }
  return lines.map(({ isSwitch, fields }, i) =>
    isSwitch ? (
      fields
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is nothing but its place
      <SimpleGrid key={i} cols={typeof cols === 'number' && cols > 1 ? { base: 1, sm: cols } : cols}>
        {fields}
      </SimpleGrid>
    ),
  );
}

type PartProps<V, K extends keyof V & string> = {
  readonly form: Form<V>;
  readonly row: FieldRow<V> & { readonly key: K };
  /** What it is when it is switched on. */
  readonly first: NonNullable<V[K]>;
  readonly rows: FieldRows<NonNullable<V[K]>>;
  readonly cols?: Columns;
};

/** A part that may be switched off, which is null; its fields are below the switch. */
export function Part<V, K extends keyof V & string>({ form, row, first, rows, cols = 2 }: PartProps<V, K>) {
  const isOn = form.values[row.key] !== null;
  return (
    <>
      <Checkbox
        label={row.label}
        description={row.hint}
        checked={isOn}
        onChange={(e) => form.set({ [row.key]: e.target.checked ? first : null } as unknown as Partial<V>)}
        error={faultOf(form.error, pathOf(form, row.key))}
      />
      {isOn && <Fields form={partOf(form, row.key)} rows={rows} cols={cols} />}
    </>
  );
}
