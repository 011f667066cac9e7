/** When calls start, how many there may be at once, and what ends the load. */
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Tooltip,
} from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { faultOf } from '../../../api.ts';
import { IconX } from '../../basics/icons.tsx';
import {
  type DraftedLoad,
  inShape,
  type Length,
  type LoadDraft,
  type LoadShape,
  lengthOf,
  withLength,
} from '../drafts/load-draft.ts';
import { Whole } from './whole.tsx';

const SHAPES: readonly { readonly value: LoadShape; readonly label: string }[] = [
  { value: 'BUILDUP', label: 'Evenly, one call per endpoint' },
  { value: 'RATE', label: 'At a steady rate' },
  { value: 'POISSON', label: 'At random (Poisson)' },
  { value: 'STEPS', label: 'In steps of a rate' },
  { value: 'CONCURRENCY', label: 'At constant concurrency' },
];
const WORDS: Readonly<Record<LoadShape, string>> = {
  BUILDUP: 'Each endpoint places one call.',
  RATE: 'A free endpoint places each call that is due. If no endpoint is free, the call is dropped and counted.',
  POISSON: 'Independent arrivals, as from many people. If no endpoint is free, the call is dropped and counted.',
  STEPS: 'One rate after another. If no endpoint is free, the call is dropped and counted.',
  CONCURRENCY: 'Each call that ends is replaced by a new one.',
};
const LENGTHS: readonly { readonly value: Length; readonly label: string }[] = [
  { value: 'SECONDS', label: 'for a time' },
  { value: 'CALLS', label: 'for a number of calls' },
  { value: 'ENDPOINTS', label: 'until all endpoints have called' },
];
const MOST_ENDPOINTS = 100_000;
const MOST_CALLS = 10_000_000;
const MOST_SECONDS = 86_400;
const MOST_RATE = 10_000;

type Props = {
  readonly draft: LoadDraft;
  readonly error: Error | null;
  readonly onChange: (change: Partial<LoadDraft>) => void;
};

export function LoadFields(props: Props) {
  const { draft, error, onChange } = props;
  const { load } = draft;
  const setLoad = (next: DraftedLoad) => onChange({ load: next });
  return (
    <Fieldset legend="Load">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Calls start"
            data={SHAPES}
            value={load.shape}
            allowDeselect={false}
            onChange={(shape) => shape && onChange(inShape(draft, shape as LoadShape))}
            error={faultOf(error, 'load.shape') ?? ('callsPerSecond' in load ? undefined : faultOf(error, 'load'))}
          />
          <Whole
            label="Call duration, seconds"
            value={draft.durationSeconds}
            min={1}
            max={MOST_SECONDS}
            onChange={(durationSeconds) => onChange({ durationSeconds })}
            error={faultOf(error, 'durationSeconds')}
          />
        </SimpleGrid>
        {load.shape === 'STEPS' && (
          <StepFields steps={load.steps} error={error} onChange={(steps) => setLoad({ ...load, steps })} />
        )}
        {'callsPerSecond' in load && <SizedFields load={load} error={error} onChange={setLoad} />}
        <EndpointFields {...props} />
        <Text size="sm" c="dimmed">
          {WORDS[load.shape]}
        </Text>
      </Stack>
    </Fieldset>
  );
}

type Sized = Extract<DraftedLoad, { readonly callsPerSecond: number }>;
type SizedProps = { load: Sized; error: Error | null; onChange: (load: DraftedLoad) => void };

function SizedFields({ load, error, onChange }: SizedProps) {
  const length = lengthOf(load);
  return (
    <SimpleGrid cols={{ base: 1, sm: length === 'ENDPOINTS' ? 2 : 3 }}>
      <Rate
        label={load.shape === 'CONCURRENCY' ? 'Calls per second, at most' : 'Calls per second'}
        value={load.callsPerSecond}
        onChange={(callsPerSecond) => onChange({ ...load, callsPerSecond })}
        error={faultOf(error, 'load.callsPerSecond')}
      />
      <Select
        label="Load lasts"
        data={LENGTHS}
        value={length}
        allowDeselect={false}
        onChange={(next) => next && onChange(withLength(load, next as Length))}
        error={faultOf(error, 'load')}
      />
      {load.seconds !== undefined && (
        <Whole
          label="Seconds"
          value={load.seconds}
          min={1}
          max={MOST_SECONDS}
          onChange={(seconds) => onChange({ ...load, seconds })}
          error={faultOf(error, 'load.seconds')}
        />
      )}
      {load.calls !== undefined && (
        <Whole
          label="Calls in all"
          value={load.calls}
          min={1}
          max={MOST_CALLS}
          onChange={(calls) => onChange({ ...load, calls })}
          error={faultOf(error, 'load.calls')}
        />
      )}
    </SimpleGrid>
  );
}

type Steps = Extract<DraftedLoad, { readonly shape: 'STEPS' }>['steps'];
type StepProps = { steps: Steps; error: Error | null; onChange: (steps: Steps) => void };

function StepFields({ steps, error, onChange }: StepProps) {
  const change = (i: number, part: Partial<Steps[number]>) =>
    onChange(steps.map((step, n) => (n === i ? { ...step, ...part } : step)));
  const last = steps.at(-1);
  return (
    <Stack gap="xs">
      {steps.map((step, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is nothing but its place
        <Group key={i} gap="sm" wrap="nowrap" align="flex-start" grow preventGrowOverflow={false}>
          <Rate
            label="Calls per second"
            ariaLabel={`Step ${i + 1}, calls per second`}
            value={step.callsPerSecond}
            onChange={(callsPerSecond) => change(i, { callsPerSecond })}
            error={faultOf(error, `load.steps[${i}].callsPerSecond`)}
          />
          <Whole
            label="Seconds"
            ariaLabel={`Step ${i + 1}, seconds`}
            value={step.seconds}
            min={1}
            max={MOST_SECONDS}
            onChange={(seconds) => change(i, { seconds })}
            error={faultOf(error, `load.steps[${i}].seconds`)}
          />
          <Tooltip label="Remove">
            <ActionIcon
              variant="default"
              size={36}
              mt={25}
              style={{ flex: 'none' }}
              disabled={steps.length === 1}
              aria-label={`Remove step ${i + 1}`}
              onClick={() => onChange(steps.filter((_, n) => n !== i))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      ))}
      {faultOf(error, 'load.steps') && (
        <Text size="sm" c="red">
          {faultOf(error, 'load.steps')}
        </Text>
      )}
      <div>
        <Button variant="default" size="xs" onClick={() => last && onChange([...steps, last])}>
          Add a step
        </Button>
      </div>
    </Stack>
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
      label={isOnce ? 'Calls' : load.shape === 'CONCURRENCY' ? 'Calls at once' : 'Calls at once, at most'}
      value={endpoints}
      min={1}
      max={MOST_ENDPOINTS}
      onChange={(n) => onChange({ endpoints: n })}
      error={faultOf(error, `${SUB_POPULATION}.endpoints`)}
    />
  );
  if (load.shape === 'BUILDUP')
    return (
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {number}
        <Whole
          label="Spread over, seconds"
          value={buildup}
          min={0}
          max={MOST_SECONDS}
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
          max={MOST_CALLS}
          onChange={(n) => onChange({ callsEach: n })}
          error={fault}
        />
      )}
    </SimpleGrid>
  );
}

type RateProps = Pick<ComponentProps<typeof Whole>, 'label' | 'ariaLabel' | 'value' | 'error' | 'onChange'>;

/** What is typed is a number before it is whole: `0.` on the way to 0.5. */
function Rate({ label, ariaLabel, value, error, onChange }: RateProps) {
  const [typed, setTyped] = useState<number | string>(value);
  return (
    <NumberInput
      label={label}
      {...(ariaLabel !== undefined && { 'aria-label': ariaLabel })}
      required
      value={Number(typed) === value ? typed : value}
      min={0}
      max={MOST_RATE}
      decimalScale={2}
      onChange={(n) => {
        setTyped(n);
        onChange(Number(n));
      }}
      error={error}
    />
  );
}
