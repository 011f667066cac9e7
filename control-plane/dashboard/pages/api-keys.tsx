/** The API keys: they are shown once, copied, and revoked. */
import { Button, Checkbox, MultiSelect, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SCOPES, type Scope } from '../../contract/people/words.ts';
import { call, faultOf, queries, useCall, useChange } from '../api.ts';
import { useMay, useMe } from '../me.tsx';
import { Confirm } from '../show/basics/confirm.tsx';
import { ActionsHeading, Answer, Card, Empty, Failed, Page } from '../show/basics/page.tsx';
import { Pages } from '../show/basics/pages.tsx';
import { ShownOnce } from '../show/basics/shown-once.tsx';
import { Time } from '../show/basics/time.tsx';
import { Mark } from '../show/basics/words.tsx';

export function ApiKeysPage() {
  const me = useMe();
  const may = useMay();
  const [page, setPage] = useState(1);
  const keys = useCall('listApiKeys', { page });
  // It shows the key even when the list is no longer empty.
  const [isMaking, setMaking] = useState(false);
  const make = (
    <Button aria-haspopup="dialog" onClick={() => setMaking(true)}>
      New API key
    </Button>
  );
  return (
    <Page title="API keys" over={me.organization.name} actions={(keys.data?.rows.length ?? 0) > 0 && make}>
      <Text c="dimmed">
        A key has the permissions of the person who created it, or fewer, for REST and MCP.{' '}
        {may('ADMIN') ? 'You see the keys of all members.' : 'You see your own keys.'}{' '}
        <a href="/api/reference/">API reference</a>
      </Text>
      <Card pad={false}>
        <Answer of={keys}>
          {({ rows, pagination }) =>
            rows.length === 0 ? (
              <Empty title="No API key yet" action={make}>
                Pipelines, scripts and assistants log in with a key. Create one for each.
              </Empty>
            ) : (
              <>
                <Table miw={760}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Key</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th>Permissions</Table.Th>
                      <Table.Th>Created by</Table.Th>
                      <Table.Th>Last used</Table.Th>
                      <Table.Th>Expires</Table.Th>
                      <ActionsHeading />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {rows.map((k) => {
                      const isExpired = k.expiresAt !== null && Date.parse(k.expiresAt) < Date.now();
                      return (
                        <Table.Tr key={k.id}>
                          <Table.Td>
                            <Text fw={600}>{k.name}</Text>
                            <Text size="xs" c="dimmed" ff="monospace">
                              crl_…{k.lastFour}
                            </Text>
                          </Table.Td>
                          <Table.Td>
                            {k.revokedAt ? (
                              <Mark tone="none">Revoked</Mark>
                            ) : isExpired ? (
                              <Mark tone="none">Expired</Mark>
                            ) : (
                              <Mark tone="good">Active</Mark>
                            )}
                          </Table.Td>
                          <Table.Td style={{ whiteSpace: 'nowrap' }}>
                            {k.scopes.map((scope) => SCOPE_WORDS[scope].short).join(', ')}
                            {k.projectIds && (
                              <Text size="xs" c="dimmed">
                                in {k.projectIds.length} {k.projectIds.length === 1 ? 'project' : 'projects'}
                              </Text>
                            )}
                          </Table.Td>
                          <Table.Td>{k.createdBy}</Table.Td>
                          <Table.Td>
                            <Time at={k.lastUsedAt} none="never" relative />
                          </Table.Td>
                          <Table.Td>
                            <Time at={k.expiresAt} none="never" relative />
                          </Table.Td>
                          <Table.Td ta="right">
                            {!k.revokedAt && (
                              <Confirm
                                label="Revoke"
                                title={`Revoke ${k.name}?`}
                                act={async () => {
                                  await call('revokeApiKey', { apiKeyId: k.id });
                                  await queries.invalidateQueries();
                                }}
                              >
                                Requests with this key are refused immediately. This cannot be undone.
                              </Confirm>
                            )}
                          </Table.Td>
                        </Table.Tr>
                      );
                    })}
                  </Table.Tbody>
                </Table>
                <Pages pagination={pagination} what="keys" onPage={setPage} />
              </>
            )
          }
        </Answer>
      </Card>
      <NewKey opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

const SCOPE_WORDS: Readonly<Record<Scope, { short: string; long: string }>> = {
  READ: { short: 'read', long: 'Read: projects, tests, runs, probes and their results' },
  RUN: { short: 'run', long: 'Run: start, cancel and check runs' },
  WRITE: { short: 'write', long: 'Write: create, change and delete' },
};

const LIVES = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
];
const DAY_MS = 86_400_000;

function NewKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const { keyDays } = useMe().organization;
  const lives = LIVES.filter(({ value }) => keyDays === null || (value !== '' && Number(value) <= keyDays));
  if (keyDays !== null && !lives.some(({ value }) => Number(value) === keyDays))
    lives.push({ value: String(keyDays), label: `In ${keyDays} days, the longest that the organization allows` });
  const [chosenDays, setDays] = useState('90');
  const days = lives.some(({ value }) => value === chosenDays) ? chosenDays : (lives.at(-1)?.value ?? '');
  const [scopes, setScopes] = useState<readonly Scope[]>(['READ', 'RUN']);
  const [projectIds, setProjectIds] = useState<string[]>([]);
  const projects = useCall('listProjects', { per_page: 100 }, { enabled: opened });
  const create = useChange('createApiKey');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The expiry is a minute earlier, because the server's clock may differ.
    const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS - 60_000).toISOString();
    create.mutate({ name, expiresAt, scopes: [...scopes], projectIds: projectIds.length === 0 ? null : projectIds });
  };
  const close = () => {
    onClose();
    setName('');
    create.reset();
  };
  return (
    <ShownOnce
      title="New API key"
      opened={opened}
      onClose={close}
      secret={
        create.data && {
          says: `This is the key ${create.data.name}. It is shown only once: copy it now.`,
          text: create.data.key,
          label: 'the key',
        }
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            description="What uses it, for example a pipeline"
            required
            data-autofocus
            value={name}
            onChange={(e) => setName(e.target.value)}
            error={faultOf(create.error, 'name')}
          />
          <Checkbox.Group
            label="It may"
            value={[...scopes]}
            onChange={(chosen) => setScopes(SCOPES.filter((s) => s === 'READ' || chosen.includes(s)))}
          >
            <Stack gap="xs" mt="xs">
              {SCOPES.map((scope) => (
                <Checkbox key={scope} value={scope} label={SCOPE_WORDS[scope].long} disabled={scope === 'READ'} />
              ))}
            </Stack>
          </Checkbox.Group>
          <MultiSelect
            label="Projects"
            placeholder={projectIds.length === 0 ? 'All projects that you can access' : ''}
            data={(projects.data?.rows ?? []).map((p) => ({ value: p.id, label: p.name }))}
            value={projectIds}
            onChange={setProjectIds}
            searchable
            clearable
            error={faultOf(create.error, 'projectIds')}
          />
          <Select label="Expires" data={lives} value={days} allowDeselect={false} onChange={(d) => setDays(d ?? '')} />
          {create.error && <Failed error={create.error} />}
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Stack>
      </form>
    </ShownOnce>
  );
}
