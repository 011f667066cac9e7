/** Creates a pool; its token is shown once, with the command that starts an agent by it. */
import { Anchor, Button, Code, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CallInput } from '../../../contract/call.ts';
import type { Output } from '../../../contract/catalogue.ts';
import { reachOf } from '../../../contract/reach.ts';
import { faultOf, useChange } from '../../../dashboard/api.ts';
import { NumericField } from '../../../dashboard/show/basics/field.tsx';
import { Failed } from '../../../dashboard/show/basics/page.tsx';
import { ShownOnce } from '../../../dashboard/show/basics/shown-once.tsx';
import { Unreachable } from '../../../dashboard/show/workers/enroll.tsx';

type Policy = NonNullable<CallInput<'createPool'>['policy']>;
type PolicyNumber = 'maxCallsPerSecond' | 'maxEndpoints' | 'maxDurationSeconds';

const FIRST = {
  name: '',
  region: 'local',
  capacity: 1000,
  maxAgents: 100,
  namePattern: '{pool}-{n}',
  days: '',
  networks: '',
  policy: {} as Policy,
};

const LIVES = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In one day' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In one year' },
];
const DAY_MS = 86_400_000;

const networksOf = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '');

const bodyOf = ({ days, networks, policy, ...form }: typeof FIRST): CallInput<'createPool'> => {
  const targetNetworks = networksOf(networks);
  return {
    ...form,
    expiresAt: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    policy: { ...policy, ...(targetNetworks.length > 0 && { targetNetworks }) },
  };
};

export function NewPool({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [form, setForm] = useState(FIRST);
  const set = (change: Partial<typeof FIRST>) => setForm({ ...form, ...change });
  const create = useChange('createPool');
  const { error } = create;
  const text = (key: 'name' | 'region' | 'namePattern') => ({
    required: true,
    value: form[key],
    onChange: (e: { readonly target: { readonly value: string } }) => set({ [key]: e.target.value }),
    error: faultOf(error, key),
  });
  const limit = (key: PolicyNumber, label: string, max: number) => (
    <NumericField
      label={label}
      of={{ isOptional: true, isWhole: true, min: 1, max }}
      required={false}
      value={form.policy[key] ?? null}
      error={faultOf(error, `policy.${key}`)}
      onChange={(n) => set({ policy: { ...form.policy, [key]: n ?? undefined } })}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(bodyOf(form));
  };
  const close = () => {
    onClose();
    setForm(FIRST);
    create.reset();
  };
  return (
    <ShownOnce title="New pool" opened={opened} onClose={close} secret={create.data && secretOf(create.data)} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label="Name" description="For example, of a cloud or a rack" data-autofocus {...text('name')} />
            <TextInput label="Region" description="Tests select agents by region" {...text('region')} />
            <NumericField
              label="Agents at most"
              description="At a time, those that are away included"
              of={{ isWhole: true, min: 1, max: 10_000 }}
              value={form.maxAgents}
              error={faultOf(error, 'maxAgents')}
              onChange={(maxAgents) => set({ maxAgents })}
            />
            <NumericField
              label="Endpoints at once, each"
              description="The highest load that one agent may carry"
              of={{ isWhole: true, min: 1, max: 100_000 }}
              value={form.capacity}
              error={faultOf(error, 'capacity')}
              onChange={(capacity) => set({ capacity })}
            />
            <TextInput
              label="Names of its workers"
              description="{pool}, {host}, {n}: a number that no other has"
              {...text('namePattern')}
            />
            <Select
              label="Token expires"
              description="Agents that have joined stay"
              data={LIVES}
              value={form.days}
              allowDeselect={false}
              onChange={(days) => set({ days: days ?? '' })}
            />
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            What the policy of a host may permit at most. An agent whose policy is wider is refused. Empty: anything.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Networks that may be called"
              placeholder="10.0.0.0/8, fd00::/8"
              value={form.networks}
              onChange={(e) => set({ networks: e.target.value })}
              error={
                networksOf(form.networks).flatMap((_, i) => faultOf(error, `policy.targetNetworks[${i}]`) ?? [])[0]
              }
            />
            {limit('maxCallsPerSecond', 'Calls a second', 1_000_000)}
            {limit('maxEndpoints', 'Endpoints at once', 1_000_000)}
            {limit('maxDurationSeconds', 'Seconds of a call', 10_000_000)}
          </SimpleGrid>
          {error && <Failed error={error} />}
          <Button type="submit" loading={create.isPending}>
            Create pool
          </Button>
        </Stack>
      </form>
    </ShownOnce>
  );
}

function secretOf({ name, joinToken, listening }: Output<'createPool'>) {
  const reach = reachOf(listening, window.location.origin);
  return {
    says: (
      <Stack gap="xs">
        <div>
          Run this on each host of the pool {name}. The token is shown once. Whoever has it can join, so keep it in a
          file or a secret.
        </div>
        <div>
          With <Code>--disposable</Code>, an agent leaves for good when it is stopped. Containers:{' '}
          <Anchor href="/docs/guide/kubernetes" underline="always" inherit>
            Kubernetes
          </Anchor>
        </div>
        {reach.missing.length > 0 && <Unreachable {...reach} />}
      </Stack>
    ),
    text: [
      `(umask 077 && echo ${joinToken} > pool.token)`,
      `carillon-agent run --url ${reach.agentUrl} --token-file pool.token`,
    ].join('\n'),
    label: 'the command',
  };
}
