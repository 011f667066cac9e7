/** The filters of a run's SIP messages, which are in the address. */
import { Button, Group, Select, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { faultOf } from '../../../api.ts';

export type MessageSearch = { mpage?: string; mtext?: string; mmethod?: string; mstatus?: string; mfrom?: string };

const METHODS = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'REGISTER', 'OPTIONS', 'PRACK', 'UPDATE', 'INFO', 'REFER', 'NOTIFY'];

type Props = {
  readonly search: MessageSearch;
  /** The fault of the last request. */
  readonly error: unknown;
  readonly go: (change: Partial<MessageSearch>) => void;
};

export function MessageFilter({ search, error, go }: Props) {
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    go({ mtext: String(form.get('text') ?? ''), mstatus: String(form.get('status') ?? '') });
  };
  return (
    <form onSubmit={onSubmit}>
      <Group gap="xs" px={18} py={10} align="flex-start">
        <TextInput
          name="text"
          aria-label="Text of SIP messages"
          placeholder="Anywhere in the message"
          size="xs"
          w={240}
          defaultValue={search.mtext ?? ''}
          maxLength={200}
        />
        <Select
          aria-label="Method"
          placeholder="All methods"
          clearable
          size="xs"
          w={150}
          data={METHODS}
          value={search.mmethod ?? null}
          onChange={(method) => go({ mmethod: method ?? undefined })}
        />
        <TextInput
          name="status"
          aria-label="Status"
          placeholder="486 or 4xx"
          size="xs"
          w={110}
          defaultValue={search.mstatus ?? ''}
          error={faultOf(error, 'status')}
        />
        <Button type="submit" size="xs" variant="default">
          Search
        </Button>
      </Group>
    </form>
  );
}
