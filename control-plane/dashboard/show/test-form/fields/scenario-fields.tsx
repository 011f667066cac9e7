/** What endpoints do in their calls: SIP features and actions. Each side of a test has its own fields. */
import { Stack, Text } from '@mantine/core';
import { type Form, partOf } from '../../basics/form.ts';
import type { DraftScenario } from '../drafts/group-draft.ts';
import type { CallSide } from '../drafts/scenario-draft.ts';
import { ActionFields } from './action-fields.tsx';
import { SignallingFields } from './signalling-fields.tsx';

type Props = {
  readonly form: Form<DraftScenario>;
  readonly side: CallSide;
  /** Index of the track that an action can add. */
  readonly deferred: number;
};

export const ScenarioFields = ({ form, side, deferred }: Props) => (
  <Stack gap="lg">
    <SignallingFields form={partOf(form, 'signalling')} side={side} />
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
);
