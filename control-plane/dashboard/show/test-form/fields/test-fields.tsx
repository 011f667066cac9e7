/** The fields of a test. */
import { Stack } from '@mantine/core';
import type { Output } from '../../../../contract/catalogue.ts';
import { GROUP_KINDS, TEST_KINDS } from '../../../../contract/form-fields.ts';
import { Fields } from '../../basics/fields.tsx';
import { formOf, partOf } from '../../basics/form.ts';
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
  const form = formOf(TEST_KINDS, draft, error, '', onChange);
  const { set } = form;
  const group = formOf(GROUP_KINDS, draft.group, error, 'groups[0]', (group) => set({ group }));
  const calls = draft.does === 'CALL';
  const own = callsOwn(draft);
  const side = sideOf(draft.does);
  const has = hasOf(draft);
  const registrar = registrars.find((r) => r.id === draft.registrarId);
  const registration = registrar?.register === true && !registrar.isCloud;
  const engine = registrar?.protocol === 'WS' || registrar?.protocol === 'WSS';
  return (
    <Stack>
      <Fields
        form={form}
        cols={1}
        rows={[
          { key: 'name', label: 'Name' },
          { key: 'description', label: 'Description', lines: [1, 100], required: false },
        ]}
      />
      <TargetFields form={form} group={group} registrars={registrars} />
      <PlaceFields form={form} />
      {calls ? <LoadFields form={form} /> : <PopulationFields form={form} />}
      {has.calls && <MediaFields form={form} group={group} />}
      {(calls || draft.does === 'OPTIONS') && <CallerFields form={group} />}
      <RequestFields form={group} has={{ registration, calling: calls, timer: has.calls, engine }} />
      {has.calls && (
        <ScenarioFields
          legend={own ? 'Callers in a call' : 'In a call'}
          form={group}
          side={side}
          has={{ media: has.media, registration }}
          deferred={deferredOf(draft)}
        />
      )}
      {own && (
        <ScenarioFields
          legend="Callees in a call"
          form={formOf(GROUP_KINDS, draft.answering, error, 'groups[1]', (answering) => set({ answering }))}
          side="CALLEE"
          has={{ media: has.media, registration: false }}
          deferred={0}
        />
      )}
      {has.calls && <ExpectationFields form={partOf(group, 'expectations')} />}
      {calls && <LimitFields form={form} />}
      <ThresholdFields thresholds={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
    </Stack>
  );
}

/** The index of the track that an action adds. */
const deferredOf = ({ video, track }: Draft): number => (video?.deferred && !track.deferred ? 1 : 0);
