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
import { Fieldset, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { inShape, type LoadDraft } from '../drafts/load-draft.ts';
import { ShapeFields } from './shape-fields.tsx';
import { Whole } from './whole.tsx';

const SHAPES = LOAD_SHAPES.map((value) => ({ value, label: loadShape(value).title }));
const MAX_ENDPOINTS = 100_000;
const MAX_SECONDS = 86_400;

type Props = {
  readonly draft: LoadDraft;
  readonly error: Error | null;
  readonly onChange: (change: Partial<LoadDraft>) => void;
};

export function LoadFields(props: Props) {
  const { draft, error, onChange } = props;
  const { load } = draft;
  return (
    <Fieldset legend="Load">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Calls start"
            data={SHAPES}
            value={load.shape}
            allowDeselect={false}
            onChange={(shape) => shape && onChange(inShape(draft, shape as LoadShapeName))}
            error={faultOf(error, 'load.shape') ?? (isSized(load) ? undefined : faultOf(error, 'load'))}
          />
          <Whole
            label="Call duration, seconds"
            value={draft.durationSeconds}
            min={1}
            max={MAX_SECONDS}
            onChange={(durationSeconds) => onChange({ durationSeconds })}
            error={faultOf(error, 'durationSeconds')}
          />
        </SimpleGrid>
        <ShapeFields load={load} error={error} onChange={(next) => onChange({ load: next })} />
        <EndpointFields {...props} />
        <Text size="sm" c="dimmed">
          {loadShape(load.shape).sentence}
        </Text>
      </Stack>
    </Fieldset>
  );
}

const EACH = [
  { value: 'ONE', label: 'one call' },
  { value: 'ALL', label: 'as many as the load asks for' },
  { value: 'SOME', label: 'a number of calls' },
];
const FIRST_EACH = 10;
const SUB_POPULATION = 'groups[0].subPopulations[0]';

function EndpointFields({ draft, error, onChange }: Props) {
  const { load, callsEach, endpoints, buildup } = draft;
  const isOnce = callsEach === 1;
  const number = (
    <Whole
      label={isOnce ? 'Calls' : waits(load) ? 'Calls at once' : 'Calls at once, at most'}
      value={endpoints}
      min={1}
      max={MAX_ENDPOINTS}
      onChange={(n) => onChange({ endpoints: n })}
      error={faultOf(error, `${SUB_POPULATION}.endpoints`)}
    />
  );
  if (hasBuildup(load))
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {number}
        <Whole
          label="Spread over, seconds"
          value={buildup}
          min={0}
          max={MAX_SECONDS}
          onChange={(n) => onChange({ buildup: n })}
          error={faultOf(error, 'buildup')}
        />
      </SimpleGrid>
    );
  const fault = faultOf(error, `${SUB_POPULATION}.calls`);
  return (
    <SimpleGrid cols={{ base: 1, sm: isOnce || callsEach === null ? 2 : 3 }}>
      {number}
      <Select
        label="An endpoint places"
        data={EACH}
        value={isOnce ? 'ONE' : callsEach === null ? 'ALL' : 'SOME'}
        allowDeselect={false}
        onChange={(each) => onChange({ callsEach: each === 'ONE' ? 1 : each === 'ALL' ? null : FIRST_EACH })}
        error={isOnce || callsEach === null ? fault : undefined}
      />
      {!isOnce && callsEach !== null && (
        <Whole
          label="Calls of each"
          value={callsEach}
          min={2}
          max={MAX_CALLS}
          onChange={(n) => onChange({ callsEach: n })}
          error={fault}
        />
      )}
    </SimpleGrid>
  );
}
