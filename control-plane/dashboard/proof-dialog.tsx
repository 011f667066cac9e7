/** Asks for the password, and a code where there is a second factor, once for all that waits for a fresh proof. */
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf, queries, useChange } from './api.ts';
import { useMe } from './me.tsx';
import { CodeField } from './show/basics/code-field.tsx';
import { Fault } from './show/basics/fault.tsx';

/** `onEnd` with true: it was given. */
export default function ProofDialog({ onEnd }: { onEnd: (isGiven: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { secondFactor } = useMe();
  const prove = useChange('proveMe', () => {
    onEnd(true);
    void queries.invalidateQueries({ queryKey: ['getMe', {}] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    prove.mutate({ password, ...(secondFactor && { code }) });
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
          {secondFactor && <CodeField code={code} setCode={setCode} error={prove.error} />}
          <Fault error={prove.error} fields={['password', 'code']} />
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
