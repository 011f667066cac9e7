/** The button that starts a test, and the dialog before the start: what the run sends, and the fields of features. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { CallInput } from '../../../../contract/call.ts';
import { FEATURE_PAGES } from '../../../../feature-sums/pages.ts';
import { useCall, useChange } from '../../../api.ts';
import { navigate } from '../../../router.tsx';
import { Modal } from '../../basics/dialog.tsx';
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
        aria-haspopup="dialog"
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

const FIELDS = FEATURE_PAGES.flatMap(({ startFields = [] }) => startFields);

type BeforeProps = { readonly projectId: string; readonly testId: string; readonly onCancel: () => void };

/** The data are requested only while the dialog is open. */
function Before({ projectId, testId, onCancel }: BeforeProps) {
  const preflight = useCall('preflightTest', { projectId, testId }, { everyMs: 5000 });
  const [body, setBody] = useState<Partial<CallInput<'runTest'>>>({});
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
      <Suspense fallback={null}>
        {FIELDS.map(([key, Field]) => (
          <Field key={key} projectId={projectId} body={body} error={start.error} onChange={setBody} />
        ))}
      </Suspense>
      {start.error && <Failed error={start.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          data-autofocus
          variant={isReady ? 'filled' : 'default'}
          loading={start.isPending}
          onClick={() => start.mutate({ ...body, projectId, testId })}
        >
          {isReady ? 'Start run' : 'Start anyway'}
        </Button>
      </Group>
    </Stack>
  );
}
