/** What is done with the media of calls: digits are pressed, received packets are impaired, RTP headers are kept. */
import { NO_IMPAIRMENT } from '@carillon/media/impairment/impairment.ts';
import { Checkbox, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { faultOf } from '../../../api.ts';
import { type DraftScenario, FIRST_DTMF, FIRST_TRACE } from '../drafts/scenario-draft.ts';
import { Decimal, Whole } from './whole.tsx';

const DISTRIBUTIONS = [
  { value: 'UNIFORM', label: 'uniform' },
  { value: 'NORMAL', label: 'normal' },
  { value: 'SPIKES', label: 'spikes' },
];
const MAX_SEED = 0xffff_ffff;

type Changed = Pick<DraftScenario, 'dtmf' | 'impairment' | 'rtpTrace'>;
type Props = {
  readonly streams: Changed;
  readonly error: Error | null;
  /** The path in a request, as `groups[0]`. */
  readonly at: string;
  readonly onChange: (change: Partial<Changed>) => void;
};
type PartProps<K extends keyof Changed> = {
  readonly of: NonNullable<Changed[K]>;
  readonly error: Error | null;
  readonly at: string;
  readonly onChange: (of: NonNullable<Changed[K]>) => void;
};

export function StreamFields({ streams: { dtmf, impairment, rtpTrace }, error, at, onChange }: Props) {
  return (
    <Stack>
      <Checkbox
        label="Digits after the answer"
        description="Each endpoint presses them once (RFC 4733)."
        checked={dtmf !== null}
        onChange={(e) => onChange({ dtmf: e.target.checked ? FIRST_DTMF : null })}
        error={faultOf(error, `${at}.dtmf`)}
      />
      {dtmf && <DtmfFields of={dtmf} error={error} at={`${at}.dtmf`} onChange={(next) => onChange({ dtmf: next })} />}
      <Checkbox
        label="Impaired network"
        description="Received packets are lost, delayed or reordered before they are counted."
        checked={impairment !== null}
        onChange={(e) => onChange({ impairment: e.target.checked ? NO_IMPAIRMENT : null })}
        error={faultOf(error, `${at}.impairment`)}
      />
      {impairment && (
        <ImpairmentFields
          of={impairment}
          error={error}
          at={`${at}.impairment`}
          onChange={(next) => onChange({ impairment: next })}
        />
      )}
      <Checkbox
        label="Keep RTP headers"
        description="Of some endpoints, for the pcapng file of the run."
        checked={rtpTrace !== null}
        onChange={(e) => onChange({ rtpTrace: e.target.checked ? FIRST_TRACE : null })}
        error={faultOf(error, `${at}.rtpTrace`)}
      />
      {rtpTrace && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Whole
            label="Endpoints traced"
            description="Of each worker's part of the test."
            value={rtpTrace.endpoints}
            min={1}
            max={20}
            onChange={(endpoints) => onChange({ rtpTrace: { ...rtpTrace, endpoints } })}
            error={faultOf(error, `${at}.rtpTrace.endpoints`)}
          />
          <Whole
            label="Packets traced"
            description="The first of each stream, each way."
            value={rtpTrace.packets}
            min={1}
            max={15_000}
            onChange={(packets) => onChange({ rtpTrace: { ...rtpTrace, packets } })}
            error={faultOf(error, `${at}.rtpTrace.packets`)}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}

const DtmfFields = ({ of: dtmf, error, at, onChange }: PartProps<'dtmf'>) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    <TextInput
      label="Digits"
      description="0-9 * # A-D, or {{column}} of the account."
      required
      value={dtmf.digits}
      onChange={(e) => onChange({ ...dtmf, digits: e.target.value })}
      error={faultOf(error, `${at}.digits`)}
    />
    <Whole
      label="First after, ms"
      description="From the answer."
      value={dtmf.afterMs}
      min={0}
      max={3_600_000}
      onChange={(afterMs) => onChange({ ...dtmf, afterMs })}
      error={faultOf(error, `${at}.afterMs`)}
    />
    <Whole
      label="Held for, ms"
      description="Each digit."
      value={dtmf.onMs}
      min={40}
      max={2000}
      onChange={(onMs) => onChange({ ...dtmf, onMs })}
      error={faultOf(error, `${at}.onMs`)}
    />
    <Whole
      label="Pause, ms"
      description="Between two digits."
      value={dtmf.offMs}
      min={40}
      max={2000}
      onChange={(offMs) => onChange({ ...dtmf, offMs })}
      error={faultOf(error, `${at}.offMs`)}
    />
  </SimpleGrid>
);

type Impairment = NonNullable<Changed['impairment']>;
type Amount = Exclude<keyof Impairment, 'seed' | 'jitterDistribution'>;
const AMOUNTS: readonly { readonly key: Amount; readonly label: string; readonly min: number; readonly max: number }[] =
  [
    { key: 'lossPercent', label: 'Loss, %', min: 0, max: 90 },
    { key: 'burstRatio', label: 'Burst ratio', min: 1, max: 8 },
    { key: 'delayMs', label: 'Delay, ms', min: 0, max: 2000 },
    { key: 'jitterMs', label: 'Jitter, ms', min: 0, max: 200 },
    { key: 'reorderPercent', label: 'Reordered, %', min: 0, max: 30 },
    { key: 'duplicatePercent', label: 'Duplicated, %', min: 0, max: 100 },
  ];

const ImpairmentFields = ({ of: impairment, error, at, onChange }: PartProps<'impairment'>) => (
  <SimpleGrid cols={{ base: 2, sm: 4 }}>
    {AMOUNTS.map(({ key, label, min, max }) => (
      <Decimal
        key={key}
        label={label}
        value={impairment[key]}
        min={min}
        max={max}
        onChange={(n) => onChange({ ...impairment, [key]: n })}
        error={faultOf(error, `${at}.${key}`)}
      />
    ))}
    <Select
      label="Jitter is"
      data={DISTRIBUTIONS}
      value={impairment.jitterDistribution}
      allowDeselect={false}
      onChange={(v) => onChange({ ...impairment, jitterDistribution: v as Impairment['jitterDistribution'] })}
    />
    <Whole
      label="Seed"
      value={impairment.seed}
      min={0}
      max={MAX_SEED}
      onChange={(seed) => onChange({ ...impairment, seed })}
      error={faultOf(error, `${at}.seed`)}
    />
  </SimpleGrid>
);
