/** Changes the rate of a load in progress, pauses it, and resumes it. */
import { MAX_CALLS_PER_SECOND, MIN_CALLS_PER_SECOND } from '@carillon/proto/load/shapes/shape.ts';
import { loadShape } from '@carillon/proto/load/shapes/shapes.ts';
import { Button, Group, NumberInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../../../contract/catalogue.ts';
import { faultOf, useChange } from '../../../api.ts';
import { Failed } from '../../basics/page.tsx';

type Props = {
  readonly projectId: string;
  readonly runId: string;
  readonly load: NonNullable<Output<'getTestRun'>['load']>;
};

/**
 * The steps are shares of the rate: the fixed steps of SIPp's keys are too small for a large load, and too large for a small one.
 */
const PARTS = [
  [-0.1, '− 10 %'],
  [0.1, '+ 10 %'],
] as const;
const rounded = (rate: number): number =>
  Math.min(MAX_CALLS_PER_SECOND, Math.max(MIN_CALLS_PER_SECOND, Math.round(rate * 100) / 100));

export function ChangeLoad({ projectId, runId, load }: Props) {
  const { callsPerSecond, callsPerSecondUnpaused, shape } = load;
  const { endedByChange } = loadShape(shape);
  const isPaused = callsPerSecond === 0;
  const [typed, setTyped] = useState<number | string>(rounded(callsPerSecondUnpaused));
  const change = useChange('updateTestRunLoad');
  const to = (rate: number) => change.mutate({ projectId, testRunId: runId, callsPerSecond: rate });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    to(Number(typed));
  };
  const fault = faultOf(change.error, 'callsPerSecond');
  const busy = change.isPending;
  return (
    <div style={{ flex: '1 1 300px', minWidth: 0 }}>
      <form onSubmit={onSubmit}>
        <Group gap="xs" align="flex-end">
          <NumberInput
            label={isPaused ? 'Resume at' : 'Change it to'}
            w={110}
            required
            withAsterisk={false}
            min={MIN_CALLS_PER_SECOND}
            max={MAX_CALLS_PER_SECOND}
            decimalScale={2}
            value={typed}
            onChange={setTyped}
            disabled={busy}
          />
          <Button
            type="submit"
            variant={isPaused ? 'filled' : 'default'}
            disabled={busy || (!isPaused && typed === callsPerSecond)}
          >
            {isPaused ? 'Resume' : 'Change'}
          </Button>
          {!isPaused && (
            <>
              <Button.Group>
                {PARTS.map(([part, label]) => (
                  <Button
                    key={part}
                    variant="default"
                    px="sm"
                    disabled={busy}
                    onClick={() => to(rounded(callsPerSecond * (1 + part)))}
                  >
                    {label}
                  </Button>
                ))}
              </Button.Group>
              <Button variant="default" disabled={busy} onClick={() => to(0)}>
                Pause
              </Button>
            </>
          )}
        </Group>
      </form>
      {fault !== undefined && (
        <Text size="sm" c="red" mt={6} role="alert">
          Not possible: {fault}.
        </Text>
      )}
      {change.error && fault === undefined && (
        <div style={{ marginTop: 10 }}>
          <Failed error={change.error} />
        </div>
      )}
      <Text size="xs" c="dimmed" mt={8}>
        Every agent follows within a second. Changes appear in the curve of offered calls and in the events
        {endedByChange === undefined ? '' : `, until the end of the load: ${endedByChange}`}.
      </Text>
    </div>
  );
}
