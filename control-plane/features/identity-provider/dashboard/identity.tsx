/** Whether the user's account is connected with the identity provider. */
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { call, queries, useCall } from '../../../dashboard/api.ts';
import { Confirm } from '../../../dashboard/show/basics/confirm.tsx';
import { Card, Failed } from '../../../dashboard/show/basics/page.tsx';
import { Time } from '../../../dashboard/show/basics/time.tsx';
import { goToProvider } from './provider.ts';

/** This is empty if the installation has no provider. */
export default function Identity() {
  const entrance = useCall('getEntrance', {});
  const provider = entrance.data?.provider ?? null;
  const found = useCall('getIdentity', {}, { enabled: provider !== null });
  const [error, setError] = useState<Error | null>(null);
  if (provider === null || !found.data) return null;
  const { identity } = found.data;
  const note = identity ? (
    <>
      Connected as {identity.email} since <Time at={identity.createdAt} />, last used{' '}
      <Time at={identity.lastUsedAt} relative />.
    </>
  ) : (
    `After you connect, you can log in through ${provider} without your password. Your e-mail address there must be the same, and verified.`
  );
  return (
    <Card title={provider} note={note}>
      <Stack gap="sm">
        <Group>
          {identity ? (
            <Confirm
              label="Disconnect"
              size="sm"
              title={`Disconnect from ${provider}?`}
              act={async () => {
                await call('disconnectIdentity', {});
                await queries.invalidateQueries();
              }}
            >
              You will log in with your password or a passkey.
            </Confirm>
          ) : (
            <Button onClick={() => goToProvider('CONNECT', '/account').catch((e: Error) => setError(e))}>
              Connect with {provider}
            </Button>
          )}
        </Group>
        {error && <Failed error={error} />}
      </Stack>
    </Card>
  );
}
