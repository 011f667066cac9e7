/** Calls with the same failure, shown together: details, places, and examples. */
import { Anchor, Stack, Table, Text } from '@mantine/core';
import type { Output } from '../../../contract/catalogue.ts';
import { Link } from '../../router.tsx';
import { count, plural } from '../basics/figures.ts';
import { Card } from '../basics/page.tsx';
import { plain } from '../basics/words.tsx';
import { Examples } from './examples.tsx';
import { clusterWords, numberWords } from './failure-words.ts';

type Run = Output<'getTestRun'>;
type Cluster = Run['failureClusters'][number];

export function Clusters({ projectId, run }: { projectId: string; run: Run }) {
  // An endpoint with a single call is named instead of its call.
  const noun = run.callAfterCall ? 'call' : 'endpoint';
  if (run.failureClusters.length === 0) {
    return run.callTiming.totalCalls === 0 ? null : (
      <Card title="Failures">
        <Text>No {noun} failed.</Text>
      </Card>
    );
  }
  return (
    <Card
      title="Failures"
      note={`${run.callAfterCall ? 'Calls' : 'Endpoints'} grouped by failure, largest group first`}
      pad={false}
    >
      <Table miw={820} verticalSpacing={10}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{run.callAfterCall ? 'Calls' : 'Endpoints'}</Table.Th>
            <Table.Th>What happened</Table.Th>
            <Table.Th>Fault</Table.Th>
            <Table.Th>Reached</Table.Th>
            <Table.Th>Target</Table.Th>
            <Table.Th>Examples</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {run.failureClusters.map((c) => (
            <Table.Tr
              key={[c.phase, c.endpointType, c.outcome, c.cause, c.sipStatus, c.q850, c.reason, c.target].join(' ')}
              style={{ verticalAlign: 'top' }}
            >
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <b>{plural(c.count, run.callAfterCall ? 'call' : plain(c.endpointType).toLowerCase())}</b>
                {run.callAfterCall && <div className="quiet">of {plain(c.endpointType).toLowerCase()}s</div>}
              </Table.Td>
              <Table.Td className="long">
                <Happened cluster={c} />
              </Table.Td>
              <Table.Td>{c.party}</Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{plain(c.phase)}</Table.Td>
              <Table.Td className="long">
                {c.target}
                {numberWords(c) !== null && <div className="quiet">{numberWords(c)}</div>}
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Members run={`/projects/${projectId}/runs/${run.id}`} cluster={c} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {run.otherFailures > 0 && (
        <Text size="sm" c="dimmed" px={18} py={10}>
          {count(run.otherFailures)} more failed in other ways.
        </Text>
      )}
    </Card>
  );
}

function Happened({ cluster }: { cluster: Cluster }) {
  const { title, said, kind } = clusterWords(cluster);
  return (
    <>
      <Text fw={600} size="sm">
        {title}
      </Text>
      {said.map((line) => (
        <Text size="sm" key={line}>
          {line}
        </Text>
      ))}
      {kind !== '' && (
        <Text size="xs" c="dimmed">
          {kind}
        </Text>
      )}
    </>
  );
}

function Members({ run, cluster: c }: { run: string; cluster: Cluster }) {
  const all = new URLSearchParams({
    type: c.endpointType,
    cause: c.cause,
    ...(c.sipStatus !== null && { status: String(c.sipStatus) }),
  });
  return (
    <Stack gap={0}>
      {c.count > 1 && (
        <Anchor component={Link} to={`${run}?${all}`} hash="endpoints" size="sm" className="target">
          All {count(c.count)}
        </Anchor>
      )}
      <Examples run={run} ids={c.exampleEndpointIds} of={all} />
    </Stack>
  );
}
