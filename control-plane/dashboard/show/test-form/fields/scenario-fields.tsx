/** What endpoints do in their calls: SIP features, actions, digits, impairment. Each side of a test has its own fields. */
import { Fieldset, Stack, Text } from '@mantine/core';
import { type Form, partOf } from '../../basics/form.ts';
import type { DraftScenario } from '../drafts/group-draft.ts';
import type { CallSide } from '../drafts/scenario-draft.ts';
import { ActionFields } from './action-fields.tsx';
import { SignallingFields } from './signalling-fields.tsx';
import { StreamFields } from './stream-fields.tsx';

type Props = {
  readonly legend: string;
  readonly form: Form<DraftScenario>;
  readonly side: CallSide;
  /** Which settings apply: calls have media; endpoints send REGISTER. */
  readonly has: { readonly media: boolean; readonly registration: boolean };
  /** Index of the track that an action can add. */
  readonly deferred: number;
};

export const ScenarioFields = ({ legend, form, side, has, deferred }: Props) => (
  <Fieldset legend={legend}>
    <Stack gap="lg">
      <SignallingFields form={partOf(form, 'signalling')} side={side} registers={has.registration} />
      {has.media && <StreamFields form={form} />}
      <Stack gap="xs">
        <Text fw={600} size="sm">
          Actions
        </Text>
        <ActionFields
          actions={form.values.actions}
          deferred={deferred}
          error={form.error}
          at={`${form.at}.actions`}
          onChange={(actions) => form.set({ actions: [...actions] })}
        />
      </Stack>
    </Stack>
  </Fieldset>
);
