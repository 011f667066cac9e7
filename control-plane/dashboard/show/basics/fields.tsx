/**
 * The plain fields of a form: a row says what people read, and the contract of what kind the field is (contract/form-fields.ts).
 * Special fields are given as elements.
 */
import { SimpleGrid } from '@mantine/core';
import { isValidElement, type ReactElement } from 'react';
import { Field } from './field.tsx';
import type { FieldRows, Form } from './form.ts';

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
