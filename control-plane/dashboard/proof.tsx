/** What changes keys, members or secrets needs a fresh proof: it is asked for here, once, and what was refused is asked for again. */
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { faultOf, queries, useChange, whenProofIsNeeded } from './api.ts';
import { Fault } from './show/basics/fault.tsx';

type Waiting = { readonly given: () => void; readonly refused: () => void };

export function ProofDialog() {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [password, setPassword] = useState('');
  useEffect(
    () =>
      whenProofIsNeeded(
        () => new Promise((given, refused) => setWaiting((all) => [...all, { given, refused: () => refused() }])),
      ),
    [],
  );
  const end = (how: keyof Waiting) => {
    for (const one of waiting) one[how]();
    setWaiting([]);
    setPassword('');
    prove.reset();
  };
  const prove = useChange('proveMe', () => {
    end('given');
    void queries.invalidateQueries({ queryKey: ['getMe', {}] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    prove.mutate({ password });
  };
  return (
    <Modal opened={waiting.length > 0} onClose={() => end('refused')} title="Is it you?" zIndex={400}>
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
            <Button variant="default" onClick={() => end('refused')}>
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
