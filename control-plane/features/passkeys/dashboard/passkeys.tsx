/** The user's passkeys: they are made, named, and removed. */
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { call, queries, useCall } from '../../../dashboard/api.ts';
import { Confirm } from '../../../dashboard/show/basics/confirm.tsx';
import { Modal } from '../../../dashboard/show/basics/dialog.tsx';
import { Fault } from '../../../dashboard/show/basics/fault.tsx';
import { Answer, Card } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { makePasskey, mayUsePasskeys } from './passkey.ts';

const ABOUT =
  'A passkey logs you in without a password and without a code: this device, your phone or a security key confirms that it is you.';

export default function Passkeys() {
  const passkeys = useCall('listPasskeys', { per_page: 100 });
  const entrance = useCall('getEntrance', {});
  const host = entrance.data?.passkeyHost;
  return (
    <Card title="Passkeys" note={ABOUT}>
      <Stack>
        <Answer of={passkeys}>
          {({ rows }) =>
            rows.length > 0 && (
              <Table>
                <Table.Tbody>
                  {rows.map((p) => (
                    <Table.Tr key={p.id}>
                      <Table.Td pl={0}>
                        <Text fw={600}>{p.name}</Text>
                        <Text size="xs" c="dimmed">
                          since <Time at={p.createdAt} />
                        </Text>
                        <Text size="xs" c="dimmed">
                          {p.lastUsedAt ? (
                            <>
                              last used <Time at={p.lastUsedAt} relative />
                            </>
                          ) : (
                            'not used yet'
                          )}
                        </Text>
                      </Table.Td>
                      <Table.Td ta="right" pr={0}>
                        <Confirm
                          label="Remove"
                          title={`Remove ${p.name}?`}
                          act={async () => {
                            await call('removePasskey', { passkeyId: p.id });
                            await queries.invalidateQueries();
                          }}
                        >
                          It can no longer be used to log in. Delete it on its device as well, so that it is not offered
                          there.
                        </Confirm>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )
          }
        </Answer>
        {mayUsePasskeys(host) ? (
          <Add />
        ) : (
          <Text size="sm" c="dimmed">
            {entrance.data && why(host ?? null)}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

const why = (host: string | null): string =>
  host === null
    ? 'Passkeys do not work here: browsers create them only for a name with https. The operator sets it (CARILLON_PUBLIC_URL).'
    : `Passkeys do not work at this address. Open Carillon at ${host}.`;

function Add() {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const close = () => {
    setOpened(false);
    setName('');
    setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await makePasskey(name);
      close();
      await queries.invalidateQueries();
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group>
      <Button aria-haspopup="dialog" onClick={() => setOpened(true)}>
        Add a passkey
      </Button>
      <Modal opened={opened} onClose={close} title="Add a passkey">
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Name"
              description="A name to recognize it, for example: laptop, blue security key."
              required
              maxLength={200}
              data-autofocus
              value={name}
              onChange={(e) => setName(e.target.value)}
            />
            {error && <Fault error={error} fields={[]} />}
            <Group justify="flex-end">
              <Button type="submit" loading={busy}>
                Add
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Group>
  );
}
