/** Log-in or confirmation without the password: by a passkey, or through the identity provider. */
import { Button, Divider, Stack } from '@mantine/core';
import { useState } from 'react';
import { inWords, mayUsePasskeys } from '../../passkey.ts';
import { Fault } from '../basics/fault.tsx';

type Props = {
  readonly passkeyHost: string | null | undefined;
  readonly provider: string | null | undefined;
  readonly byPasskey: () => Promise<unknown>;
  readonly atProvider: () => Promise<unknown>;
  /** The verb of the labels: `Log in` or `Confirm`. */
  readonly verb: string;
  /** True: no other fields are above the buttons. */
  readonly isAlone?: boolean;
};

export function OtherWays({ passkeyHost, provider, byPasskey, atProvider, verb, isAlone }: Props) {
  const [busy, setBusy] = useState<'passkey' | 'provider' | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const hasPasskey = mayUsePasskeys(passkeyHost);
  if (!hasPasskey && !provider) return null;
  const go = (which: 'passkey' | 'provider', act: () => Promise<unknown>) => async () => {
    setBusy(which);
    setError(null);
    await act().catch((thrown: unknown) => setError(which === 'passkey' ? inWords(thrown) : (thrown as Error)));
    setBusy(null);
  };
  return (
    <Stack gap="sm">
      {!isAlone && <Divider label="or" />}
      {hasPasskey && (
        <Button variant="default" loading={busy === 'passkey'} onClick={go('passkey', byPasskey)}>
          {verb} with a passkey
        </Button>
      )}
      {provider && (
        <Button variant="default" loading={busy === 'provider'} onClick={go('provider', atProvider)}>
          {verb} through {provider}
        </Button>
      )}
      {error && <Fault error={error} fields={[]} />}
    </Stack>
  );
}
