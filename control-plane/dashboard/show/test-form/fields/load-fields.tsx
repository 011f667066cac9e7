/** When calls start, how many there may be at the same time, and what ends the load. */
import { MAX_CALLS } from '@carillon/proto/load/shapes/shape.ts';
import {
  hasBuildup,
  isSized,
  LOAD_SHAPES,
  type LoadShapeName,
  loadShape,
  waits,
} from '@carillon/proto/load/shapes/shapes.ts';
import { Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { POPULATION_KINDS } from '../../../../contract/form-fields.ts';
import { faultOf } from '../../../api.ts';
import { Field, NumericField } from '../../basics/field.tsx';
import { Fields } from '../../basics/fields.tsx';
import type { Form } from '../../basics/form.ts';
import { inShape } from '../drafts/load-draft.ts';
import type { Draft } from '../drafts/test-draft.ts';
import { ShapeFields } from './shape-fields.tsx';

const SHAPES = LOAD_SHAPES.map((value) => ({ value, label: loadShape(value).title }));

export function LoadFields({ form }: { readonly form: Form<Draft> }) {
  const { values, error, set } = form;
  const { load } = values;
  return (
    <Stack gap="md">
      <Fields
        form={form}
        rows={[
          <Select
            key="shape"
            label="Calls start"
            data={SHAPES}
            value={load.shape}
            allowDeselect={false}
            onChange={(shape) => shape && set(inShape(values, shape as LoadShapeName))}
            error={faultOf(error, 'load.shape') ?? (isSized(load) ? undefined : faultOf(error, 'load'))}
          />,
          { key: 'durationSeconds', label: 'Call duration, seconds' },
        ]}
      />
      <ShapeFields load={load} error={error} onChange={(next) => set({ load: next })} />
      <EndpointFields form={form} />
      <Text size="sm" c="dimmed">
        {loadShape(load.shape).sentence}
      </Text>
    </Stack>
  );
}

const EACH = [
  { value: 'ONE', label: 'One' },
  { value: 'ALL', label: 'As many as the load needs' },
  { value: 'SOME', label: 'A fixed number' },
];
const FIRST_EACH = 10;
const CALLS_OF_EACH = { isWhole: true, min: 2, max: MAX_CALLS };
const SUB_POPULATION = 'groups[0].subPopulations[0]';

function EndpointFields({ form }: { readonly form: Form<Draft> }) {
  const { load, callsEach } = form.values;
  const isOnce = callsEach === 1;
  const isSome = !isOnce && callsEach !== null;
  const endpoints = (
    <Field
      key="endpoints"
      form={{ ...form, kinds: POPULATION_KINDS, at: SUB_POPULATION }}
      row={{ key: 'endpoints', label: isOnce ? 'Calls' : waits(load) ? 'Calls at once' : 'Calls at once, at most' }}
    />
  );
  if (hasBuildup(load))
    return <Fields form={form} rows={[endpoints, { key: 'buildup', label: 'Spread over, seconds' }]} />;
  const fault = faultOf(form.error, `${SUB_POPULATION}.calls`);
  return (
    <SimpleGrid cols={{ base: 1, sm: isSome ? 3 : 2 }}>
      {endpoints}
      <Select
        label="Calls of each endpoint"
        data={EACH}
        value={isOnce ? 'ONE' : isSome ? 'SOME' : 'ALL'}
        allowDeselect={false}
        onChange={(each) => form.set({ callsEach: each === 'ONE' ? 1 : each === 'ALL' ? null : FIRST_EACH })}
        error={isSome ? undefined : fault}
      />
      {isSome && (
        <NumericField
          label="Number of calls"
          value={callsEach}
          of={CALLS_OF_EACH}
          onChange={(n) => form.set({ callsEach: n })}
          error={fault}
        />
      )}
    </SimpleGrid>
  );
}
