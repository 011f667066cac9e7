/** A test as a form, with what it will ask of hosts and networks beside it. */
import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Answer, Card, Failed, Page } from '../show/page.tsx';
import { bodyOf, type Draft, draftOf, EMPTY } from '../show/test-draft.ts';
import { Preview, TestFields } from '../show/test-fields.tsx';

type Test = Output<'getTest'>;

export function NewTestPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  return (
    <Page title="New test" over={<Back projectId={projectId} />}>
      <Answer of={registrars}>
        {({ rows }) => <Form projectId={projectId} registrars={rows} test={null} first={EMPTY} />}
      </Answer>
    </Page>
  );
}

export function TestPage() {
  const { projectId, testId } = useParams({ strict: false }) as { projectId: string; testId: string };
  const may = useMay(projectId);
  const registrars = useCall('listRegistrars', { projectId, per_page: 100 });
  const test = useCall('getTest', { projectId, testId });
  return (
    <Answer of={test}>
      {(t) => (
        <Page
          title={t.name}
          over={<Back projectId={projectId} />}
          actions={may('TESTER') && <Run projectId={projectId} test={t} />}
        >
          <Answer of={registrars}>
            {({ rows }) => {
              const draft = draftOf(t, rows);
              return draft && may('EDITOR') ? (
                <Form key={t.version} projectId={projectId} registrars={rows} test={t} first={draft} />
              ) : (
                <AsWritten test={t} isForm={draft !== null} />
              );
            }}
          </Answer>
        </Page>
      )}
    </Answer>
  );
}

const Back = ({ projectId }: { projectId: string }) => (
  <Anchor component={Link} to={`/projects/${projectId}/tests`} size="sm">
    Tests
  </Anchor>
);

function Run({ projectId, test }: { projectId: string; test: Test }) {
  const navigate = useNavigate();
  const start = useChange('runTest', ({ testRunId }) => {
    void navigate({ to: '/projects/$projectId/runs/$runId', params: { projectId, runId: testRunId } });
  });
  return (
    <Stack gap="xs">
      <Button loading={start.isPending} onClick={() => start.mutate({ projectId, testId: test.id })}>
        Run this test
      </Button>
      {start.error && <Failed error={start.error} />}
    </Stack>
  );
}

type FormProps = {
  readonly projectId: string;
  readonly registrars: readonly Output<'listRegistrars'>[];
  readonly test: Test | null;
  readonly first: Draft;
};

function Form({ projectId, registrars, test, first }: FormProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(first);
  const toTests = () => void navigate({ to: '/projects/$projectId/tests', params: { projectId } });
  const create = useChange('createTest', toTests);
  const update = useChange('updateTest', toTests);
  const cloudId = registrars.find((r) => r.isCloud)?.id ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(draft, cloudId, test);
    if (test) update.mutate({ projectId, testId: test.id, ...body });
    else create.mutate({ projectId, ...body });
  };
  const error = create.error ?? update.error;
  return (
    <form onSubmit={submit}>
      <Group align="flex-start" gap="lg" wrap="wrap">
        <div style={{ flex: '2 1 460px', minWidth: 0 }}>
          <Card>
            <Stack>
              <TestFields draft={draft} registrars={registrars} error={error} onChange={setDraft} />
              {error && <Failed error={error} />}
              <Group justify="flex-end">
                <Button component={Link} to={`/projects/${projectId}/tests`} variant="default">
                  Leave it
                </Button>
                <Button type="submit" loading={create.isPending || update.isPending}>
                  {test ? 'Save the test' : 'Make the test'}
                </Button>
              </Group>
            </Stack>
          </Card>
        </div>
        <div style={{ flex: '1 1 280px', minWidth: 0, position: 'sticky', top: 74 }}>
          <Preview draft={draft} />
        </div>
      </Group>
    </form>
  );
}

/** What the form cannot hold, or its reader may not change. */
function AsWritten({ test, isForm }: { test: Test; isForm: boolean }) {
  const { groups, load, breaker, thresholds, buildup, durationSeconds } = test;
  return (
    <Stack>
      {!isForm && (
        <Alert color="indigo" variant="outline" title="Written with more than the form has">
          This test has several groups, actions or signalling of its own. Change it with the API or its provisioning
          file; it runs from here as well.
        </Alert>
      )}
      <Card title="As it is written">
        <Code block mah={560} style={{ overflow: 'auto' }} tabIndex={0}>
          {JSON.stringify({ buildup, durationSeconds, load, breaker, thresholds, groups }, null, 2)}
        </Code>
        <Text size="xs" c="dimmed" mt="xs">
          {test.endpoints} endpoints
        </Text>
      </Card>
    </Stack>
  );
}
