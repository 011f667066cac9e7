/** Header fields that requests carry in addition to those of SIP. */
import { Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { HEADER_METHODS, type HeaderMethod } from '../../../../contract/test-settings/words.ts';
import { faultOf } from '../../../api.ts';
import type { Form } from '../../basics/form.ts';
import { RemoveButton } from '../../basics/remove-button.tsx';
import type { DraftRequests } from '../drafts/group-draft.ts';

type Headers = DraftRequests['headers'];

export function HeaderFields({ form }: { readonly form: Form<Pick<DraftRequests, 'headers'>> }) {
  const { headers } = form.values;
  const onChange = (next: Headers) => form.set({ headers: next });
  const faultAt = (name: string) => faultOf(form.error, `${form.at}.headers${name}`);
  const change = (i: number, to: Partial<Headers[number]>) =>
    onChange(headers.map((one, j) => (j === i ? { ...one, ...to } : one)));
  return (
    <Stack gap="sm">
      {headers.map((header, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and none is moved
        <Group key={i} align="flex-start" gap="sm" className="header-row">
          <TextInput
            label="Header field"
            placeholder="X-Test"
            required
            flex="1 1 130px"
            value={header.name}
            onChange={(e) => change(i, { name: e.target.value })}
            error={faultAt(`[${i}].name`)}
          />
          <TextInput
            label="Value"
            required
            flex="2 1 180px"
            value={header.value}
            onChange={(e) => change(i, { value: e.target.value })}
            error={faultAt(`[${i}].value`)}
          />
          <MultiSelect
            label="Requests"
            flex="1 1 180px"
            data={[...HEADER_METHODS]}
            value={[...header.methods]}
            onChange={(methods) => change(i, { methods: methods as HeaderMethod[] })}
            error={faultAt(`[${i}].methods`)}
          />
          <RemoveButton
            name={`Remove header field ${i + 1}`}
            isBesideFields
            onClick={() => onChange(headers.filter((_, j) => j !== i))}
          />
        </Group>
      ))}
      <Group gap="sm">
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...headers, { methods: ['INVITE'], name: '', value: '' }])}
        >
          Add a header field
        </Button>
        <Text size="sm" c="dimmed">
          Of INVITE, REGISTER or BYE; {'{{column}}'} stands for what the account has there.
        </Text>
      </Group>
    </Stack>
  );
}
