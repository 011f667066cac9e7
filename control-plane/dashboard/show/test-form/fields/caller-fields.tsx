/** How callers name themselves. */
import { Fieldset, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { DIVERSION_REASONS, PRIVACIES } from '../../../../contract/words.ts';
import { faultOf } from '../../../api.ts';
import type { DraftCaller } from '../drafts/group-draft.ts';
import { Whole } from './whole.tsx';

type Props = {
  readonly caller: DraftCaller;
  readonly error: Error | null;
  /** The path in a request, as `groups[0]`. */
  readonly at: string;
  readonly onChange: (caller: DraftCaller) => void;
};

const words = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

export function CallerFields({ caller, error, at, onChange }: Props) {
  const set = (change: Partial<DraftCaller>) => onChange({ ...caller, ...change });
  const { diversion } = caller;
  return (
    <Fieldset legend="Caller identity">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Caller number"
            description="In From: a number, or number@host. {{column}} stands for the value of that column of the account."
            placeholder="from the account"
            value={caller.callerNumber ?? ''}
            onChange={(e) => set({ callerNumber: e.target.value || null })}
            error={faultOf(error, `${at}.callerNumber`)}
          />
          <TextInput
            label="Display name"
            description="In From, before the address."
            placeholder="from the account"
            value={caller.displayName ?? ''}
            onChange={(e) => set({ displayName: e.target.value || null })}
            error={faultOf(error, `${at}.displayName`)}
          />
          <TextInput
            label="P-Asserted-Identity"
            description="A SIP or tel URI (RFC 3325): the caller as asserted by a trusted network."
            placeholder="none"
            value={caller.assertedIdentity ?? ''}
            onChange={(e) => set({ assertedIdentity: e.target.value || null })}
            error={faultOf(error, `${at}.assertedIdentity`)}
          />
          <MultiSelect
            label="Privacy"
            description="What the network must hide about the caller (RFC 3323)."
            placeholder={caller.privacy.length === 0 ? 'not sent' : ''}
            data={PRIVACIES.map((value) => ({ value, label: value.toLowerCase() }))}
            value={[...caller.privacy]}
            onChange={(privacy) => set({ privacy: privacy as DraftCaller['privacy'] })}
            error={faultOf(error, `${at}.privacy`)}
          />
          <TextInput
            label="Diversion"
            description="A SIP or tel URI (RFC 5806): the party that diverted the call."
            placeholder="none"
            value={diversion?.uri ?? ''}
            onChange={(e) =>
              set({
                diversion: e.target.value
                  ? { reason: 'UNCONDITIONAL', counter: 1, ...diversion, uri: e.target.value }
                  : null,
              })
            }
            error={faultOf(error, `${at}.diversion.uri`)}
          />
          {diversion && (
            <SimpleGrid cols={2}>
              <Select
                label="Reason"
                description="Reason of the diversion."
                data={DIVERSION_REASONS.map((value) => ({ value, label: words(value) }))}
                value={diversion.reason}
                allowDeselect={false}
                onChange={(reason) =>
                  set({ diversion: { ...diversion, reason: reason as (typeof DIVERSION_REASONS)[number] } })
                }
              />
              <Whole
                label="Times"
                description="Number of diversions so far."
                value={diversion.counter}
                min={1}
                max={100}
                onChange={(counter) => set({ diversion: { ...diversion, counter } })}
                error={faultOf(error, `${at}.diversion.counter`)}
              />
            </SimpleGrid>
          )}
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
