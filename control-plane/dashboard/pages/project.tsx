/** A project's start page: the next step while steps remain, then runs, workers, and probes. */
import { Anchor, Button, Group, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCall } from '../api.ts';
import { useMay } from '../me.tsx';
import { Link, useParams } from '../router.tsx';
import { count, cutTo } from '../show/basics/figures.ts';
import { IconCheck } from '../show/basics/icons.tsx';
import { Answer, Card, Empty, Page } from '../show/basics/page.tsx';
import { WorkerState } from '../show/basics/words.tsx';
import { InMaintenance, ProbeState } from '../show/probe/probe-state.tsx';
import { Strip } from '../show/probe/probe-strip.tsx';
import { RunTable } from '../show/run/lists/run-table.tsx';
import { ToTests } from '../show/workers/first-step.tsx';

export function ProjectPage() {
  const { projectId } = useParams() as { projectId: string };
  const project = useCall('getProject', { projectId });
  return (
    <Answer of={project}>
      {(p) => (
        <Page title={p.name} over={p.organizationName}>
          {p.description && <Text c="dimmed">{p.description}</Text>}
          {p.lastRunAt === null ? (
            <FirstSteps projectId={projectId} hasTests={p.testCount > 0} />
          ) : (
            <Runs projectId={projectId} />
          )}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Probes projectId={projectId} />
            <Agents />
          </SimpleGrid>
        </Page>
      )}
    </Answer>
  );
}

type Step = { readonly done: boolean; readonly title: string; readonly text: string; readonly action: ReactNode };

/** The steps from an empty project to the first successful call. They are hidden after such a call. */
function FirstSteps({ projectId, hasTests }: { projectId: string; hasTests: boolean }) {
  const may = useMay(projectId);
  const inOrganization = useMay();
  const overview = useCall('getOverview', { project_id: projectId }, { everyMs: 3000 });
  if (!overview.data) return null;
  const online = overview.data.counts.onlineWorkers > 0;
  const steps: Step[] = [
    {
      done: online,
      title: 'Start an agent',
      text: 'Agents place the calls from your own hosts. One command starts an agent.',
      action: inOrganization('ADMIN') && (
        <Button component={Link} to="/workers" search={{ from: projectId }} variant={online ? 'default' : 'filled'}>
          Enroll an agent
        </Button>
      ),
    },
    {
      done: hasTests,
      title: 'Create a test',
      text: 'Start with the built-in callee: agents call each other, so you need no PBX.',
      action: may('EDITOR') && (
        <Button
          component={Link}
          to={`/projects/${projectId}/tests/new`}
          variant={online && !hasTests ? 'filled' : 'default'}
        >
          Create a test
        </Button>
      ),
    },
    {
      done: false,
      title: 'Run it',
      text: 'Watch the calls live, then read the results.',
      action: may('TESTER') && hasTests && (
        <Button component={Link} to={`/projects/${projectId}/tests`} variant={online ? 'filled' : 'default'}>
          Go to tests
        </Button>
      ),
    },
  ];
  return (
    <Card title="Your first call" note="Three steps that take a few minutes.">
      <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step, i) => (
          <Group key={step.title} component="li" justify="space-between" wrap="wrap" gap="sm">
            <Group gap="md" wrap="nowrap" align="flex-start" style={{ flex: '1 1 280px' }}>
              <ThemeIcon variant={step.done ? 'filled' : 'default'} color="teal.9" radius="xl" size="md" aria-hidden>
                {step.done ? <IconCheck size={16} /> : <Text size="sm">{i + 1}</Text>}
              </ThemeIcon>
              <div>
                <Text fw={600}>
                  {step.title}
                  {step.done && (
                    <Text span size="sm" c="dimmed" ml={8}>
                      done
                    </Text>
                  )}
                </Text>
                <Text size="sm" c="dimmed">
                  {step.text}
                </Text>
              </div>
            </Group>
            {step.action}
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function Runs({ projectId }: { projectId: string }) {
  const runs = useCall('listTestRuns', { projectId, per_page: 6 }, { everyMs: 2000 });
  return (
    <Card
      title="Recent runs"
      pad={false}
      actions={
        <Anchor component={Link} to={`/projects/${projectId}/runs`} size="sm">
          All runs
        </Anchor>
      }
    >
      <Answer of={runs}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="No runs kept" action={<ToTests projectId={projectId} />}>
              Test runs appear here while they are in progress and after they have ended.
            </Empty>
          ) : (
            <RunTable projectId={projectId} rows={rows} />
          )
        }
      </Answer>
    </Card>
  );
}

function Probes({ projectId }: { projectId: string }) {
  const overview = useCall('getOverview', { project_id: projectId }, { everyMs: 10_000 });
  const { probes = [], counts } = overview.data ?? {};
  return (
    <Card
      title="Probes"
      note={`${cutTo('The worst', probes.length, counts?.probes ?? 0) ?? 'Worst first'}; latest results, oldest first`}
      actions={
        probes.length > 0 && (
          <Anchor component={Link} to={`/projects/${projectId}/probes`} size="sm">
            All probes
          </Anchor>
        )
      }
    >
      <Answer of={overview}>
        {({ probes: rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed" size="sm">
              No probe yet. A probe places one call every few minutes and alerts you when callers could not hear each
              other.{' '}
              <Anchor component={Link} to={`/projects/${projectId}/probes`} underline="always">
                Probes
              </Anchor>
            </Text>
          ) : (
            <Stack gap="md">
              {rows.map((p) => (
                <div key={p.id}>
                  <Group justify="space-between" mb={4}>
                    <Anchor component={Link} to={`/projects/${projectId}/probes/${p.id}`} fw={600}>
                      {p.name}
                    </Anchor>
                    <ProbeState probe={p} />
                  </Group>
                  <Strip projectId={projectId} probe={p} />
                  {p.status !== 'HEALTHY' && p.lastMessage !== null && (
                    <Text size="sm" c="dimmed" mt={4} style={{ overflowWrap: 'anywhere' }}>
                      {p.lastMessage}
                    </Text>
                  )}
                  <InMaintenance until={p.maintenanceUntil} />
                </div>
              ))}
            </Stack>
          )
        }
      </Answer>
    </Card>
  );
}

const SHOWN_WORKERS = 8;

function Agents() {
  const workers = useCall('listWorkers', { per_page: SHOWN_WORKERS }, { everyMs: 5000 });
  const { rows = [], pagination } = workers.data ?? {};
  return (
    <Card
      title="Agents"
      note={cutTo('The first', rows.length, pagination?.total ?? 0)}
      actions={
        <Anchor component={Link} to="/workers" size="sm">
          All workers
        </Anchor>
      }
    >
      <Answer of={workers}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed" size="sm">
              No agent is enrolled yet.
            </Text>
          ) : (
            <Stack gap="sm">
              {rows.map((w) => (
                <Group key={w.id} justify="space-between" gap="sm">
                  <div>
                    <Text fw={600}>{w.name}</Text>
                    <Text size="sm" c="dimmed">
                      {w.region} · {count(w.endpoints)} of {count(w.capacity)} endpoints busy
                    </Text>
                  </div>
                  <WorkerState worker={w} />
                </Group>
              ))}
            </Stack>
          )
        }
      </Answer>
    </Card>
  );
}
