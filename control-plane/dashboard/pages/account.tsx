/** My password, my other ways in, and where I am logged in. */
import { Alert, Button, Group, PasswordInput, Stack, Table, Text } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { FEATURE_PAGES } from '../../feature-sums/pages.ts';
import { faultOf, useCall, useChange } from '../api.ts';
import { useMe } from '../me.tsx';
import { Answer, Card, Failed, Page } from '../show/basics/page.tsx';
import { Time } from '../show/basics/time.tsx';

const CARDS = FEATURE_PAGES.flatMap(({ accountCards = [] }) => accountCards).sort((a, b) => a.place - b.place);

export function AccountPage() {
  const me = useMe();
  return (
    <Page title={me.user.name} over={me.user.email}>
      {/* Nothing moves when a card has come. */}
      <Suspense fallback={null}>
        {me.proofs.includes('PASSWORD') && <Password />}
        {CARDS.map(({ place, Card }) => (
          <Card key={place} />
        ))}
        <Sessions />
      </Suspense>
    </Page>
  );
}

function Password() {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useChange('changePassword', () => {
    setCurrent('');
    setNew('');
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ currentPassword, newPassword });
  };
  const fault = change.error && !faultOf(change.error, 'currentPassword') && !faultOf(change.error, 'newPassword');
  return (
    <Card title="Password" note="Changing it ends your other sessions.">
      <form onSubmit={submit}>
        <Stack maw={420}>
          <PasswordInput
            label="Current password"
            required
            autoComplete="current-password"
            value={currentPassword}
            onChange={(e) => setCurrent(e.target.value)}
            error={faultOf(change.error, 'currentPassword')}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters."
            required
            autoComplete="new-password"
            value={newPassword}
            onChange={(e) => setNew(e.target.value)}
            error={faultOf(change.error, 'newPassword')}
          />
          {fault && change.error && <Failed error={change.error} />}
          {change.isSuccess && (
            <Alert color="teal" variant="outline" role="status">
              The password was changed.
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** `Mozilla/5.0 (X11; Linux x86_64) … Chrome/156…` -> `Chrome on Linux` */
function browser(userAgent: string): string {
  const name = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((n) => userAgent.includes(`${n}/`)) ?? 'A program';
  const system = ['Windows', 'Android', 'iPhone', 'Mac OS', 'Linux'].find((s) => userAgent.includes(s));
  return `${name === 'Edg' ? 'Edge' : name}${system ? ` on ${system}` : ''}`;
}

function Sessions() {
  const sessions = useCall('listSessions', { per_page: 100 });
  const end = useChange('endSession');
  return (
    <Card
      title="Active sessions"
      note="A session ends after 12 hours without use, and after one week at most."
      pad={false}
    >
      <Answer of={sessions}>
        {({ rows }) => (
          <Table>
            <Table.Tbody>
              {rows.map((s) => (
                <Table.Tr key={s.id}>
                  <Table.Td>
                    <Text fw={600}>{browser(s.userAgent)}</Text>
                    <Text size="xs" c="dimmed">
                      {s.address}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    last seen <Time at={s.lastSeenAt} relative />
                  </Table.Td>
                  <Table.Td ta="right">
                    {s.isThis ? (
                      'this one'
                    ) : (
                      <Button
                        size="xs"
                        variant="default"
                        loading={end.isPending}
                        onClick={() => end.mutate({ sessionId: s.id })}
                      >
                        End
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Answer>
    </Card>
  );
}
