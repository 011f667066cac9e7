/** What owners change of their organization: its name, what it requires of members and keys, and its deletion. */
import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { CallInput } from '../../contract/call.ts';
import { call, faultOf, useChange } from '../api.ts';
import { Confirm } from '../show/basics/confirm.tsx';
import { Card, Failed } from '../show/basics/page.tsx';

type SettingProps = {
  readonly title: string;
  readonly note?: string;
  readonly change: CallInput<'updateOrganization'>;
  /** The field of the change, whose fault is shown beside it. */
  readonly field: 'name' | 'needsSecondFactor' | 'keyDays';
  readonly isChanged: boolean;
  readonly children: (fault: string | undefined) => ReactNode;
};

/** One setting of the organization, which is saved by itself. */
function Setting({ title, note, change, field, isChanged, children }: SettingProps) {
  const update = useChange('updateOrganization');
  const fault = faultOf(update.error, field);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(change);
  };
  return (
    <Card title={title} note={note}>
      <form onSubmit={submit}>
        <Stack maw={520}>
          {children(fault)}
          {update.error && !fault && <Failed error={update.error} />}
          <Group>
            <Button type="submit" loading={update.isPending} disabled={!isChanged}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

export function NameSetting({ name: present }: { name: string }) {
  const [name, setName] = useState(present);
  return (
    <Setting title="Name" change={{ name }} field="name" isChanged={name !== present}>
      {(fault) => (
        <TextInput
          label="Name of the organization"
          required
          value={name}
          onChange={(e) => setName(e.target.value)}
          error={fault}
        />
      )}
    </Setting>
  );
}

export function SecondFactorSetting({ present }: { present: boolean }) {
  const [needsSecondFactor, setNeeds] = useState(present);
  return (
    <Setting
      title="Second factor"
      note="Members without one must set it up before they can do anything else. API keys and agents are not affected."
      change={{ needsSecondFactor }}
      field="needsSecondFactor"
      isChanged={needsSecondFactor !== present}
    >
      {(fault) => (
        <Checkbox
          label="Require a second factor for every log-in"
          checked={needsSecondFactor}
          onChange={(e) => setNeeds(e.target.checked)}
          error={fault}
        />
      )}
    </Setting>
  );
}

export function KeyLifeSetting({ present }: { present: number | null }) {
  const [days, setDays] = useState<number | string>(present ?? '');
  const keyDays = days === '' ? null : Number(days);
  return (
    <Setting
      title="API keys"
      note="Older keys are refused immediately, even if their own expiry is later."
      change={{ keyDays }}
      field="keyDays"
      isChanged={keyDays !== present}
    >
      {(fault) => (
        <NumberInput
          label="Longest validity of a key, in days"
          description="Leave empty to use the expiry of each key."
          min={1}
          max={3650}
          allowDecimal={false}
          value={days}
          onChange={setDays}
          error={fault}
        />
      )}
    </Setting>
  );
}

export function DeleteOrganization({ name }: { name: string }) {
  const [typed, setTyped] = useState('');
  return (
    <Card title="Delete this organization" note="With its projects, runs, files, agents, API keys and members.">
      <Stack maw={520}>
        <TextInput
          label="Type its name to delete it"
          placeholder={name}
          value={typed}
          onChange={(e) => setTyped(e.target.value)}
        />
        <Group>
          <Confirm
            label="Delete the organization"
            size="sm"
            title={`Delete ${name}?`}
            disabled={typed !== name}
            act={async () => {
              await call('deleteOrganization', { name: typed });
              window.location.assign('/');
            }}
          >
            All runs are stopped. Agents are refused. All sessions and keys end, including yours. Accounts that belong
            to no other organization are deleted. This cannot be undone.
          </Confirm>
        </Group>
      </Stack>
    </Card>
  );
}
