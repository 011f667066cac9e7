/** Log-in or confirmation without the password: by what features offer. */
import { Button, Divider, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import type { WayIn } from '../../feature.ts';
import { Fault } from '../basics/fault.tsx';

type Props = {
  readonly ways: readonly WayIn[];
  /** Undefined: not known yet. */
  readonly entrance: Output<'getEntrance'> | undefined;
  readonly act: (way: WayIn) => Promise<unknown>;
  /** The verb of the labels: `Log in` or `Go on`. */
  readonly verb: string;
  /** True: no other fields are above the buttons. */
  readonly isAlone?: boolean;
};

export function OtherWays({ ways, entrance, act, verb, isAlone }: Props) {
  const [busy, setBusy] = useState<WayIn | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const labels = new Map(entrance && ways.map((way) => [way, way.label(entrance)]));
  const offered = ways.filter((way) => labels.get(way) != null).sort((a, b) => a.place - b.place);
  if (offered.length === 0) return null;
  const go = async (way: WayIn) => {
    setBusy(way);
    setError(null);
    await act(way).catch((thrown: unknown) => setError(thrown as Error));
    setBusy(null);
  };
  return (
    <Stack gap="sm">
      {!isAlone && <Divider label="or" />}
      {offered.map((way) => (
        <Button key={way.proof} variant="default" loading={busy === way} onClick={() => go(way)}>
          {verb} {labels.get(way)}
        </Button>
      ))}
      {error && <Fault error={error} fields={[]} />}
    </Stack>
  );
}
