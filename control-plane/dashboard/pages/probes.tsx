/** Probes: how each is, and one in full: its last executions, its thresholds, its incidents, and what keeps it from running. */
import { Alert, Anchor, Button, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { Output } from '../../contract/catalogue.ts';
import { useCall, useChange } from '../api.ts';
import { useMay } from '../me.tsx';
import { Figure } from '../show/figure.tsx';
import { duration, number } from '../show/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../show/page.tsx';
import { ProbeStrip } from '../show/probe-strip.tsx';
import { Time } from '../show/time.tsx';
import { Health, Mark, plain, SeverityMark } from '../show/words.tsx';

type Probe = Output<'listProbes'>;

const schedule = (p: Probe): string =>
  p.scheduleType === 'CRON'
    ? `${p.cronExpression} (${p.timezone})`
    : `every ${duration(p.fixedIntervalSec ?? 0)}${p.timeOfDayStartUtc ? `, ${p.timeOfDayStartUtc} to ${p.timeOfDayEndUtc}` : ''}`;

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
                        {p.enabled && !p.autoPausedAt ? <Health state={p.status} /> : <Mark tone="none">Paused</Mark>}
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
          beside={<Health state={p.status} />}
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
            <Alert color="orange" variant="outline" title="Paused by itself">
              {p.autoPauseReason} (since <Time at={p.autoPausedAt} />)
            </Alert>
          )}
          {!p.enabled && (
            <Alert color="gray" variant="outline" title="Switched off">
              It runs only when you start it.
            </Alert>
          )}
          {p.lastSkipReason && (
            <Alert color="orange" variant="outline" title="An execution was skipped">
              {p.lastSkipReason} (<Time at={p.lastSkipAt} relative />)
            </Alert>
          )}
          <Card>
            <SimpleGrid cols={{ base: 2, md: 4 }}>
              <Figure
                name="Schedule"
                value={p.scheduleType === 'CRON' ? 'Cron' : duration(p.fixedIntervalSec ?? 0)}
                note={schedule(p)}
              />
              <Figure
                name="A call lasts"
                value={duration(p.durationSeconds)}
                note={p.test.callee.mode === 'EXTERNAL_URI' ? p.test.callee.uri : ''}
              />
              <Figure name="An incident opens after" value={String(p.alertStrikeRuns)} unit="bad runs in a row" />
              <Figure name="Escalates after" value={duration(p.escalateAfterMinutes * 60)} />
            </SimpleGrid>
          </Card>
          <Executions projectId={projectId} probe={p} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Thresholds probe={p} />
            <Incidents projectId={projectId} probeId={probeId} />
          </SimpleGrid>
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
                        .map((r) => `${r.displayName} ${r.status === 'UNKNOWN' ? '–' : number(r.value)} ${r.unit}`)
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

const Thresholds = ({ probe }: { probe: Detail }) => (
  <Card title="Thresholds" pad={false}>
    {probe.thresholds.length === 0 ? (
      <Text c="dimmed" size="sm" px={18} pb={16}>
        None: a call that completes is healthy.
      </Text>
    ) : (
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Metric</Table.Th>
            <Table.Th ta="right">Healthy to</Table.Th>
            <Table.Th ta="right">Degraded to</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {probe.thresholds.map((t) => (
            <Table.Tr key={t.id}>
              <Table.Td>
                {t.metricKey}
                {!t.enabled && ' (off)'}
              </Table.Td>
              <Table.Td ta="right">{t.greenValue}</Table.Td>
              <Table.Td ta="right">{t.orangeValue}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </Card>
);

function Incidents({ projectId, probeId }: { projectId: string; probeId: string }) {
  const incidents = useCall('listProbeIncidents', { projectId, probeId, per_page: 20 }, { everyMs: 5000 });
  return (
    <Card title="Incidents" note="Of this probe and its siblings">
      <Answer of={incidents}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed" size="sm">
              None.
            </Text>
          ) : (
            <Stack gap="sm">
              {rows.map((i) => (
                <div key={i.id}>
                  <SeverityMark severity={i.severity} />
                  <Text size="sm" c="dimmed" component="div">
                    <Time at={i.startedAt} /> ·{' '}
                    {i.endedAt ? `resolved after ${duration((i.durationMs ?? 0) / 1000)}` : 'still open'}
                    {i.region && ` · ${i.region}`}
                  </Text>
                </div>
              ))}
            </Stack>
          )
        }
      </Answer>
    </Card>
  );
}
