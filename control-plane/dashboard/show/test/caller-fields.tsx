/** How callers name themselves, and what their requests carry. */
import { ActionIcon, Button, Fieldset, Group, MultiSelect, SimpleGrid, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { HEADER_METHODS, type HeaderMethod, PRIVACIES } from '../../../contract/words.ts';
import { faultOf } from '../../api.ts';
import type { DraftCaller } from './test-draft.ts';

type Props = {
  readonly caller: DraftCaller;
  readonly error: Error | null;
  readonly onChange: (caller: DraftCaller) => void;
};
type Header = DraftCaller['headers'][number];

export function CallerFields({ caller, error, onChange }: Props) {
  const set = (change: Partial<DraftCaller>) => onChange({ ...caller, ...change });
  const { headers } = caller;
  const change = (i: number, to: Partial<Header>) =>
    set({ headers: headers.map((one, j) => (j === i ? { ...one, ...to } : one)) });
  return (
    <Fieldset legend="Who calls">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Caller number"
            description="In From: a number, or number@host. {{column}} stands for what the account has there"
            placeholder="as the account says"
            value={caller.callerNumber ?? ''}
            onChange={(e) => set({ callerNumber: e.target.value || null })}
            error={faultOf(error, 'groups[0].callerNumber')}
          />
          <TextInput
            label="Display name"
            description="In From, before the address"
            placeholder="as the account says"
            value={caller.displayName ?? ''}
            onChange={(e) => set({ displayName: e.target.value || null })}
            error={faultOf(error, 'groups[0].displayName')}
          />
          <TextInput
            label="P-Asserted-Identity"
            description="A SIP or tel URI (RFC 3325)"
            placeholder="none"
            value={caller.assertedIdentity ?? ''}
            onChange={(e) => set({ assertedIdentity: e.target.value || null })}
            error={faultOf(error, 'groups[0].assertedIdentity')}
          />
          <MultiSelect
            label="Privacy"
            description="What the network is to hide (RFC 3323)"
            placeholder={caller.privacy.length === 0 ? 'nothing is said' : ''}
            data={PRIVACIES.map((value) => ({ value, label: value.toLowerCase() }))}
            value={[...caller.privacy]}
            onChange={(privacy) => set({ privacy: privacy as DraftCaller['privacy'] })}
            error={faultOf(error, 'groups[0].privacy')}
          />
        </SimpleGrid>
        {headers.map((header, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and none is moved
          <Group key={i} align="end" wrap="nowrap">
            <TextInput
              label="Header field"
              placeholder="X-Test"
              required
              value={header.name}
              onChange={(e) => change(i, { name: e.target.value })}
              error={faultOf(error, `groups[0].headers[${i}].name`)}
            />
            <TextInput
              label="Value"
              required
              flex={1}
              value={header.value}
              onChange={(e) => change(i, { value: e.target.value })}
              error={faultOf(error, `groups[0].headers[${i}].value`)}
            />
            <MultiSelect
              label="Requests"
              data={[...HEADER_METHODS]}
              value={[...header.methods]}
              onChange={(methods) => change(i, { methods: methods as HeaderMethod[] })}
              error={faultOf(error, `groups[0].headers[${i}].methods`)}
            />
            <Tooltip label="Leave it out">
              <ActionIcon
                variant="default"
                size="input-sm"
                aria-label={`Leave header field ${i + 1} out`}
                onClick={() => set({ headers: headers.filter((_, j) => j !== i) })}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
        ))}
        <Button
          variant="default"
          w="fit-content"
          onClick={() => set({ headers: [...headers, { methods: ['INVITE'], name: '', value: '' }] })}
        >
          Add a header field
        </Button>
      </Stack>
    </Fieldset>
  );
}
