/**
 * One probe: the result of its last execution, its executions, thresholds, incidents and maintenance, and what keeps it from
 * running.
 */
import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { call, useCall, useChange } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link, navigate, useParams } from '../../router.tsx';
import { Confirm } from '../../show/basics/confirm.tsx';
import { Figure } from '../../show/basics/figure.tsx';
import { count, duration } from '../../show/basics/figures.ts';
import { Answer, Card, Empty, Failed, Page } from '../../show/basics/page.tsx';
import { Mark } from '../../show/basics/words.tsx';
import { ExecutionTable } from '../../show/probe/execution-table.tsx';
import { IncidentTimeline } from '../../show/probe/incident-timeline.tsx';
import { Maintained, NotRunning, ProbeHeadline } from '../../show/probe/probe-headline.tsx';
import { ProbeMaintenance } from '../../show/probe/probe-maintenance.tsx';
import { ProbeState } from '../../show/probe/probe-state.tsx';
import { scheduleOf } from '../../show/probe/probe-words.ts';
import { ThresholdChart } from '../../show/probe/threshold-chart.tsx';
import { Destinations } from '../../show/test-form/registrar/destinations.tsx';

type Probe = Output<'getProbe'>;
type Props = { readonly projectId: string; readonly probe: Probe };

export function ProbePage() {
  const { projectId, probeId } = useParams() as { projectId: string; probeId: string };
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
          <Maintained until={p.maintenanceUntil} />
          <NotRunning probe={p} />
          <ProbeHeadline projectId={projectId} probe={p} />
          <Facts projectId={projectId} probe={p} />
          <Executions projectId={projectId} probe={p} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Thresholds projectId={projectId} probe={p} />
            <Incidents projectId={projectId} probe={p} />
          </SimpleGrid>
          <ProbeMaintenance projectId={projectId} probeId={p.id} />
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
                Its executions and incidents are deleted; its runs are kept.
              </Confirm>
            </Group>
          )}
        </Page>
      )}
    </Answer>
  );
}

const Facts = ({ projectId, probe: p }: Props) => (
  <Card>
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Figure
        name="Schedule"
        value={p.scheduleType === 'CRON' ? 'Cron' : `every ${duration(p.fixedIntervalSec ?? 0)}`}
        note={p.scheduleType === 'CRON' ? scheduleOf(p) : undefined}
      />
      <Figure name="Call duration" value={duration(p.durationSeconds)} />
      <Figure
        name="Opens an incident after"
        value={count(p.alertStrikeRuns)}
        unit={p.alertStrikeRuns === 1 ? 'failed execution' : 'failed executions in a row'}
      />
      <Figure name="Escalates after" value={duration(p.escalateAfterMinutes * 60)} />
    </SimpleGrid>
    {p.test.callee.mode === 'EXTERNAL_URI' && (
      <Target projectId={projectId} mode={p.mode} registrarId={p.test.registrarId} uri={p.test.callee.uri} />
    )}
  </Card>
);

type TargetProps = {
  readonly projectId: string;
  readonly mode: Probe['mode'];
  readonly registrarId: string;
  readonly uri: string;
};

/** The called address, and where the calls go, which may differ. */
function Target({ projectId, mode, registrarId, uri }: TargetProps) {
  const registrar = useCall('getRegistrar', { projectId, registrarId });
  return (
    <Stack gap={4} mt="lg" style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm">
        {mode === 'OPTIONS' ? 'Asks' : 'Calls'} <b>{uri}</b>
      </Text>
      {mode !== 'REGISTER' && <Destinations mode={mode} uris={[uri]} registrar={registrar.data} />}
    </Stack>
  );
}

const SHOWN_EXECUTIONS = 10;

function Executions({ projectId, probe }: Props) {
  const may = useMay(projectId);
  const run = useChange('runProbe');
  const instances = useCall(
    'listProbeInstances',
    { projectId, probeId: probe.id, per_page: SHOWN_EXECUTIONS },
    { everyMs: 3000 },
  );
  return (
    <Card
      title="Executions"
      note="Newest first; steps in milliseconds"
      pad={false}
      actions={
        <Anchor component={Link} to={`/projects/${projectId}/probes/${probe.id}/executions`} size="sm">
          All executions
        </Anchor>
      }
    >
      <Answer of={instances}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty
              title="Not executed yet"
              action={
                may('TESTER') && (
                  <Button loading={run.isPending} onClick={() => run.mutate({ projectId, probeId: probe.id })}>
                    Run it now
                  </Button>
                )
              }
            >
              Each call of the probe is listed here with what it measured.
            </Empty>
          ) : (
            <ExecutionTable projectId={projectId} mode={probe.mode} rows={rows} />
          )
        }
      </Answer>
    </Card>
  );
}

function Thresholds({ projectId, probe }: Props) {
  const instances = useCall('listProbeInstances', { projectId, probeId: probe.id, per_page: 40 }, { everyMs: 3000 });
  return (
    <Card title="Thresholds" note="Applied to the latest executions, oldest first">
      {probe.thresholds.length === 0 ? (
        <Text c="dimmed" size="sm">
          None: every call that does not fail counts as healthy.
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

function Incidents({ projectId, probe }: Props) {
  const incidents = useCall('listProbeIncidents', { projectId, probeId: probe.id, per_page: 50 }, { everyMs: 5000 });
  return (
    <Card title="Incidents" note="This probe and its siblings, last 7 days, UTC">
      <Answer of={incidents}>
        {({ rows }) => <IncidentTimeline projectId={projectId} incidents={rows} nowMs={Date.now()} />}
      </Answer>
    </Card>
  );
}
