/** The fields of a load's shape, as its row defines them: rows of numbers, numbers, and the end of the load. */
import type { NumberField, RowsField } from '@carillon/proto/load/shapes/shape.ts';
import { isSized, type Load, loadShape } from '@carillon/proto/load/shapes/shapes.ts';
import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { faultOf } from '../../../api.ts';
import { NumericField } from '../../basics/field.tsx';
import { RemoveButton } from '../../basics/remove-button.tsx';
import { endOf, type Length, withLength } from '../drafts/load-draft.ts';

const LENGTHS: readonly { readonly value: Length; readonly label: string }[] = [
  { value: 'SECONDS', label: 'for a time' },
  { value: 'CALLS', label: 'for a number of calls' },
  { value: 'ENDPOINTS', label: 'until all endpoints have called' },
];

type ShapeProps = { load: Load; error: Error | null; onChange: (load: Load) => void };

export function ShapeFields({ load, error, onChange }: ShapeProps) {
  const values = load as unknown as Readonly<Record<string, number | readonly Row[]>>;
  const fields = Object.entries(loadShape(load.shape).fields);
  const set = (name: string) => (value: unknown) => onChange({ ...load, [name]: value } as Load);
  const numbers = fields.flatMap(([name, field]) => {
    const value = values[name];
    if ('row' in field || field.label === undefined || typeof value !== 'number') return [];
    const shown = { label: field.label, value, error: faultOf(error, `load.${name}`), onChange: set(name) };
    return [{ isOptional: field.isOptional, input: <Numeric key={name} field={field} {...shown} /> }];
  });
  const inputs = (isOptional: true | undefined) =>
    numbers.filter((number) => number.isOptional === isOptional).map(({ input }) => input);
  return (
    <>
      {fields.map(
        ([name, field]) =>
          'row' in field && (
            <RowFields
              key={name}
              {...{ field, error, path: `load.${name}` }}
              rows={values[name] as readonly Row[]}
              onChange={set(name)}
            />
          ),
      )}
      {numbers.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: isSized(load) && endOf(load) === 'ENDPOINTS' ? 2 : 3 }}>
          {inputs(undefined)}
          {isSized(load) && (
            <Select
              label="Load lasts"
              data={LENGTHS}
              value={endOf(load)}
              allowDeselect={false}
              onChange={(next) => next && onChange(withLength(load, next as Length))}
              error={faultOf(error, 'load')}
            />
          )}
          {inputs(true)}
        </SimpleGrid>
      )}
    </>
  );
}

type Row = Readonly<Record<string, number>>;
type RowProps = {
  readonly field: RowsField;
  readonly rows: readonly Row[];
  readonly path: string;
  readonly error: Error | null;
  readonly onChange: (rows: readonly Row[]) => void;
};

function RowFields({ field, rows, path, error, onChange }: RowProps) {
  const change = (i: number, part: Row) => onChange(rows.map((row, n) => (n === i ? { ...row, ...part } : row)));
  const name = field.name.toLowerCase();
  const last = rows.at(-1);
  return (
    <Stack gap="xs">
      {rows.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place
        <Group key={i} gap="sm" wrap="nowrap" align="flex-start" grow preventGrowOverflow={false}>
          {Object.entries(field.row).map(([key, { label = key, ...number }]) => (
            <Numeric
              key={key}
              field={number}
              label={label}
              aria-label={`${field.name} ${i + 1}, ${label.toLowerCase()}`}
              value={row[key] as number}
              onChange={(n) => change(i, { [key]: n })}
              error={faultOf(error, `${path}[${i}].${key}`)}
            />
          ))}
          <RemoveButton
            name={`Remove ${name} ${i + 1}`}
            isBesideFields
            disabled={rows.length === 1}
            onClick={() => onChange(rows.filter((_, n) => n !== i))}
          />
        </Group>
      ))}
      {faultOf(error, path) && (
        <Text size="sm" c="red" className="refused">
          {faultOf(error, path)}
        </Text>
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => last && onChange([...rows, last])}>
          Add a {name}
        </Button>
      </div>
    </Stack>
  );
}

type NumericProps = Pick<
  ComponentProps<typeof NumericField<number>>,
  'label' | 'aria-label' | 'value' | 'error' | 'onChange'
> & {
  readonly field: NumberField;
};

const Numeric = ({ field, ...shown }: NumericProps) =>
  field.isWhole ? <NumericField {...shown} of={{ ...field, isWhole: true }} /> : <Decimal {...shown} field={field} />;

/** A typed number may be incomplete, such as `0.` on the way to 0.5. */
function Decimal({ field, value, onChange, ...shown }: NumericProps) {
  const [typed, setTyped] = useState<number | string>(value);
  return (
    <NumberInput
      {...shown}
      required
      value={Number(typed) === value ? typed : value}
      min={0}
      max={field.max}
      decimalScale={2}
      onChange={(n) => {
        setTyped(n);
        onChange(Number(n));
      }}
    />
  );
}
