/** The activity in all accessible projects, with links to each. This is the first page for a new user. */
import { Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { sinceOf } from '../../contract/probe/words.ts';
import { useCall } from '../api.ts';
import { useMay, useMe } from '../me.tsx';
import { Link } from '../router.tsx';
import { Figure } from '../show/basics/figure.tsx';
import { count, cutTo, plural } from '../show/basics/figures.ts';
import { Answer, Card, Empty, Page } from '../show/basics/page.tsx';
import { Time } from '../show/basics/time.tsx';
import { Health, Mark, SeverityMark } from '../show/basics/words.tsx';
import { InMaintenance } from '../show/probe/probe-state.tsx';
import { Strip } from '../show/probe/probe-strip.tsx';
import { RunState } from '../show/run/result/run-state.tsx';

type Overview = Output<'getOverview'>;

export function HomePage() {
  const me = useMe();
  const may = useMay();
  const projects = useCall('listProjects', { per_page: 100 });
  const makes = may('ADMIN') && me.allProjects;
  const isEmpty = projects.data?.rows.length === 0;
  return (
    <Page title="Home" over={me.organization.name} actions={makes && !isEmpty && <NewProject />}>
      <Answer of={projects}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Card>
              <Empty title={`Welcome, ${me.user.name}`} action={makes && <NewProject first />}>
                {makes
                  ? 'A project holds tests, probes, the registrars that they use, and their runs. Create one, and the next page guides you to your first call.'
                  : 'You have no access to a project yet. Ask an administrator of your organization.'}
              </Empty>
            </Card>
          ) : (
            <>
              <Now />
              <Projects rows={rows} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}

function Now() {
  const overview = useCall('getOverview', {}, { everyMs: 5000 });
  return (
    <Answer of={overview}>
      {(o) => (
        <>
          <Card>
            <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
              <Figure
                name="Open incidents"
                value={count(o.counts.incidents)}
                note={
                  o.counts.incidents > 0 ? (
                    <IncidentsNote {...o} />
                  ) : o.counts.probes > 0 ? (
                    <Mark tone="good">none open</Mark>
                  ) : (
                    'no probes yet'
                  )
                }
              />
              <Figure name="Runs in progress" value={count(o.counts.runs)} />
              <Figure
                name="Agents online"
                value={`${count(o.counts.onlineWorkers)} of ${count(o.counts.workers - o.counts.waitingWorkers)}`}
                note={<AgentsNote {...o.counts} />}
              />
              <Figure name="Probes" value={count(o.counts.probes)} note={<ProbesNote {...o.counts} />} />
            </SimpleGrid>
          </Card>
          {o.incidents.length > 0 && <Incidents {...o} />}
          {o.runs.length > 0 && <Runs {...o} />}
          {o.probes.length > 0 && <Probes {...o} />}
        </>
      )}
    </Answer>
  );
}

/** Only the latest of all open incidents are listed individually. */
const IncidentsNote = ({ counts, incidents }: Overview) =>
  counts.incidents === incidents.filter((i) => i.acknowledgedAt !== null).length ? (
    <Mark tone="accent">acknowledged</Mark>
  ) : (
    <Mark tone="bad">needs attention</Mark>
  );

function AgentsNote({ onlineWorkers, waitingWorkers, workers }: Overview['counts']) {
  const offline = workers - waitingWorkers - onlineWorkers;
  if (onlineWorkers > 0 && offline > 0) return <Mark tone="warn">some are offline</Mark>;
  if (onlineWorkers > 0 && waitingWorkers === 0) return <Mark tone="good">ready to call</Mark>;
  if (onlineWorkers > 0 || (workers > 0 && offline === 0))
    return <Mark tone="accent">{count(waitingWorkers)} waiting to join</Mark>;
  return (
    <Anchor component={Link} to="/workers" size="xs" underline="always">
      {workers === 0 ? 'Enroll the first agent' : 'See why'}
    </Anchor>
  );
}

function ProbesNote({ probes, enabledProbes, badProbes, unknownProbes }: Overview['counts']) {
  if (enabledProbes === 0) return probes === 0 ? null : 'switched off';
  if (badProbes > 0) return <Mark tone="bad">{count(badProbes)} not healthy</Mark>;
  return unknownProbes > 0 ? (
    <Mark tone="none">{count(unknownProbes)} unknown</Mark>
  ) : (
    <Mark tone="good">all healthy</Mark>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <Group component="li" justify="space-between" gap="sm" wrap="wrap">
    {children}
  </Group>
);
/** Each line has one state. */
const State = ({ children }: { children: ReactNode }) => <div style={{ minWidth: 124 }}>{children}</div>;
const List = ({ children }: { children: ReactNode }) => (
  <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
    {children}
  </Stack>
);

const Incidents = ({ incidents, counts }: Overview) => (
  <Card title="Open incidents" note={cutTo('The last', incidents.length, counts.incidents)}>
    <List>
      {incidents.map((i) => (
        <Row key={i.id}>
          <div style={{ flex: '1 1 260px', minWidth: 0, overflowWrap: 'anywhere' }}>
            <Anchor component={Link} to={`/projects/${i.projectId}/probes/${i.probeId}/incidents/${i.id}`} fw={600}>
              {i.probeName}
            </Anchor>
            {i.reason !== null && <div>{i.reason}</div>}
            <Text size="sm" c="dimmed" component="div">
              {i.projectName} · began <Time at={sinceOf(i)} relative />
              {i.acknowledgedAt !== null && ` · acknowledged by ${i.acknowledgedBy ?? 'somebody'}`}
            </Text>
          </div>
          <State>
            <SeverityMark severity={i.severity} />
          </State>
        </Row>
      ))}
    </List>
  </Card>
);

const Runs = ({ runs, counts }: Overview) => (
  <Card title="Runs in progress" note={cutTo('The last', runs.length, counts.runs)}>
    <List>
      {runs.map((r) => (
        <Row key={r.id}>
          <div>
            <Anchor component={Link} to={`/projects/${r.projectId}/runs/${r.id}`} fw={600}>
              {r.testName}
            </Anchor>
            <Text size="sm" c="dimmed" component="div">
              {r.projectName} · {plural(r.endpoints, 'endpoint')} · submitted <Time at={r.submittedAt} relative />
            </Text>
          </div>
          <State>
            <RunState run={r} />
          </State>
        </Row>
      ))}
    </List>
  </Card>
);

const Probes = ({ probes, incidents, counts }: Overview) => (
  <Card
    title="Probes"
    note={`${cutTo('The worst', probes.length, counts.probes) ?? 'Worst first'}; executions are shown oldest first`}
  >
    <List>
      {probes.map((p) => (
        <Row key={p.id}>
          <div style={{ flex: '1 1 260px', minWidth: 0 }}>
            <Anchor component={Link} to={`/projects/${p.projectId}/probes/${p.id}`} fw={600}>
              {p.name}
            </Anchor>
            <Text size="sm" c="dimmed">
              {p.projectName}
              {p.lastSkipReason && ` · skipped: ${p.lastSkipReason}`}
            </Text>
            {p.status !== 'HEALTHY' && p.lastMessage !== null && !incidents.some((i) => i.probeId === p.id) && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {p.lastMessage}
              </Text>
            )}
            <InMaintenance until={p.maintenanceUntil} />
          </div>
          <div style={{ flex: '0 0 auto', maxWidth: '100%' }}>
            <Strip projectId={p.projectId} probe={p} />
          </div>
          <State>
            {p.autoPausedAt ? (
              <Mark tone="warn">Paused</Mark>
            ) : p.enabled ? (
              <Health state={p.status} />
            ) : (
              <Mark tone="none">Switched off</Mark>
            )}
          </State>
        </Row>
      ))}
    </List>
  </Card>
);

const Projects = ({ rows }: { rows: readonly Output<'listProjects'>[] }) => (
  <section aria-labelledby="projects">
    <Title order={2} size="h4" mb="sm" id="projects">
      Projects
    </Title>
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {rows.map((p) => (
        <Link
          key={p.id}
          to="/projects/$projectId"
          params={{ projectId: p.id }}
          className="card card-pad card-link"
          style={{ textDecoration: 'none', color: 'inherit' }}
        >
          <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {p.name}
          </Title>
          {p.description && (
            <Text size="sm" c="dimmed" lineClamp={2}>
              {p.description}
            </Text>
          )}
          <Text size="sm" mt="xs">
            {plural(p.testCount, 'test')} · {plural(p.probeCount, 'probe')} · {plural(p.registrarCount, 'registrar')}
          </Text>
        </Link>
      ))}
    </SimpleGrid>
  </section>
);

/** The first load needs no dialog. */
const NewProjectDialog = lazy(() => import('../show/project/new-project.tsx'));

function NewProject({ first = false }: { first?: boolean }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpened(true)}>
        {first ? 'Create your first project' : 'New project'}
      </Button>
      {opened && (
        <Suspense>
          <NewProjectDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
