/** The fields of a test. */
import { Stack, Textarea, TextInput } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { faultOf } from '../../api.ts';
import { CallerFields } from './caller-fields.tsx';
import { LoadFields } from './load-fields.tsx';
import { MediaFields } from './media-fields.tsx';
import { PopulationFields } from './population-fields.tsx';
import { RegionSelect } from './region-select.tsx';
import { RequestFields } from './request-fields.tsx';
import { TargetFields } from './target-fields.tsx';
import type { Draft } from './test-draft.ts';
import { ExpectationFields, ThresholdFields } from './test-expectations.tsx';

type Props = {
  readonly draft: Draft;
  readonly registrars: readonly Output<'listRegistrars'>[];
  readonly error: Error | null;
  readonly onChange: (draft: Draft) => void;
};

export function TestFields({ draft, registrars, error, onChange }: Props) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  const calls = draft.does === 'CALL';
  const hasCalls = draft.does !== 'REGISTER';
  const registration = registrars.some((r) => r.id === draft.registrarId && r.register && !r.isCloud);
  return (
    <Stack>
      <TextInput
        label="Name"
        required
        value={draft.name}
        onChange={(e) => set({ name: e.target.value })}
        error={faultOf(error, 'name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        value={draft.description}
        onChange={(e) => set({ description: e.target.value })}
      />
      <TargetFields draft={draft} registrars={registrars} error={error} onChange={set} />
      <RegionSelect value={draft.region} onChange={(region) => set({ region })} />
      {calls ? (
        <LoadFields draft={draft} error={error} onChange={set} />
      ) : (
        <PopulationFields draft={draft} error={error} onChange={set} />
      )}
      {hasCalls && <MediaFields draft={draft} error={error} onChange={set} />}
      {calls && (
        <CallerFields caller={draft.caller} error={error} at="groups[0]" onChange={(caller) => set({ caller })} />
      )}
      <RequestFields
        requests={draft.requests}
        has={{ registration, retry: registration, calling: calls, timer: hasCalls }}
        error={error}
        at="groups[0]"
        onChange={(requests) => set({ requests })}
      />
      {hasCalls && (
        <ExpectationFields expectations={draft.expectations} onChange={(expectations) => set({ expectations })} />
      )}
      <ThresholdFields thresholds={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
    </Stack>
  );
}
