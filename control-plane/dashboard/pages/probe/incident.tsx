/** One incident of a probe: cause, start, run that opened it, acknowledgement, and its measurements. */
import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Output } from '../../../contract/catalogue.ts';
import { useCall } from '../../api.ts';
import { useMay } from '../../me.tsx';
import { Link, useParams } from '../../router.tsx';
import { duration } from '../../show/basics/figures.ts';
import { IconAlertTriangle, IconCircleCheck } from '../../show/basics/icons.tsx';
import { Loud } from '../../show/basics/loud.tsx';
import { Answer, Card, Empty, Page } from '../../show/basics/page.tsx';
import { Time } from '../../show/basics/time.tsx';
import { SEVERITY } from '../../show/basics/tones.ts';
import { Mark } from '../../show/basics/words.tsx';
import { ExecutionTable } from '../../show/probe/execution-table.tsx';
import { IncidentActions } from '../../show/probe/incident-note.tsx';
import { executionsSearch, incidentState, lastedSeconds } from '../../show/probe/incident-words.ts';

type Incident = Output<'getProbeIncident'>;
type Props = { readonly projectId: string; readonly incident: Incident };

export function IncidentPage() {
  const address = useParams() as { projectId: string; probeId: string; incidentId: string };
  const { projectId } = address;
  const incident = useCall('getProbeIncident', address, { everyMs: 5000 });
  return (
    <Answer of={incident}>
      {(i) => (
        <Page
          title={`Incident of ${i.probeName}`}
          over={
            <Anchor component={Link} to={`/projects/${projectId}/probes/${i.probeId}`} size="sm">
              The probe
            </Anchor>
          }
          beside={<State incident={i} />}
        >
          <Reason incident={i} />
          <LookedAfter projectId={projectId} incident={i} />
          <Facts projectId={projectId} incident={i} />
          <Executions projectId={projectId} incident={i} />
        </Page>
      )}
    </Answer>
  );
}

function State({ incident }: { incident: Incident }) {
  const [tone, word] = incidentState(incident);
  return <Mark tone={tone}>{word}</Mark>;
}

function Reason({ incident: i }: { incident: Incident }) {
  const lasted = duration(lastedSeconds(i, Date.now()));
  const [tone, word] = SEVERITY[i.severity];
  const isOver = i.endedAt !== null;
  return (
    <Loud
      title={isOver ? `It was ${word.toLowerCase()} for ${lasted}` : `${word} for ${lasted}`}
      tone={isOver ? 'good' : tone}
      icon={isOver ? IconCircleCheck : IconAlertTriangle}
      isAlert={false}
    >
      {i.reason ?? 'No reason was recorded.'}
    </Loud>
  );
}

const Facts = ({ projectId, incident: i }: Props) => (
  <Card>
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 5 }} verticalSpacing="lg">
      {i.firstFailedAt !== null && (
        <Fact name="First failure">
          <Time at={i.firstFailedAt} />
        </Fact>
      )}
      <Fact name="Opened">
        <Time at={i.startedAt} />
        {i.openedByTestRunId !== null && (
          <div>
            <Anchor
              component={Link}
              to={`/projects/${projectId}/runs/${i.openedByTestRunId}`}
              size="sm"
              underline="always"
            >
              Run that opened it
            </Anchor>
          </div>
        )}
      </Fact>
      <Fact name="Ended">
        <Time at={i.endedAt} none="Not yet" />
      </Fact>
      <Fact name="Escalated">
        <Time at={i.escalatedAt} none="No" />
      </Fact>
      {i.region !== null && <Fact name="Region">{i.region}</Fact>}
    </SimpleGrid>
  </Card>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    {children}
  </div>
);

function LookedAfter({ projectId, incident: i }: Props) {
  const may = useMay(projectId)('TESTER');
  return (
    <Card title="Acknowledgement" actions={may && <IncidentActions projectId={projectId} incident={i} />}>
      <Stack gap={6} style={{ overflowWrap: 'anywhere' }}>
        <Text component="div">
          {i.acknowledgedAt === null ? (
            'Not acknowledged yet.'
          ) : (
            <>
              {i.acknowledgedBy ?? 'Somebody'} acknowledged it <Time at={i.acknowledgedAt} relative />.
            </>
          )}
        </Text>
        {i.note !== null && (
          <Text component="blockquote" m={0} style={{ whiteSpace: 'pre-wrap' }}>
            {i.note}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function Executions({ projectId, incident: i }: Props) {
  const probe = useCall('getProbe', { projectId, probeId: i.probeId });
  return (
    <Card
      title="Executions"
      note={`From the first bad one ${i.endedAt === null ? 'on' : 'to the one that resolved it'}, last first`}
      pad={false}
      actions={
        <Anchor
          component={Link}
          to={`/projects/${projectId}/probes/${i.probeId}/executions`}
          search={executionsSearch(i)}
          size="sm"
        >
          All executions in this period
        </Anchor>
      }
    >
      <Answer of={probe}>
        {({ mode }) =>
          i.executions.length === 0 ? (
            <Empty title="The executions have been deleted" />
          ) : (
            <ExecutionTable projectId={projectId} mode={mode} rows={i.executions} />
          )
        }
      </Answer>
    </Card>
  );
}
