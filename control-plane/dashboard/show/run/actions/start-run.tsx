/** The button that starts a test, and the dialog before the start: what the run sends, and the probe that watches it. */
import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { faultOf, useCall, useChange } from '../../../api.ts';
import { Answer, Failed } from '../../basics/page.tsx';
import { Radius } from '../../test-form/preview/preflight.tsx';
import { Destination } from '../../test-form/registrar/destinations.tsx';

type Props = {
  readonly projectId: string;
  readonly test: { readonly id: string; readonly name: string };
  readonly label?: string;
  /** The accessible name, if the label does not name the test. */
  readonly ariaLabel?: string;
  readonly size?: 'xs' | 'sm';
  readonly filled?: boolean;
};

export function StartRun({ projectId, test, label = 'Run', ariaLabel, size = 'sm', filled = true }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size={size}
        variant={filled ? 'filled' : 'default'}
        {...(ariaLabel !== undefined && { 'aria-label': ariaLabel })}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Run ${test.name}?`} size="lg">
        <Before projectId={projectId} testId={test.id} onCancel={() => setOpened(false)} />
      </Modal>
    </>
  );
}

type BeforeProps = { readonly projectId: string; readonly testId: string; readonly onCancel: () => void };

/** The data are requested only while the dialog is open. */
function Before({ projectId, testId, onCancel }: BeforeProps) {
  const navigate = useNavigate();
  const preflight = useCall('preflightTest', { projectId, testId }, { everyMs: 5000 });
  const [probeId, setProbeId] = useState<string | null>(null);
  const start = useChange('runTest', ({ testRunId }) => {
    void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId: testRunId } });
  });
  const isReady = preflight.data?.isReady ?? true;
  return (
    <Stack>
      <Answer of={preflight}>
        {({ blastRadius, checks, isReady }) => (
          <Stack gap="sm">
            <Radius of={blastRadius} />
            {checks
              .filter(({ check }) => check === 'DESTINATIONS')
              .map(({ check, verdict, message }) => (
                <Destination key={check} isElsewhere={verdict === 'WARN'}>
                  {message}
                </Destination>
              ))}
            {!isReady && (
              <Alert color="red" variant="outline" title="The test cannot run now" role="alert">
                {checks
                  .filter(({ verdict }) => verdict === 'FAIL')
                  .map(({ check, message }) => (
                    <Text key={check} size="sm">
                      {message}
                    </Text>
                  ))}
              </Alert>
            )}
          </Stack>
        )}
      </Answer>
      <CanarySelect
        projectId={projectId}
        value={probeId}
        error={faultOf(start.error, 'canary.probeId')}
        onChange={setProbeId}
      />
      {start.error && <Failed error={start.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          data-autofocus
          variant={isReady ? 'filled' : 'default'}
          loading={start.isPending}
          onClick={() => start.mutate({ projectId, testId, ...(probeId !== null && { canary: { probeId } }) })}
        >
          {isReady ? 'Start run' : 'Start anyway'}
        </Button>
      </Group>
    </Stack>
  );
}

type CanaryProps = {
  readonly projectId: string;
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (probeId: string | null) => void;
};

function CanarySelect({ projectId, value, error, onChange }: CanaryProps) {
  const probes = useCall('listProbes', { projectId, per_page: 100 });
  const rows = probes.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Select
      label="Canary"
      description="A probe that is executed three times before the load and again while it is on: what other callers get meanwhile."
      placeholder="none"
      clearable
      searchable
      data={rows.map((p) => ({ value: p.id, label: p.name }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}
