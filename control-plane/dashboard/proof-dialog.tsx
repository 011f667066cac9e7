/**
 * Asks for a confirmation, once for all pending requests: the password, with a code if the user has a second factor; or another
 * way in.
 */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { FEATURE_PAGES } from '../feature-sums/pages.ts';
import { faultOf, queries, useCall, useChange } from './api.ts';
import { useMe } from './me.tsx';
import { CodeField } from './show/basics/code-field.tsx';
import { Modal } from './show/basics/dialog.tsx';
import { Fault } from './show/basics/fault.tsx';
import { OtherWays } from './show/people/other-ways.tsx';

const WAYS = FEATURE_PAGES.flatMap(({ waysIn = [] }) => waysIn);

/** `onEnd` is called with true if the confirmation was given. */
export default function ProofDialog({ onEnd }: { onEnd: (isGiven: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { secondFactor, proofs } = useMe();
  const entrance = useCall('getEntrance', {});
  const hasPassword = proofs.includes('PASSWORD');
  const given = () => {
    onEnd(true);
    void queries.invalidateQueries({ queryKey: ['getMe', {}] });
  };
  const prove = useChange('proveMe', given);
  const closing = useRef(new AbortController());
  useEffect(() => {
    const { current } = closing;
    return () => current.abort();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    prove.mutate({ password, ...(secondFactor && { code }) });
  };
  return (
    <Modal opened onClose={() => onEnd(false)} title="Confirm that it is you" zIndex={400}>
      <Stack>
        <Text size="sm">
          To change keys, members or secrets, you must have confirmed your identity within the last hour.
        </Text>
        {hasPassword ? (
          <form onSubmit={submit}>
            <Stack>
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
        ) : (
          proofs.length === 0 && (
            <Text size="sm">
              Your account has no way to confirm your identity. Ask the operator of this installation for a link that
              sets a password.
            </Text>
          )
        )}
        <OtherWays
          verb="Go on"
          isAlone={!hasPassword}
          ways={WAYS.filter(({ proof }) => proofs.includes(proof))}
          entrance={entrance.data}
          act={(way) => way.prove(closing.current.signal).then(given)}
        />
      </Stack>
    </Modal>
  );
}
