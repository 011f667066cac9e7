/** What endpoints do in their calls: SIP features, actions, digits, impairment. Each side of a test has its own fields. */
import { Fieldset, Stack, Text } from '@mantine/core';
import type { CallSide, DraftScenario } from '../drafts/scenario-draft.ts';
import { ActionFields } from './action-fields.tsx';
import { SignallingFields } from './signalling-fields.tsx';
import { StreamFields } from './stream-fields.tsx';

type Props = {
  readonly legend: string;
  readonly scenario: DraftScenario;
  readonly side: CallSide;
  /** Which settings apply: calls are placed; they have media; endpoints send REGISTER. */
  readonly has: { readonly calls: boolean; readonly media: boolean; readonly registration: boolean };
  /** Index of the track that an action can add. */
  readonly deferred: number;
  readonly error: Error | null;
  /** The path in a request, as `groups[0]`. */
  readonly at: string;
  readonly onChange: (scenario: DraftScenario) => void;
};

export function ScenarioFields({ legend, scenario, side, has, deferred, error, at, onChange }: Props) {
  const set = (change: Partial<DraftScenario>) => onChange({ ...scenario, ...change });
  return (
    <Fieldset legend={legend}>
      <Stack gap="lg">
        <SignallingFields
          signalling={scenario.signalling}
          side={side}
          registers={has.registration}
          error={error}
          at={`${at}.signalling`}
          onChange={(signalling) => set({ signalling })}
        />
        {has.media && <StreamFields streams={scenario} error={error} at={at} onChange={set} />}
        {has.calls && (
          <Stack gap="xs">
            <Text fw={600} size="sm">
              Actions
            </Text>
            <ActionFields
              actions={scenario.actions}
              deferred={deferred}
              error={error}
              at={`${at}.actions`}
              onChange={(actions) => set({ actions })}
            />
          </Stack>
        )}
      </Stack>
    </Fieldset>
  );
}
