/** The fields of a test. */
import { Stack, Textarea, TextInput } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { faultOf } from '../../../api.ts';
import { callsOwn, type Draft, hasOf, sideOf } from '../drafts/test-draft.ts';
import { CallerFields } from './caller-fields.tsx';
import { LimitFields } from './limit-fields.tsx';
import { LoadFields } from './load-fields.tsx';
import { MediaFields } from './media-fields.tsx';
import { PlaceFields } from './place-fields.tsx';
import { PopulationFields } from './population-fields.tsx';
import { RequestFields } from './request-fields.tsx';
import { ScenarioFields } from './scenario-fields.tsx';
import { TargetFields } from './target-fields.tsx';
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
  const own = callsOwn(draft);
  const side = sideOf(draft.does);
  const has = hasOf(draft);
  const registrar = registrars.find((r) => r.id === draft.registrarId);
  const registration = registrar?.register === true && !registrar.isCloud;
  const engine = registrar?.protocol === 'WS' || registrar?.protocol === 'WSS';
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
      <PlaceFields draft={draft} error={error} onChange={set} />
      {calls ? (
        <LoadFields draft={draft} error={error} onChange={set} />
      ) : (
        <PopulationFields draft={draft} error={error} onChange={set} />
      )}
      {has.calls && <MediaFields draft={draft} error={error} onChange={set} />}
      {(calls || draft.does === 'OPTIONS') && (
        <CallerFields caller={draft.caller} error={error} at="groups[0]" onChange={(caller) => set({ caller })} />
      )}
      <RequestFields
        requests={draft.requests}
        has={{ registration, retry: registration, calling: calls, timer: has.calls, engine }}
        error={error}
        at="groups[0]"
        onChange={(requests) => set({ requests })}
      />
      {has.calls && (
        <ScenarioFields
          legend={own ? 'Callers in a call' : 'In a call'}
          scenario={draft.scenario}
          side={side}
          has={{ ...has, registration }}
          deferred={deferredOf(draft)}
          error={error}
          at="groups[0]"
          onChange={(scenario) => set({ scenario })}
        />
      )}
      {own && (
        <ScenarioFields
          legend="Callees in a call"
          scenario={draft.answering}
          side="CALLEE"
          has={{ ...has, registration: false }}
          deferred={0}
          error={error}
          at="groups[1]"
          onChange={(answering) => set({ answering })}
        />
      )}
      {has.calls && (
        <ExpectationFields expectations={draft.expectations} onChange={(expectations) => set({ expectations })} />
      )}
      {calls && <LimitFields limits={draft} error={error} onChange={set} />}
      <ThresholdFields thresholds={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
    </Stack>
  );
}

/** The index of the track that an action adds. */
const deferredOf = ({ video, track }: Draft): number => (video?.deferred && !track.deferred ? 1 : 0);
