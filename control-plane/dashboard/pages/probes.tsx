/** Probes: how each is, and one in full: its last executions, its thresholds, its incidents, and what keeps it from running. */
import { Anchor, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Output } from '../../contract/catalogue.ts';
import { call, useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Confirm } from '../show/confirm.tsx';
import { Figure } from '../show/figure.tsx';
import { count, duration, number } from '../show/figures.ts';
import { IncidentTimeline } from '../show/incident-timeline.tsx';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';
import { ProbeStrip } from '../show/probe-strip.tsx';
import { ThresholdChart } from '../show/threshold-chart.tsx';
import { Time } from '../show/time.tsx';
import { Health, Mark, plain } from '../show/words.tsx';

type Probe = Output<'listProbes'>;

const schedule = (p: Probe): string =>
  p.scheduleType === 'CRON'
    ? `${p.cronExpression} (${p.timezone})`
    : `every ${duration(p.fixedIntervalSec ?? 0)}${p.timeOfDayStartUtc ? `, ${p.timeOfDayStartUtc} to ${p.timeOfDayEndUtc}` : ''}`;

/** Health alone would lie of a probe that does not run (spec section 2). */
const ProbeState = ({ probe: p }: { probe: Pick<Probe, 'enabled' | 'autoPausedAt' | 'lastSkipReason' | 'status'> }) =>
  p.autoPausedAt ? (
    <Mark tone="warn">Paused by itself</Mark>
  ) : !p.enabled ? (
    <Mark tone="none">Switched off</Mark>
  ) : p.lastSkipReason ? (
    <Mark tone="warn">Not running: skipped</Mark>
  ) : (
    <Health state={p.status} />
  );

export function ProbesPage() {
  const { projectId } = useParams({ strict: false }) as { projectId: string };
  const probes = useCall('listProbes', { projectId, per_page: 100 }, { everyMs: 5000 });
  const may = useMay(projectId);
  const make = may('EDITOR') && (
    <Button component={Link} to={`/projects/${projectId}/probes/new`}>
      New probe
    </Button>
  );
  return (
    <Page title="Probes" actions={make}>
      <Card pad={false}>
        <Answer of={probes}>
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No probe yet" action={make}>
                A probe places one call every few minutes, grades what it measured, and opens an incident when calls get
                bad.
              </Empty>
            ) : (
              <Table miw={720}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Probe</Table.Th>
                    <Table.Th>Health</Table.Th>
                    <Table.Th>Last executions, oldest first</Table.Th>
                    <Table.Th>Schedule</Table.Th>
                    <Table.Th>Last</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((p) => (
                    <Table.Tr key={p.id}>
                      <Table.Td>
                        <Anchor component={Link} to={`/projects/${projectId}/probes/${p.id}`} fw={600}>
                          {p.name}
                        </Anchor>
                        <Text size="xs" c="dimmed">
                          {plain(p.mode)}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <ProbeState probe={p} />
                      </Table.Td>
                      <Table.Td>
                        <ProbeStrip projectId={projectId} probeId={p.id} />
                      </Table.Td>
                      <Table.Td>{schedule(p)}</Table.Td>
                      <Table.Td>
                        <Time at={p.lastInstanceAt} none="never" relative />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )
          }
        </Answer>
      </Card>
    </Page>
  );
}

export function ProbePage() {
  const { projectId, probeId } = useParams({ strict: false }) as { projectId: string; probeId: string };
  const may = useMay(projectId);
  const probe = useCall('getProbe', { projectId, probeId }, { everyMs: 3000 });
  const navigate = useNavigate();
  const run = useChange('runProbe');
  const update = useChange('updateProbe');
  return (
    <Answer of={probe}>
      {(p) => (
        <Page
          title={p.name}
          over={
            <Anchor component={Link} to={`/projects/${projectId}/probes`} size="sm">
              Probes
            </Anchor>
          }
          beside={<ProbeState probe={p} />}
          actions={
            may('TESTER') && (
              <>
                {may('EDITOR') && (
                  <Button
                    variant="default"
                    loading={update.isPending}
                    onClick={() => update.mutate({ projectId, probeId, enabled: !p.enabled })}
                  >
                    {p.enabled ? 'Switch off' : 'Switch on'}
                  </Button>
                )}
                {may('EDITOR') && (
                  <Button component={Link} to={`/projects/${projectId}/probes/${probeId}/change`} variant="default">
                    Change
                  </Button>
                )}
                <Button loading={run.isPending} onClick={() => run.mutate({ projectId, probeId })}>
                  Run now
                </Button>
              </>
            )
          }
        >
          {run.error && <Failed error={run.error} />}
          {update.error && <Failed error={update.error} />}
          {p.autoPausedAt && (
            <Loud title="It does not run: paused by itself">
              {p.autoPauseReason} It stands still since <Time at={p.autoPausedAt} />; its health is that of its last
              run.
            </Loud>
          )}
          {!p.enabled && !p.autoPausedAt && (
            <Loud title="It does not run: switched off">It runs only when somebody starts it.</Loud>
          )}
          {p.lastSkipReason && (
            <Loud title="It does not run: the last execution was skipped">
              {p.lastSkipReason} That was <Time at={p.lastSkipAt} relative />; until one succeeds its health is that of
              the last run.
            </Loud>
          )}
          <Card>
            <SimpleGrid cols={{ base: 2, md: 4 }}>
              <Figure
                name="Schedule"
                value={p.scheduleType === 'CRON' ? 'Cron' : `every ${duration(p.fixedIntervalSec ?? 0)}`}
                note={p.scheduleType === 'CRON' ? schedule(p) : undefined}
              />
              <Figure
                name="A call lasts"
                value={duration(p.durationSeconds)}
                note={p.test.callee.mode === 'EXTERNAL_URI' ? p.test.callee.uri : ''}
              />
              <Figure
                name="An incident opens after"
                value={count(p.alertStrikeRuns)}
                unit={p.alertStrikeRuns === 1 ? 'bad run' : 'bad runs in a row'}
              />
              <Figure name="Escalates after" value={duration(p.escalateAfterMinutes * 60)} />
            </SimpleGrid>
          </Card>
          <Executions projectId={projectId} probe={p} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Thresholds projectId={projectId} probe={p} />
            <Incidents projectId={projectId} probeId={probeId} />
          </SimpleGrid>
          {may('EDITOR') && (
            <Group justify="flex-end">
              <Confirm
                label="Delete this probe"
                title={`Delete ${p.name}?`}
                act={async () => {
                  await call('deleteProbe', { projectId, probeId });
                  await navigate({ to: '/projects/$projectId/probes', params: { projectId } });
                }}
              >
                Its executions and incidents go with it; its runs stay.
              </Confirm>
            </Group>
          )}
        </Page>
      )}
    </Answer>
  );
}

type Detail = Output<'getProbe'>;

function Executions({ projectId, probe }: { projectId: string; probe: Detail }) {
  const instances = useCall('listProbeInstances', { projectId, probeId: probe.id, per_page: 20 }, { everyMs: 3000 });
  return (
    <Card title="Executions" note="Last first" pad={false}>
      <Answer of={instances}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title="Not executed yet">Run it now, or wait for its schedule.</Empty>
          ) : (
            <Table miw={640}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Scheduled</Table.Th>
                  <Table.Th>Health</Table.Th>
                  <Table.Th>What was graded</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((i) => (
                  <Table.Tr key={i.id}>
                    <Table.Td>
                      <Time at={i.scheduledAt} />
                    </Table.Td>
                    <Table.Td>
                      {i.completedAt === null ? (
                        <Mark tone="accent" moving>
                          Running
                        </Mark>
                      ) : (
                        <Health state={i.status} />
                      )}
                    </Table.Td>
                    <Table.Td>
                      {i.thresholdResults
                        .map(
                          (r) =>
                            `${r.displayName} ${r.status === 'UNKNOWN' ? 'not measured' : `${number(r.value)} ${r.unit}`}`,
                        )
                        .join(', ') || '–'}
                    </Table.Td>
                    <Table.Td ta="right">
                      <Anchor component={Link} to={`/projects/${projectId}/runs/${i.testRunId}`} size="sm">
                        Its run
                      </Anchor>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Answer>
    </Card>
  );
}

function Thresholds({ projectId, probe }: { projectId: string; probe: Detail }) {
  const instances = useCall('listProbeInstances', { projectId, probeId: probe.id, per_page: 40 }, { everyMs: 10_000 });
  return (
    <Card title="Thresholds" note="On the last executions, oldest first">
      {probe.thresholds.length === 0 ? (
        <Text c="dimmed" size="sm">
          None: a call that completes is healthy.
        </Text>
      ) : (
        <Stack gap="lg">
          {probe.thresholds.map((t) => (
            <div key={t.id}>
              {!t.enabled && <Mark tone="none">Off</Mark>}
              <ThresholdChart {...t} instances={instances.data?.rows ?? []} />
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
}

/** What a reader must not overlook. */
const Loud = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card card-pad banner warn" role="alert">
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <IconPlayerPause size={22} aria-hidden style={{ color: 'var(--carillon-warn)', flex: 'none', marginTop: 2 }} />
      <div>
        <Text fw={650} size="lg">
          {title}
        </Text>
        <Text component="div">{children}</Text>
      </div>
    </Group>
  </section>
);

function Incidents({ projectId, probeId }: { projectId: string; probeId: string }) {
  const incidents = useCall('listProbeIncidents', { projectId, probeId, per_page: 50 }, { everyMs: 5000 });
  return (
    <Card title="Incidents" note="Of this probe and its siblings; the last week, UTC">
      <Answer of={incidents}>{({ rows }) => <IncidentTimeline incidents={rows} nowMs={Date.now()} />}</Answer>
    </Card>
  );
}
