/** One endpoint: its call from first to last message, what is wrong by name, and how it sounded. */
import { Alert, Anchor, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { Output } from '../../contract/catalogue.ts';
import { useCall } from '../api.ts';
import { Figure } from '../show/figure.tsx';
import { bytes, count, number, percent } from '../show/figures.ts';
import { Ladder } from '../show/ladder.tsx';
import { Answer, Card, Page } from '../show/page.tsx';
import { RtpLane } from '../show/rtp-lane.tsx';
import { RunCharts } from '../show/run-charts.tsx';
import { Time } from '../show/time.tsx';
import { Mark, plain, type Tone } from '../show/words.tsx';

type Endpoint = Output<'getTestRunEndpoint'>;
type Ids = { readonly projectId: string; readonly runId: string; readonly endpointId: string };

export function EndpointPage() {
  const { projectId, runId, endpointId } = useParams({ strict: false }) as Ids;
  const endpoint = useCall('getTestRunEndpoint', { projectId, testRunId: runId, endpointId }, { everyMs: 3000 });
  const everyMs = endpoint.data?.outcome === null ? 3000 : false;
  return (
    <Answer of={endpoint}>
      {(e) => (
        <Page
          title={`${plain(e.endpointType)} ${e.number}`}
          over={
            <Anchor component={Link} to={`/projects/${projectId}/runs/${runId}`} size="sm">
              The run
            </Anchor>
          }
          actions={
            e.peerEndpointId && (
              <Anchor
                component={Link}
                to={`/projects/${projectId}/runs/${runId}/endpoints/${e.peerEndpointId}`}
                size="sm"
                underline="always"
              >
                The other end of its call
              </Anchor>
            )
          }
          beside={
            <Mark tone={toneOf(e)}>
              {plain(e.outcome ?? e.phase)}
              {e.outcome === 'SUCCESS' && e.findings.length > 0 && ', with findings'}
            </Mark>
          }
        >
          <Said endpoint={e} />
          <Call endpoint={e} />
          <Ladder
            projectId={projectId}
            runId={runId}
            endpointId={endpointId}
            isCaller={e.endpointType === 'CALLER'}
            peerEndpointId={e.peerEndpointId}
            total={e.counts.sipMessages}
          />
          <RtpLane projectId={projectId} runId={runId} endpoint={e} everyMs={everyMs} />
          <Streams endpoint={e} />
          <RunCharts projectId={projectId} runId={runId} endpointId={endpointId} everyMs={everyMs} />
        </Page>
      )}
    </Answer>
  );
}

/** A call may succeed, and nobody hear anything. */
const toneOf = ({ outcome, findings }: Endpoint): Tone =>
  outcome === null ? 'accent' : outcome !== 'SUCCESS' ? 'bad' : findings.length > 0 ? 'warn' : 'good';

const FOUND: Readonly<Record<Endpoint['findings'][number]['finding'], string>> = {
  MISSING_ACK: 'Missing ACK',
  SIP_RETRANSMISSIONS: 'SIP messages were sent again',
  FIRST_MEDIA_LATE: 'Media began late',
  CODEC_ASYMMETRY: 'Codec asymmetry',
  NAT_MISMATCH: 'NAT mismatch',
  DIGITS_LOST: 'Keys were lost',
  ONE_WAY_AUDIO: 'One-way audio',
  SILENT_AUDIO: 'Silent audio',
  NOT_ENCRYPTED: 'Not encrypted',
  SRTP_AUTHENTICATION_FAILED: 'SRTP authentication failed',
  LATE_MEDIA: 'Late media',
  UNEXPECTED_PAYLOAD_TYPE: 'Unexpected payload type',
  NAT_FOLLOWED: 'Media came from another address',
  RECEIVE_DROPS: "Drops in the agent's own host",
};

/** The cause, in words, before any figure. */
function Said({ endpoint: { failure, findings } }: { endpoint: Endpoint }) {
  if (!failure && findings.length === 0) return null;
  return (
    <Stack gap="xs">
      {failure && (
        <Alert
          color="red"
          variant="outline"
          title={failure.sipStatus ? `${failure.sipStatus} ${failure.reason}` : failure.reason || plain(failure.cause)}
        >
          {plain(failure.cause)}; on the part of: {failure.party}.
        </Alert>
      )}
      {findings.map((f) => (
        <Alert key={f.finding + f.stream} color="orange" variant="outline" title={FOUND[f.finding]}>
          {f.message}
        </Alert>
      ))}
    </Stack>
  );
}

const ms = (value: number | null | undefined): string => number(value ?? null, 1);

function Call({ endpoint: e }: { endpoint: Endpoint }) {
  const t = e.callTiming;
  return (
    <Card
      title="The call"
      note={
        <>
          {e.endpointType === 'CALLER' ? `To ${e.calleeUri} over` : 'Called over'} {e.registrar.name}, from the worker{' '}
          {e.worker.name}
          {e.plannedAt && (
            <>
              {' '}
              · planned <Time at={e.plannedAt} withMs />
            </>
          )}
        </>
      }
    >
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} verticalSpacing="lg">
        <Figure
          name="INVITE late by"
          value={ms(e.inviteLateMs)}
          unit="ms"
          explain="First byte of the INVITE after its planned instant"
        />
        <Figure name="To ringing" value={ms(t?.timeToRingingMs)} unit="ms" />
        <Figure name="Set-up" value={ms(t?.callSetupMs)} unit="ms" />
        <Figure name="Answer to first media" value={ms(t?.timeToFirstMediaMs)} unit="ms" />
        <Figure
          name="Duration"
          value={t?.callDurationMs ? number(t.callDurationMs / 1000, 1) : '–'}
          unit="s"
          note={e.endedBy ? `ended by the ${e.endedBy === 'LOCAL' ? 'endpoint' : 'far end'}` : undefined}
        />
        <Figure
          name="Retransmissions"
          value={count(e.counts.retransmissions)}
          note={`${count(e.counts.sipMessages)} messages`}
        />
      </SimpleGrid>
    </Card>
  );
}

function Streams({ endpoint: { streams } }: { endpoint: Endpoint }) {
  if (streams.length === 0) return null;
  return (
    <Card title="Streams" note="Whole, both ways; a dash was not measured" pad={false}>
      <Table miw={860}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stream</Table.Th>
            <Table.Th ta="right">Sent</Table.Th>
            <Table.Th ta="right">Received</Table.Th>
            <Table.Th ta="right">Lost</Table.Th>
            <Table.Th ta="right">Too late</Table.Th>
            <Table.Th ta="right">Jitter, mean / highest</Table.Th>
            <Table.Th ta="right">Round trip</Table.Th>
            <Table.Th ta="right">MOS</Table.Th>
            <Table.Th ta="right">R</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {streams.map((s) => (
            <Table.Tr key={s.stream}>
              <Table.Td>
                <Text fw={600} size="sm">
                  {s.codec}
                </Text>
                <Text size="xs" c="dimmed">
                  {s.localPort ?? '–'} to {s.remote || '–'}
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                {count(s.send.packets)}
                <Text size="xs" c="dimmed">
                  {bytes(s.send.octets)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                {count(s.receive.packets)}
                <Text size="xs" c="dimmed">
                  of {count(s.receive.expected)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                {count(s.receive.lost)}
                <Text size="xs" c="dimmed">
                  {percent(s.receive.lossFraction === null ? null : s.receive.lossFraction * 100, 2)}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{s.receive.discarded === null ? '–' : count(s.receive.discarded)}</Table.Td>
              <Table.Td ta="right">
                {number(s.receive.jitterMeanMs)} / {number(s.receive.jitterMaxMs)} ms
              </Table.Td>
              <Table.Td ta="right">{number(s.send.rttMeanMs)} ms</Table.Td>
              <Table.Td ta="right">
                <b>{number(s.receive.mos)}</b>
                <Text size="xs" c="dimmed">
                  {s.scale ? s.scale.toUpperCase() : ''}
                </Text>
              </Table.Td>
              <Table.Td ta="right">{number(s.receive.rFactor, 1)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
