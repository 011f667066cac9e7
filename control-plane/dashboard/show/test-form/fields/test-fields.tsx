/** The fields of a test: what most people decide is open, the rest is folded. */
import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { GROUP_KINDS, TEST_KINDS } from '../../../../contract/form-fields.ts';
import { Fields } from '../../basics/fields.tsx';
import { type Form, formOf, partOf } from '../../basics/form.ts';
import { FoldedSection, FormSection, FormSections } from '../../basics/form-sections.tsx';
import type { DraftGroup, DraftScenario } from '../drafts/group-draft.ts';
import { callerSummary, limitsSummary, mediaSummary, signallingSummary } from '../drafts/summaries.ts';
import { callsOwn, type Draft, doingOf } from '../drafts/test-draft.ts';
import { CallerFields } from './caller-fields.tsx';
import { HeaderFields } from './header-fields.tsx';
import { LimitFields } from './limit-fields.tsx';
import { LoadFields } from './load-fields.tsx';
import { MediaFields } from './media-fields.tsx';
import { PlaceFields } from './place-fields.tsx';
import { PopulationFields } from './population-fields.tsx';
import { hasRegistration, RequestFields } from './request-fields.tsx';
import { ScenarioFields } from './scenario-fields.tsx';
import { StreamFields } from './stream-fields.tsx';
import { TargetFields } from './target-fields.tsx';
import { ExpectationFields, ThresholdFields } from './test-expectations.tsx';

type Registrar = Output<'listRegistrars'>;
type Props = {
  readonly draft: Draft;
  readonly registrars: readonly Registrar[];
  readonly error: Error | null;
  /** Beside the first heading. */
  readonly actions: ReactNode;
  readonly onChange: (draft: Draft) => void;
};

export function TestFields({ draft, registrars, error, actions, onChange }: Props) {
  const form = formOf(TEST_KINDS, draft, error, '', onChange);
  const { set } = form;
  const group = formOf(GROUP_KINDS, draft.group, error, 'groups[0]', (group) => set({ group }));
  const { does } = draft;
  const doing = doingOf(draft);
  const invites = doing.calls && doing.side === 'CALLER';
  const sides: SidesProps = {
    callers: group,
    callees: callsOwn(draft)
      ? formOf(GROUP_KINDS, draft.answering, error, 'groups[1]', (answering) => set({ answering }))
      : null,
  };
  return (
    <FormSections>
      <FormSection title="Basics" actions={actions}>
        <Fields
          form={form}
          cols={1}
          rows={[
            { key: 'name', label: 'Name' },
            { key: 'description', label: 'Description', lines: [1, 100], required: false },
          ]}
        />
      </FormSection>
      <FormSection title="Target">
        <TargetFields form={form} group={group} registrars={registrars} />
      </FormSection>
      <FormSection title="Load">
        {does === 'CALL' ? <LoadFields form={form} /> : <PopulationFields form={form} />}
      </FormSection>
      <FormSection title="Pass or fail">
        <Stack>
          <ThresholdFields thresholds={draft.thresholds} onChange={(thresholds) => set({ thresholds })} />
          {doing.calls && <ExpectationFields form={partOf(group, 'expectations')} media={doing.media} />}
        </Stack>
      </FormSection>
      {doing.calls && (
        <FoldedSection title="Media" summary={mediaSummary(draft)} error={error}>
          <Stack>
            <MediaFields form={form} group={group} />
            {doing.media && <Sides {...sides}>{(of) => <StreamFields form={of} />}</Sides>}
          </Stack>
        </FoldedSection>
      )}
      <FoldedSection title={CALLERS[does]} summary={callerSummary(draft)} error={error}>
        <Stack>
          <PlaceFields form={form} />
          {(invites || doing.asks) && <CallerFields form={group} isCalling={invites} />}
          {!doing.asks && <HeaderFields form={group} />}
        </Stack>
      </FoldedSection>
      <Signalling {...{ draft, group, sides, error }} registrar={registrars.find((r) => r.id === draft.registrarId)} />
      <FoldedSection title="Limits" summary={limitsSummary(draft)} error={error}>
        <LimitFields form={form} group={group} />
      </FoldedSection>
    </FormSections>
  );
}

/** Who endpoints are. */
const CALLERS: Readonly<Record<Draft['does'], string>> = {
  CALL: 'Caller',
  OPTIONS: 'Caller',
  RECEIVE: 'Callee',
  REGISTER: 'Account',
};

type SignallingProps = {
  readonly draft: Draft;
  readonly group: Form<DraftGroup>;
  readonly sides: SidesProps;
  readonly error: Error | null;
  readonly registrar: Registrar | undefined;
};

function Signalling({ draft, group, sides, error, registrar }: SignallingProps) {
  const { calls, registers, side } = doingOf(draft);
  const registration = registers && hasRegistration(registrar?.register === true && !registrar.isCloud, draft.group);
  const engine = registrar?.protocol === 'WS' || registrar?.protocol === 'WSS';
  const summary = signallingSummary(draft, registration);
  // OPTIONS needs nothing of it.
  if (summary === '' && !engine) return null;
  return (
    <FoldedSection title="Signalling" summary={summary} error={error}>
      <Stack>
        <RequestFields form={group} has={{ registration, timer: calls, engine }} />
        {calls && (
          <Sides {...sides}>
            {(of) => (
              <ScenarioFields
                form={of}
                side={of === sides.callees ? 'CALLEE' : side}
                deferred={of === sides.callees ? 0 : deferredOf(draft)}
              />
            )}
          </Sides>
        )}
      </Stack>
    </FoldedSection>
  );
}

type SidesProps = {
  readonly callers: Form<DraftScenario>;
  /** Carillon's own; null: there are none. */
  readonly callees: Form<DraftScenario> | null;
};

/** Fields of one side of the calls, or of both. */
const Sides = ({ callers, callees, children }: SidesProps & { children: (of: Form<DraftScenario>) => ReactNode }) =>
  callees === null ? (
    children(callers)
  ) : (
    <>
      <Fieldset legend="Callers">{children(callers)}</Fieldset>
      <Fieldset legend="Callees">{children(callees)}</Fieldset>
    </>
  );

/** The index of the track that an action adds. */
const deferredOf = ({ video, track }: Draft): number => (video?.deferred && !track.deferred ? 1 : 0);
