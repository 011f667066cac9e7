/** The return address of the identity provider, and the start of the confirmation window. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { forgetAnswers } from '../../../dashboard/api.ts';
import { navigate } from '../../../dashboard/router.tsx';
import { CodeField, useCodeRequest } from '../../../dashboard/show/basics/code-field.tsx';
import { Door } from '../../../dashboard/show/basics/door.tsx';
import { Fault } from '../../../dashboard/show/basics/fault.tsx';
import { finishAtProvider, goToProvider, type Purpose, whatWasBegun } from './provider.ts';

const TITLES: Readonly<Record<Purpose, string>> = {
  LOG_IN: 'Log in',
  PROOF: 'Confirm that it is you',
  CONNECT: 'Connect your account',
};

export function ProviderLogInPage() {
  const parameters = useRef(window.location.search.slice(1));
  const begun = useRef(whatWasBegun(parameters.current));
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(true);
  const [isProved, setProved] = useState(false);
  const asked = useCodeRequest(error);
  const finish = useCallback(
    async (code: string) => {
      const kept = begun.current;
      if (kept === null) {
        setError(
          new Error('This log-in was not started in this browser, or it has expired. Start again on the log-in page.'),
        );
        return;
      }
      await finishAtProvider(kept, parameters.current, code);
      forgetAnswers();
      if (kept.purpose !== 'PROOF') return navigate({ to: kept.next });
      setProved(true);
      window.close();
    },
    [navigate],
  );
  const go = useCallback((act: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    void act()
      .catch((thrown: unknown) => setError(thrown as Error))
      .finally(() => setBusy(false));
  }, []);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    if (parameters.current === 'proof=1') return go(() => goToProvider('PROOF', '/'));
    // The query does not stay in the history.
    window.history.replaceState(null, '', '/sign-in');
    go(() => finish(''));
  }, [finish, go]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(() => finish(asked.code));
  };
  return (
    <Door title={TITLES[begun.current?.purpose ?? 'LOG_IN']}>
      <Stack>
        {asked.isAsked && (
          <form onSubmit={submit}>
            <Stack>
              <Text size="sm">Your account has a second factor.</Text>
              <CodeField code={asked.code} setCode={asked.setCode} error={error} focused />
              <Button type="submit" loading={busy}>
                Go on
              </Button>
            </Stack>
          </form>
        )}
        {isProved && <Text>Your identity is confirmed. You can close this window.</Text>}
        {busy && !asked.isAsked && <Text role="status">One moment …</Text>}
        <Fault error={asked.fault} fields={['code']} />
        {error && !asked.isAsked && (
          <Anchor href="/log-in" size="sm">
            Go to the log-in page
          </Anchor>
        )}
      </Stack>
    </Door>
  );
}
