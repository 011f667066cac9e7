/** Asks for the password, once for all that waits for a fresh proof. */
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf, queries, useChange } from './api.ts';
import { Fault } from './show/basics/fault.tsx';

/** `onEnd` with true: it was given. */
export default function ProofDialog({ onEnd }: { onEnd: (isGiven: boolean) => void }) {
  const [password, setPassword] = useState('');
  const prove = useChange('proveMe', () => {
    onEnd(true);
    void queries.invalidateQueries({ queryKey: ['getMe', {}] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    prove.mutate({ password });
  };
  return (
    <Modal opened onClose={() => onEnd(false)} title="Is it you?" zIndex={400}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">Keys, members and secrets are changed only within an hour of your password.</Text>
          <PasswordInput
            label="Password"
            required
            data-autofocus
            autoComplete="current-password"
            value={password}
            onChange={(e) => setPassword(e.target.value)}
            error={faultOf(prove.error, 'password')}
          />
          <Fault error={prove.error} fields={['password']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onEnd(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={prove.isPending}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
